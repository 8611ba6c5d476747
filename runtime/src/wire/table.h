/// Tables by their description: sealing, verifying, converting. Everything here works on any table that a `kifu__table`
/// describes, events and save headers alike.
#ifndef KIFU_SRC_TABLE_H
#define KIFU_SRC_TABLE_H

#include <kifu/detail/rules.h>

#include "base/memory.h"
#include "wire/builder.h"
#include "wire/segment.h"

typedef struct kifu__blob kifu__blob;
typedef struct kifu__upcaster kifu__upcaster;

/// Turns the event in `blob`, number `index` of its segment, into what it has become, where it is superseded or times
/// an event that is: `*type`, `*player` and the blob are those of another one then. KIFU_NO_MEMORY, without a message;
/// KIFU_FAILED, KIFU_DIVERGED.
typedef kifu_result kifu__upcast(kifu__upcaster *upcaster, uint32_t index, uint32_t *type, int8_t *player,
                                 kifu__blob *blob);

/// A FlatBuffer that is read from a file, and where to say what is wrong with it.
typedef struct kifu__buffer {
    const unsigned char *bytes; ///< 8-aligned.
    uint32_t size;
    uint64_t offset;          ///< Of `bytes` in the file, for messages.
    kifu_error *error;        ///< May be NULL.
    kifu__upcast *upcast;     ///< What makes new events of superseded ones; NULL: they stay what they are.
    kifu__upcaster *upcaster; ///< Given to it.
    uint32_t *newer; ///< Counts the tables with fields of a newer version, which are not converted. May be NULL.
} kifu__buffer;

// --- Sealing (seal.c) ------------------------------------------------------------------------------------------------

/// Whether sealing this blob needs nothing but the compiled vtable of its table: no stored field is absent, and no
/// table nested in it.
bool kifu__is_whole(const kifu__table *table, const void *blob);

/// Bytes that sealing this blob may need behind it, for variant vtables. 0 for a flat table.
uint32_t kifu__seal_room(const kifu__table *table, const void *blob);

/// Sets the `vtable_` of the table at `blob` and of every table nested in it: to the compiled vtable in the block at
/// `block` (a copy of `vtables`), or to a variant appended at `*end`, which moves past it. `blob`, `block` and `*end`
/// lie in one FlatBuffer.
void kifu__seal(const uint16_t *vtables, const kifu__table *table, unsigned char *blob, const unsigned char *block,
                unsigned char **end);

/// Whether a proposal may be sealed: enum values and bools in range, required fields there, strings UTF-8 (unless
/// `any_text`, for what old saves have), nested tables included. KIFU_INVALID_EVENT names the field.
kifu_result kifu__check_bytes(const kifu__table *table, const void *blob, bool any_text, kifu_error *error);

static inline kifu_result kifu__check_proposal(const kifu__table *table, const void *blob, kifu_error *error)
{
    return kifu__check_bytes(table, blob, false, error);
}

// --- Verifying (verify.c) --------------------------------------------------------------------------------------------

/// Verifies the buffer's root table and everything it leads to, as the official verifier does and beyond it: no zero
/// offsets, enum values and bools in range, required fields there. `*castable` is cleared (never set) when its inline
/// layout, or that of a nested table, is not the compiled one, so that it must be converted.
kifu_result kifu__verify_root(const kifu__buffer *buffer, const kifu__table *table, uint32_t *position, bool *castable);

/// Verifies a segment: head, marks, every event. Fills `segment` (borrowed, its `first` from `first_event`; `slots`,
/// `vtables` and `capacity` 0). `pending`: marks may say consequence, and causes lie before
/// `first_event`. KIFU_DAMAGED, KIFU_TOO_LARGE or KIFU_UNKNOWN_EVENT, with the offset in the file; an unknown type is
/// named as `kifu__event_name` finds it in `schema`, the .bfbs of the save (`schema_size` 0: none).
kifu_result kifu__verify_segment(const kifu__buffer *buffer, const kifu_rules *rules, uint32_t first_event,
                                 bool pending, const unsigned char *schema, uint32_t schema_size,
                                 kifu__segment *segment, bool *castable);

/// Name of union member `type` in a .bfbs, copied into `name`; false when the .bfbs is broken or has none.
bool kifu__event_name(const unsigned char *schema, uint32_t schema_size, const char *union_name, uint32_t type,
                      char *name, size_t name_size);

// --- Converting (convert.c) ------------------------------------------------------------------------------------------

/// Rebuilds a verified table of any layout in the compiled one: fields by id, defaults for those it lacks. It is all
/// that is in `blob` then. KIFU_NO_MEMORY, KIFU_TOO_LARGE (shared children blown up beyond 64 times the buffer plus
/// 4 KiB).
kifu_result kifu__convert_table(const kifu__buffer *buffer, const kifu__table *table, uint32_t position,
                                kifu__blob *blob);

/// Verifies a buffer's root table. `*fields` is its struct: in place, or, of another layout, rebuilt in `room`, whose
/// bytes the caller frees in any case.
kifu_result kifu__payload_read(const kifu__buffer *buffer, const kifu__table *table, kifu__blob *room,
                               const void **fields);

/// One event of a verified segment as a blob, in `blob` from its beginning. KIFU_NO_MEMORY, KIFU_TOO_LARGE.
kifu_result kifu__blob_of(const kifu_rules *rules, const kifu__segment *segment, uint32_t slot, kifu__blob *blob);

/// Rebuilds a verified segment of any layout as an owned one. Results as `kifu__convert_table`, without a message; with
/// an upcaster also those of `kifu__upcast`.
kifu_result kifu__convert_segment(const kifu__buffer *buffer, const kifu_rules *rules, const kifu__segment *from,
                                  const kifu__memory *memory, kifu__segment *segment);

/// Adds the events of such a segment from `slot` on to a new one, which has their number of slots, up to `most` bytes.
/// The limit of kifu__convert_table is one for all of them, or, unless `limited`, for each; these are as the game reads
/// them. After a failure, the new segment is freed.
kifu_result kifu__add_events(const kifu__buffer *buffer, const kifu_rules *rules, const kifu__segment *from,
                             uint32_t slot, bool limited, uint64_t most, const kifu__memory *memory,
                             kifu__segment *segment);

#endif
