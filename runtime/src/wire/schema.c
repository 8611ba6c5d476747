// The little of FlatBuffers' reflection.fbs that says which event a type is, and how a struct lies in memory.

#include "wire/schema.h"

#include <stdio.h>

#include "wire/buffer.h"

// Only fields with an `offset` are verified beyond their place; these descriptions are for no struct. They have no
// names, because no error tells which of them is wrong.
enum { TYPE_BASE, TYPE_ELEMENT, TYPE_INDEX, TYPE_LENGTH };
static const kifu__field type_fields[] = {
    {.kind = KIFU__SCALAR, .align = 1, .size = 1},
    {.kind = KIFU__SCALAR, .align = 1, .size = 1},
    {.kind = KIFU__SCALAR, .align = 4, .size = 4},
    {.kind = KIFU__SCALAR, .align = 2, .size = 2},
};
static const kifu__table type_table = {.field_count = 4, .fields = type_fields};

enum { VALUE_NAME, VALUE_VALUE, VALUE_TYPE = 3 };
static const kifu__field value_fields[] = {
    {.kind = KIFU__STRING, .offset = 4, .required = true},
    {.kind = KIFU__SCALAR, .align = 8, .size = 8},
    {.kind = KIFU__TABLE},
    {.kind = KIFU__TABLE, .offset = 4, .table = &type_table},
};
static const kifu__table value_table = {.field_count = 4, .fields = value_fields};

enum { ENUM_NAME, ENUM_VALUES };
static const kifu__field enum_fields[] = {
    {.kind = KIFU__STRING, .offset = 4, .required = true},
    {.kind = KIFU__TABLE_VECTOR, .offset = 4, .required = true, .table = &value_table},
};
static const kifu__table enum_table = {.field_count = 2, .fields = enum_fields};

enum { FIELD_NAME, FIELD_TYPE, FIELD_ID };
static const kifu__field field_fields[] = {
    {.kind = KIFU__STRING, .offset = 4, .required = true},
    {.kind = KIFU__TABLE, .offset = 4, .required = true, .table = &type_table},
    {.kind = KIFU__SCALAR, .align = 2, .size = 2},
};
static const kifu__table field_table = {.field_count = 3, .fields = field_fields};

enum { OBJECT_NAME, OBJECT_FIELDS, OBJECT_IS_STRUCT, OBJECT_ALIGN, OBJECT_SIZE };
static const kifu__field object_fields[] = {
    {.kind = KIFU__STRING, .offset = 4, .required = true},
    {.kind = KIFU__TABLE_VECTOR, .offset = 4, .required = true, .table = &field_table},
    {.kind = KIFU__SCALAR, .align = 1, .size = 1},
    {.kind = KIFU__SCALAR, .align = 4, .size = 4},
    {.kind = KIFU__SCALAR, .align = 4, .size = 4},
};
static const kifu__table object_table = {.field_count = 5, .fields = object_fields};

enum { SCHEMA_OBJECTS, SCHEMA_ENUMS };
static const kifu__field schema_fields[] = {
    {.kind = KIFU__TABLE_VECTOR, .offset = 4, .required = true, .table = &object_table},
    {.kind = KIFU__TABLE_VECTOR, .offset = 4, .required = true, .table = &enum_table},
};
static const kifu__table schema_table = {.name = "", .field_count = 2, .fields = schema_fields};

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

// A number; where the field is absent, zeros.
static const unsigned char *number_of(const unsigned char *bytes, uint32_t position, uint32_t id)
{
    static const unsigned char zeros[8] = {0};
    const uint32_t place = kifu__field_at(bytes, position, id);
    return place ? bytes + place : zeros;
}

static uint32_t element_of(const unsigned char *bytes, uint32_t vector, uint32_t index)
{
    return kifu__target(bytes, vector + 4 + 4 * index);
}

