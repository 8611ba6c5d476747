/// Building a FlatBuffers table with what it leads to: a proposal, an event of another layout, the payload of a frame.
/// Parents come before their children, and all of it lies in one growing block.
///
/// It remembers the first failure. A proposal is built in the bytes of the queue in which it will wait, so nothing is
/// copied when it is complete.
#ifndef KIFU_SRC_BUILDER_H
#define KIFU_SRC_BUILDER_H

#include <kifu/detail/rules.h>

#include "base/memory.h"

typedef struct kifu__blob {
    const kifu__memory *memory;
    unsigned char *bytes; ///< 8-aligned; NULL at first.
    uint32_t size;
    uint32_t capacity;
    uint32_t start;     ///< Where the table is in `bytes`. All positions and references here count from there.
    uint32_t link;      ///< Bytes that are left free behind the offset of the root table: a multiple of 4.
    kifu_result result; ///< The first failure, KIFU_NO_MEMORY or KIFU_TOO_LARGE. Nothing is added after one.
} kifu__blob;

/// The most bytes of a table with what it leads to; kifu__log_append has the same limit.
#define KIFU__MOST_BUILT (UINT32_C(1) << 30)

/// Empties it and keeps its memory.
static inline void kifu__build_anew(kifu__blob *blob, const kifu__memory *memory)
{
    blob->memory = memory;
    blob->size = blob->start = 0;
    blob->result = KIFU_OK;
}

static inline void *kifu__built(const kifu__blob *blob, uint32_t position)
{
    return blob->bytes + blob->start + position;
}

/// Adds `size` bytes (NULL: zeros), the first at a multiple of `align` that is at least `lead` bytes behind what is
/// there; between are zeros. Returns their position, or 0 after a failure.
uint32_t kifu__build(kifu__blob *blob, uint32_t lead, const void *bytes, uint64_t size, uint32_t align);

/// Adds a vector: its length `count`, then `size` bytes of elements (NULL: zeros). The reference at `ref` leads to it.
/// Returns the position of the first element, or 0 after a failure.
uint32_t kifu__build_vector(kifu__blob *blob, uint32_t ref, const void *elements, uint32_t count, uint64_t size,
                            uint32_t align);

/// Adds a string; NULL leaves the reference absent.
void kifu__build_string(kifu__blob *blob, uint32_t ref, const char *text);

/// Adds a table, of which `fields` is the inline part (NULL: zeros). Returns its position, or 0 after a failure.
uint32_t kifu__build_table(kifu__blob *blob, uint32_t ref, const void *fields, uint32_t size, uint32_t align);

// --- FlatBuffers that stand for themselves ---------------------------------------------------------------------------

/// Begins one in an empty blob, with `size` bytes of which the first are the table's struct. `rules`: the game whose
/// table it is; NULL: the table leads to no other.
void kifu__build_root(kifu__blob *blob, const kifu_rules *rules, const kifu__table *table, const void *fields,
                      uint32_t size);

/// Ends it; both as they were given to `kifu__build_root`.
kifu_result kifu__build_end(kifu__blob *blob, const kifu_rules *rules, const kifu__table *table);

/// The same of a table of no game that leads to no other and has at most 16 fields, in as few bytes as it needs: the
/// references that are 0 in `fields` are absent; those that will lead somewhere must not be 0. Nothing has to end it.
void kifu__build_short(kifu__blob *blob, const kifu__table *table, const void *fields);

#endif
