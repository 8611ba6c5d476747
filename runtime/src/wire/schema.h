/// A game's schema in binary (.bfbs), out of a save: which event a type is, and how structs lie in memory.
/// It is as little trusted as any other part of a save.
///
/// It says which layout the state of its save has, so a new event does not end the comparison of hashes. Enums count,
/// too: where a number has another name, the state is another one. The fingerprint has no such names, and decides only
/// if the save has the same schema or none. A .bfbs has only the low 16 bits of an offset, so offsets are computed:
/// FlatBuffers places the fields of a struct in the order of their ids, each where its alignment allows.
#ifndef KIFU_SRC_SCHEMA_H
#define KIFU_SRC_SCHEMA_H

#include "wire/table.h"

/// A verified .bfbs.
typedef struct kifu__schema {
    const unsigned char *bytes;
    uint32_t root;
} kifu__schema;

/// A field of a struct.
typedef struct kifu__schema_field {
    const char *name;
    uint32_t offset;
    uint32_t size;      ///< Of one element.
    uint32_t count;     ///< Of elements of a fixed array; 0: it is none.
    uint8_t scalar;     ///< A kifu__scalar, of an enum the one under it; unused for a struct.
    uint32_t structure; ///< Of a struct, as `kifu__schema_struct` returns it; else 0.
    uint32_t values;    ///< Of an enum, where that is; else 0.
} kifu__schema_field;

/// False when the .bfbs is broken.
bool kifu__schema_open(kifu__schema *schema, const unsigned char *bytes, uint32_t size);

/// The struct "nim.State"; 0: there is none.
uint32_t kifu__schema_struct(const kifu__schema *schema, const char *name);

/// Its bytes, and how many fields it has.
uint32_t kifu__schema_size(const kifu__schema *schema, uint32_t structure);
uint32_t kifu__schema_field_count(const kifu__schema *schema, uint32_t structure);

/// Where a field ends.
static inline uint64_t kifu__schema_end_of(const kifu__schema_field *field)
{
    return field->offset + (uint64_t)field->size * (field->count ? field->count : 1);
}

/// The field with this id: the first declared is 0. `field` is the one before it, since a field begins where that ends.
/// False when there is none that lies inside the struct.
bool kifu__schema_next_field(const kifu__schema *schema, uint32_t structure, uint32_t id, kifu__schema_field *field);

/// Whether each value of an enum of the schema has the same name in the compiled one, which may have more.
bool kifu__schema_fits_enum(const kifu__schema *schema, uint32_t values, const kifu__enum *compiled);

/// The name of a value of an enum; NULL: it has none.
const char *kifu__schema_label(const kifu__schema *schema, uint32_t values, uint64_t value);

// --- The state (schema_state.c) --------------------------------------------------------------------------------------

/// Whether the struct of the schema has the same fields as the compiled one, at the same places, with enums that fit.
bool kifu__schema_has_layout(const kifu__schema *schema, uint32_t structure, const kifu__struct *compiled);

/// The member of a struct by its name. NULL: there is none.
const kifu__member *kifu__find_member(const kifu__struct *compiled, const char *name);

/// Copies the fields of `from`, which is as the schema has the struct, to those of the same names in `to`, which is as
/// it was compiled. A field that is a number in both is copied where the type has room for its value; one that is of
/// another kind, or of an enum that does not fit, is left as it is.
void kifu__schema_bring(const kifu__schema *schema, uint32_t structure, const unsigned char *from,
                        const kifu__struct *compiled, unsigned char *to);

#endif