bool kifu__schema_open(kifu__schema *schema, const unsigned char *bytes, uint32_t size)
{
    const kifu__buffer buffer = {.bytes = bytes, .size = size};
    bool castable = false;
    schema->bytes = bytes;
    return bytes && !kifu__verify_root(&buffer, &schema_table, &schema->root, &castable);
}

// --- Events ----------------------------------------------------------------------------------------------------------

// The member of a verified enum with this value; 0 where there is none.
static uint32_t find_value(const unsigned char *bytes, uint32_t position, uint32_t value)
{
    uint32_t vector = lead(bytes, position, ENUM_VALUES);
    uint32_t count = kifu__load32(bytes + vector);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t member = element_of(bytes, vector, i);
        if (kifu__load64(number_of(bytes, member, VALUE_VALUE)) == value)
            return member;
    }
    return 0;
}

// A union's member has a name of its own ("kifu_EEndGame"); the table's is the one that the schema's author wrote.
static const char *member_name(const unsigned char *bytes, uint32_t schema, uint32_t member)
{
    uint32_t objects = lead(bytes, schema, SCHEMA_OBJECTS);
    uint32_t type = lead(bytes, member, VALUE_TYPE);
    uint32_t place = type ? kifu__field_at(bytes, type, TYPE_INDEX) : 0;
    uint32_t index = place ? kifu__load32(bytes + place) : UINT32_MAX;
    if (index >= kifu__load32(bytes + objects))
        return string_of(bytes, member, VALUE_NAME);
    return string_of(bytes, element_of(bytes, objects, index), OBJECT_NAME);
}

bool kifu__event_name(const unsigned char *schema, uint32_t schema_size, const char *union_name, uint32_t type,
                      char *name, size_t name_size)
{
    kifu__schema opened;
    if (!kifu__schema_open(&opened, schema, schema_size))
        return false;
    uint32_t enums = lead(schema, opened.root, SCHEMA_ENUMS);
    uint32_t count = kifu__load32(schema + enums);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t each = element_of(schema, enums, i);
        if (strcmp(string_of(schema, each, ENUM_NAME), union_name))
            continue;
        uint32_t member = find_value(schema, each, type);
        if (!member)
            return false;
        snprintf(name, name_size, "%s", member_name(schema, opened.root, member));
        return true;
    }
    return false;
}

// --- Structs ---------------------------------------------------------------------------------------------------------

// What a field's type may be, and how many bytes it has: `BaseType` of reflection.fbs.
enum { BASE_BOOL = 2, BASE_DOUBLE = 12, BASE_STRUCT = 15, BASE_ARRAY = 17 };
static const uint8_t base_sizes[] = {0, 0, 1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
_Static_assert(BASE_DOUBLE - BASE_BOOL == KIFU__F64 && sizeof base_sizes == BASE_DOUBLE + 1, "kifu__scalar's order");

uint32_t kifu__schema_struct(const kifu__schema *schema, const char *name)
{
    const unsigned char *bytes = schema->bytes;
    uint32_t objects = lead(bytes, schema->root, SCHEMA_OBJECTS);
    uint32_t count = kifu__load32(bytes + objects);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t each = element_of(bytes, objects, i);
        if (*number_of(bytes, each, OBJECT_IS_STRUCT) && !strcmp(string_of(bytes, each, OBJECT_NAME), name))
            return each;
    }
    return 0;
}

uint32_t kifu__schema_size(const kifu__schema *schema, uint32_t structure)
{
    return kifu__load32(number_of(schema->bytes, structure, OBJECT_SIZE));
}

uint32_t kifu__schema_field_count(const kifu__schema *schema, uint32_t structure)
{
    return kifu__load32(schema->bytes + lead(schema->bytes, structure, OBJECT_FIELDS));
}

