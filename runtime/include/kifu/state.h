/// The state, and how it changes: generated edit functions journal the old bytes and return a pointer to the new ones.
///
/// The inline part is here so that an edit compiles to a few instructions. Only generated code uses this file.
#ifndef KIFU_STATE_H
#define KIFU_STATE_H

#include <stdint.h>
#include <string.h>

#include "event.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Eight bytes of the state as they were before an edit.
typedef struct kifu__journal_entry {
    uint64_t old;
    uint32_t offset; ///< In the state, a multiple of 8.
    uint32_t unused;
} kifu__journal_entry;

/// The first member of a timeline: what generated code can see of it.
typedef struct kifu__core {
    unsigned char *state;
    kifu__journal_entry *journal;     ///< The next entry goes here.
    kifu__journal_entry *journal_end; ///< Equal to `journal` if the journal is full, and if edits are not allowed.
    uint32_t journal_last;            ///< Where the last entry's window ends, while its event runs; 0: no entry yet.
    uint32_t unkept;                  ///< 1 in a replay without a journal: an edit only returns a pointer.
    uint32_t event;                   ///< Number of the event that Do is executing.
} kifu__core;

/// Grows the journal. If edits are not allowed here, it reports misuse and returns a scratch buffer as large as the
/// state.
void *kifu__edit_slow(kifu_timeline *timeline, uint32_t offset, uint32_t size);

/// For an index out of range: reports misuse that names `field`, and returns a scratch buffer as large as the state.
void *kifu__edit_out_of_range(kifu_timeline *timeline, const char *field, uint32_t index, uint32_t count);

/// Journals `size` bytes at `offset` of the state, of any size and alignment, and returns a pointer to them.
void *kifu__edit_bytes(kifu_timeline *timeline, uint32_t offset, uint32_t size);

/// The same for a naturally aligned scalar: it lies in one window of eight bytes.
static inline void *kifu__edit_scalar(kifu_timeline *timeline, uint32_t offset, uint32_t size)
{
    kifu__core *core = (kifu__core *)timeline;
    if (core->unkept)
        return core->state + offset;
    const uint32_t last = offset | 7; // byte of the window
    if (last == core->journal_last)   // the journal has these bytes already
        return core->state + offset;
    kifu__journal_entry *entry = core->journal;
    if (entry == core->journal_end)
        return kifu__edit_slow(timeline, offset, size);
    core->journal = entry + 1;
    core->journal_last = last;
    entry->offset = last - 7;
    memcpy(&entry->old, core->state + entry->offset, 8);
    return core->state + offset;
}

#ifdef __cplusplus
}
#endif

#endif
