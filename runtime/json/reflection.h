/// A game's schema in binary (.bfbs), as C structs: FlatBuffers' reflection.fbs, as far as tools need it.
#ifndef KIFU_JSON_REFLECTION_H
#define KIFU_JSON_REFLECTION_H

#include "wire/table.h"

/// `BaseType` of reflection.fbs.
enum {
    KIFU__BASE_UTYPE = 1,
    KIFU__BASE_BOOL = 2,
    KIFU__BASE_ULONG = 10,
    KIFU__BASE_FLOAT = 11,
    KIFU__BASE_DOUBLE = 12,
    KIFU__BASE_STRING = 13,
    KIFU__BASE_VECTOR = 14,
    KIFU__BASE_OBJECT = 15,
    KIFU__BASE_UNION = 16,
    KIFU__BASE_ARRAY = 17
};

typedef struct kifu__r_type {
    int32_t vtable_;
    int32_t index; ///< Of the object or enum; -1: none.
    uint16_t fixed_length;
    uint8_t base;
    uint8_t element;
} kifu__r_type;

typedef struct kifu__r_pair {
    int32_t vtable_;
    kifu_ref key;
    kifu_ref value;
} kifu__r_pair;

typedef struct kifu__r_value {
    int32_t vtable_;
    kifu_ref name;
    int64_t value;
    kifu_ref type; ///< Of a union's member.
    uint8_t padding_[4];
} kifu__r_value;

typedef struct kifu__r_enum {
    int32_t vtable_;
    kifu_ref name;
    kifu_ref values;
    kifu_ref underlying;
    kifu_ref attributes;
    uint8_t is_union;
    uint8_t padding_[3];
} kifu__r_enum;

typedef struct kifu__r_field {
    int32_t vtable_;
    kifu_ref name;
    kifu_ref type;
    kifu_ref attributes;
    int64_t default_integer;
    double default_real;
    uint16_t id;
    uint8_t deprecated;
    uint8_t required;
    uint8_t optional;
    uint8_t padding_[3];
} kifu__r_field;

typedef struct kifu__r_object {
    int32_t vtable_;
    kifu_ref name;
    kifu_ref fields;
    kifu_ref attributes;
    int32_t minalign;
    uint8_t is_struct;
    uint8_t padding_[3];
} kifu__r_object;

typedef struct kifu__r_schema {
    int32_t vtable_;
    kifu_ref objects;
    kifu_ref enums;
} kifu__r_schema;

/// Verifies a .bfbs, and reads it into `room`, whose memory the caller frees in any case; `*schema` lies in there.
/// KIFU_DAMAGED, KIFU_NO_MEMORY, KIFU_TOO_LARGE.
kifu_result kifu__reflect(const void *bfbs, uint32_t size, kifu__blob *room, const kifu__r_schema **schema,
                          kifu_error *error);

static inline const char *kifu__r_text(const kifu_ref *ref)
{
    return (const char *)kifu__elements(ref);
}

/// Element `index` of a vector of tables.
static inline const void *kifu__r_at(const kifu_ref *vector, uint32_t index)
{
    return kifu__follow((const kifu_ref *)kifu__elements(vector) + index);
}

/// The value of an attribute, "" if it has none; NULL: it is not there.
const char *kifu__r_attribute(const kifu_ref *attributes, const char *name);

#endif
