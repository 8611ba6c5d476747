// Names out of a .bfbs: the little of FlatBuffers' reflection.fbs that says which event a type is. The file is as
// little trusted as any other part of a save.

#include <stdio.h>

#include "wire/buffer.h"

// Only fields with an `offset` are verified beyond their place; these descriptions are for no struct.
enum { TYPE_INDEX = 2 };
static const kifu__field type_fields[] = {
    {.name = "base_type", .kind = KIFU__SCALAR, .align = 1, .size = 1},
    {.name = "element", .kind = KIFU__SCALAR, .align = 1, .size = 1},
    {.name = "index", .kind = KIFU__SCALAR, .align = 4, .size = 4},
};
static const kifu__table type_table = {.name = "reflection.Type", .field_count = 3, .fields = type_fields};

enum { VALUE_NAME, VALUE_VALUE, VALUE_TYPE = 3 };
static const kifu__field value_fields[] = {
    {.name = "name", .kind = KIFU__STRING, .offset = 4, .required = true},
    {.name = "value", .kind = KIFU__SCALAR, .align = 8, .size = 8},
    {.name = "object", .kind = KIFU__TABLE},
    {.name = "union_type", .kind = KIFU__TABLE, .offset = 4, .table = &type_table},
};
static const kifu__table value_table = {.name = "reflection.EnumVal", .field_count = 4, .fields = value_fields};

enum { ENUM_NAME, ENUM_VALUES };
static const kifu__field enum_fields[] = {
    {.name = "name", .kind = KIFU__STRING, .offset = 4, .required = true},
    {.name = "values", .kind = KIFU__TABLE_VECTOR, .offset = 4, .required = true, .table = &value_table},
};
static const kifu__table enum_table = {.name = "reflection.Enum", .field_count = 2, .fields = enum_fields};

enum { OBJECT_NAME };
static const kifu__field object_fields[] = {{.name = "name", .kind = KIFU__STRING, .offset = 4, .required = true}};
static const kifu__table object_table = {.name = "reflection.Object", .field_count = 1, .fields = object_fields};

enum { SCHEMA_OBJECTS, SCHEMA_ENUMS };
static const kifu__field schema_fields[] = {
    {.name = "objects", .kind = KIFU__TABLE_VECTOR, .offset = 4, .required = true, .table = &object_table},
    {.name = "enums", .kind = KIFU__TABLE_VECTOR, .offset = 4, .required = true, .table = &enum_table},
};
static const kifu__table schema_table = {.name = "reflection.Schema", .field_count = 2, .fields = schema_fields};

// What a present field of the verified table at `position` leads to; 0 where it is absent.
static uint32_t lead(const unsigned char *bytes, uint32_t position, uint32_t id)
{
    uint32_t place = kifu__field_at(bytes, position, id);
    return place ? kifu__target(bytes, place) : 0;
}

static const char *string_of(const unsigned char *bytes, uint32_t position, uint32_t id)
{
    return (const char *)bytes + lead(bytes, position, id) + 4;
}

// The member of a verified enum with this value; 0 where there is none.
static uint32_t find_value(const unsigned char *bytes, uint32_t position, uint32_t value)
{
    uint32_t vector = lead(bytes, position, ENUM_VALUES);
    uint32_t count = kifu__load32(bytes + vector);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t member = kifu__target(bytes, vector + 4 + 4 * i);
        uint32_t place = kifu__field_at(bytes, member, VALUE_VALUE);
        if ((place ? kifu__load64(bytes + place) : 0) == value)
            return member;
    }
    return 0;
}

// A union's member has a name of its own ("kifu_EEndGame"); the table's is the one that the schema's author wrote.
static const char *name_of(const unsigned char *bytes, uint32_t schema, uint32_t member)
{
    uint32_t objects = lead(bytes, schema, SCHEMA_OBJECTS);
    uint32_t type = lead(bytes, member, VALUE_TYPE);
    uint32_t place = type ? kifu__field_at(bytes, type, TYPE_INDEX) : 0;
    uint32_t index = place ? kifu__load32(bytes + place) : UINT32_MAX;
    if (index >= kifu__load32(bytes + objects))
        return string_of(bytes, member, VALUE_NAME);
    return string_of(bytes, kifu__target(bytes, objects + 4 + 4 * index), OBJECT_NAME);
}

bool kifu__event_name(const unsigned char *schema, uint32_t schema_size, const char *union_name, uint32_t type,
                      char *name, size_t name_size)
{
    const kifu__buffer buffer = {.bytes = schema, .size = schema_size};
    uint32_t root;
    bool castable = false;
    if (!schema || kifu__verify_root(&buffer, &schema_table, &root, &castable))
        return false;
    uint32_t enums = lead(schema, root, SCHEMA_ENUMS);
    uint32_t count = kifu__load32(schema + enums);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t each = kifu__target(schema, enums + 4 + 4 * i);
        if (strcmp(string_of(schema, each, ENUM_NAME), union_name))
            continue;
        uint32_t member = find_value(schema, each, type);
        if (!member)
            return false;
        snprintf(name, name_size, "%s", name_of(schema, root, member));
        return true;
    }
    return false;
}
