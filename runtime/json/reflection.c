#include "json/reflection.h"

#include <stddef.h>

#include "base/error.h"

#define SCALAR(type, member, bytes, ...)                                                                               \
    {                                                                                                                  \
        .name = #member, .kind = KIFU__SCALAR, .align = (bytes), .size = (bytes), .offset = offsetof(type, member),    \
        __VA_ARGS__                                                                                                    \
    }
#define REFERENCE(type, member, what, ...)                                                                             \
    {                                                                                                                  \
        .name = #member, .kind = (what), .align = 4, .size = 4, .offset = offsetof(type, member), __VA_ARGS__          \
    }
#define UNUSED(bytes)                                                                                                  \
    {                                                                                                                  \
        .name = "unused", .kind = KIFU__SCALAR, .align = (bytes), .size = (bytes)                                      \
    }
#define TABLE(type, what, members)                                                                                     \
    {                                                                                                                  \
        .name = (what), .size = sizeof(type), .align = 8, .field_count = sizeof(members) / sizeof *(members),          \
        .fields = (members)                                                                                            \
    }

static const kifu__field type_fields[] = {
    SCALAR(kifu__r_type, base, 1, .scalar = KIFU__U8),
    SCALAR(kifu__r_type, element, 1, .scalar = KIFU__U8),
    SCALAR(kifu__r_type, index, 4, .scalar = KIFU__I32, .default_bits = UINT32_MAX),
    SCALAR(kifu__r_type, fixed_length, 2, .scalar = KIFU__U16),
};
static const kifu__table type_table = TABLE(kifu__r_type, "reflection.Type", type_fields);

static const kifu__field pair_fields[] = {
    REFERENCE(kifu__r_pair, key, KIFU__STRING, .required = true),
    REFERENCE(kifu__r_pair, value, KIFU__STRING, .required = false),
};
static const kifu__table pair_table = TABLE(kifu__r_pair, "reflection.KeyValue", pair_fields);

static const kifu__field value_fields[] = {
    REFERENCE(kifu__r_value, name, KIFU__STRING, .required = true),
    SCALAR(kifu__r_value, value, 8, .scalar = KIFU__I64),
    {.name = "object", .kind = KIFU__TABLE, .align = 4, .size = 4},
    REFERENCE(kifu__r_value, type, KIFU__TABLE, .table = &type_table),
};
static const kifu__table value_table = TABLE(kifu__r_value, "reflection.EnumVal", value_fields);

static const kifu__field enum_fields[] = {
    REFERENCE(kifu__r_enum, name, KIFU__STRING, .required = true),
    REFERENCE(kifu__r_enum, values, KIFU__TABLE_VECTOR, .required = true, .table = &value_table),
    SCALAR(kifu__r_enum, is_union, 1, .scalar = KIFU__U8),
    REFERENCE(kifu__r_enum, underlying, KIFU__TABLE, .required = true, .table = &type_table),
    REFERENCE(kifu__r_enum, attributes, KIFU__TABLE_VECTOR, .table = &pair_table),
};
static const kifu__table enum_table = TABLE(kifu__r_enum, "reflection.Enum", enum_fields);

static const kifu__field field_fields[] = {
    REFERENCE(kifu__r_field, name, KIFU__STRING, .required = true),
    REFERENCE(kifu__r_field, type, KIFU__TABLE, .required = true, .table = &type_table),
    SCALAR(kifu__r_field, id, 2, .scalar = KIFU__U16),
    UNUSED(2), // the offset: only its low 16 bits
    SCALAR(kifu__r_field, default_integer, 8, .scalar = KIFU__I64),
    SCALAR(kifu__r_field, default_real, 8, .scalar = KIFU__F64),
    SCALAR(kifu__r_field, deprecated, 1, .scalar = KIFU__U8),
    SCALAR(kifu__r_field, required, 1, .scalar = KIFU__U8),
    UNUSED(1), // key
    REFERENCE(kifu__r_field, attributes, KIFU__TABLE_VECTOR, .table = &pair_table),
    {.name = "documentation", .kind = KIFU__STRING_VECTOR, .align = 4, .size = 4},
    SCALAR(kifu__r_field, optional, 1, .scalar = KIFU__U8),
};
static const kifu__table field_table = TABLE(kifu__r_field, "reflection.Field", field_fields);

static const kifu__field object_fields[] = {
    REFERENCE(kifu__r_object, name, KIFU__STRING, .required = true),
    REFERENCE(kifu__r_object, fields, KIFU__TABLE_VECTOR, .required = true, .table = &field_table),
    SCALAR(kifu__r_object, is_struct, 1, .scalar = KIFU__U8),
    SCALAR(kifu__r_object, minalign, 4, .scalar = KIFU__I32),
    UNUSED(4), // its size: only the low 32 bits
    REFERENCE(kifu__r_object, attributes, KIFU__TABLE_VECTOR, .table = &pair_table),
};
static const kifu__table object_table = TABLE(kifu__r_object, "reflection.Object", object_fields);

static const kifu__field schema_fields[] = {
    REFERENCE(kifu__r_schema, objects, KIFU__TABLE_VECTOR, .required = true, .table = &object_table),
    REFERENCE(kifu__r_schema, enums, KIFU__TABLE_VECTOR, .required = true, .table = &enum_table),
};
static const kifu__table schema_table = TABLE(kifu__r_schema, "reflection.Schema", schema_fields);

kifu_result kifu__reflect(const void *bfbs, uint32_t size, kifu__blob *room, const kifu__r_schema **schema,
                          kifu_error *error)
{
    const kifu__buffer buffer = {.bytes = (const unsigned char *)bfbs, .size = size};
    uint32_t position;
    bool castable = true;
    kifu_result result = kifu__verify_root(&buffer, &schema_table, &position, &castable);
    if (!result)
        result = kifu__convert_table(&buffer, &schema_table, position, room);
    if (result == KIFU_DAMAGED)
        return kifu__error(error, result,
                           "the schema is no .bfbs, or is damaged: give the one that kifu_add_game makes (see its "
                           "KIFU_SCHEMA) with --schema FILE.bfbs; JSON may then lack \"schema\"");
    if (result)
        return kifu__error(error, result, "%s while the schema was read", kifu_result_text(result));
    *schema = (const kifu__r_schema *)(const void *)room->bytes;
    return KIFU_OK;
}

const char *kifu__r_attribute(const kifu_ref *attributes, const char *name)
{
    for (uint32_t i = 0; i < kifu__length(attributes); i++) {
        const kifu__r_pair *pair = (const kifu__r_pair *)kifu__r_at(attributes, i);
        if (!strcmp(kifu__r_text(&pair->key), name))
            return pair->value.offset ? kifu__r_text(&pair->value) : "";
    }
    return NULL;
}