// Fills in what the type says. Returns its alignment; 0 when it can be in no struct.
static uint32_t read_type(const kifu__schema *schema, uint32_t type, kifu__schema_field *field)
{
    const unsigned char *bytes = schema->bytes;
    uint32_t base = *number_of(bytes, type, TYPE_BASE);
    if (base == BASE_ARRAY) {
        field->count = kifu__load16(number_of(bytes, type, TYPE_LENGTH));
        base = *number_of(bytes, type, TYPE_ELEMENT);
        if (!field->count)
            return 0;
    }
    const uint32_t place = kifu__field_at(bytes, type, TYPE_INDEX);
    const uint32_t index = place ? kifu__load32(bytes + place) : UINT32_MAX;
    if (base >= BASE_BOOL && base <= BASE_DOUBLE) {
        const uint32_t enums = lead(bytes, schema->root, SCHEMA_ENUMS);
        field->scalar = (uint8_t)(base - BASE_BOOL);
        field->size = base_sizes[base];
        field->values = index < kifu__load32(bytes + enums) ? element_of(bytes, enums, index) : 0;
        return field->size;
    }
    uint32_t objects = lead(bytes, schema->root, SCHEMA_OBJECTS);
    if (base != BASE_STRUCT || index >= kifu__load32(bytes + objects))
        return 0;
    field->structure = element_of(bytes, objects, index);
    field->size = kifu__schema_size(schema, field->structure);
    return *number_of(bytes, field->structure, OBJECT_IS_STRUCT)
               ? kifu__load32(number_of(bytes, field->structure, OBJECT_ALIGN))
               : 0;
}

// The field with this id, which says how many are declared before it. 0: there is none.
static uint32_t find_field_by_id(const unsigned char *bytes, uint32_t structure, uint32_t id)
{
    const uint32_t fields = lead(bytes, structure, OBJECT_FIELDS);
    const uint32_t count = kifu__load32(bytes + fields);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t each = element_of(bytes, fields, i);
        if (kifu__load16(number_of(bytes, each, FIELD_ID)) == id)
            return each;
    }
    return 0;
}

// A .bfbs has only the low 16 bits of an offset. FlatBuffers places fields as C does: in their order, each where its
// alignment allows.
bool kifu__schema_next_field(const kifu__schema *schema, uint32_t structure, uint32_t id, kifu__schema_field *field)
{
    const unsigned char *bytes = schema->bytes;
    const uint32_t found = find_field_by_id(bytes, structure, id);
    if (!found)
        return false;
    const uint64_t end = id ? kifu__schema_end_of(field) : 0;
    *field = (kifu__schema_field){.name = string_of(bytes, found, FIELD_NAME)};
    const uint32_t align = read_type(schema, lead(bytes, found, FIELD_TYPE), field);
    if (!align || align > 8 || align & (align - 1))
        return false;
    const uint64_t offset = (end + align - 1) & ~(uint64_t)(align - 1);
    field->offset = (uint32_t)offset;
    return offset <= UINT32_MAX && kifu__schema_end_of(field) <= kifu__schema_size(schema, structure);
}

// --- Enums -----------------------------------------------------------------------------------------------------------

bool kifu__schema_fits_enum(const kifu__schema *schema, uint32_t values, const kifu__enum *compiled)
{
    const unsigned char *bytes = schema->bytes;
    const uint32_t vector = lead(bytes, values, ENUM_VALUES);
    const uint32_t count = kifu__load32(bytes + vector);
    if (count > compiled->label_count) // A file must not make it endless.
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t value = element_of(bytes, vector, i);
        const char *label = kifu__label_of(compiled, kifu__load64(number_of(bytes, value, VALUE_VALUE)));
        if (!label || strcmp(label, string_of(bytes, value, VALUE_NAME)))
            return false;
    }
    return true;
}

const char *kifu__schema_label(const kifu__schema *schema, uint32_t values, uint64_t value)
{
    const unsigned char *bytes = schema->bytes;
    const uint32_t member = value <= UINT32_MAX ? find_value(bytes, values, (uint32_t)value) : 0;
    return member ? string_of(bytes, member, VALUE_NAME) : NULL;
}
