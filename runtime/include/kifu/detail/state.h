/// The state, and how it changes: generated edit functions journal the old bytes and return a pointer to the new ones.
///
/// The inline part is here so that an edit compiles to a few instructions.
#ifndef KIFU_DETAIL_STATE_H
#define KIFU_DETAIL_STATE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../event.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Says that a condition is seldom true: clang then saves a jump in each edit, and in each try.
#if defined(__GNUC__)
#define KIFU__COLD_TRUE(condition) __builtin_expect((condition) != 0, 0)
#else
#define KIFU__COLD_TRUE(condition) ((condition) != 0)
#endif

/// At the end of a case of a switch: that the next one follows is meant, which compilers may warn of.
#if defined(__GNUC__) && (__GNUC__ >= 7 || defined(__clang__))
#define KIFU__FALLTHROUGH __attribute__((fallthrough))
#else
#define KIFU__FALLTHROUGH ((void)0)
#endif

/// Eight bytes of the state as they were before an edit.
typedef struct kifu__journal_entry {
    uint64_t old;
    uint32_t offset; ///< In the state, a multiple of 8.
    uint32_t unused;
} kifu__journal_entry;

/// What the timeline is doing. It decides which calls are allowed.
typedef enum kifu__phase {
    KIFU__IDLE,
    KIFU__CHECKING,
    KIFU__DOING,     ///< A live Do: may edit and submit.
    KIFU__REACTING,  ///< May submit.
    KIFU__TELLING,   ///< A follower: may submit inputs.
    KIFU__SHOWING,   ///< Act and the other view functions: may look.
    KIFU__REPLAYING, ///< A replayed Do: may edit; what it submits is in the log already.
    KIFU__TRYING,    ///< Nothing runs, but a try is open: may look, try and take back.
    KIFU__LISTING    ///< A function that lists moves: what it submits is a candidate.
} kifu__phase;

/// The first member of a timeline: what generated code can see of it.
typedef struct kifu__core {
    unsigned char *state;
    kifu__journal_entry *journal;     ///< The next entry goes here.
    kifu__journal_entry *journal_end; ///< Equal to `journal` if the journal is full, and if edits are not allowed.
    kifu__phase phase;
    uint32_t slow;  ///< A bit for each reason for which an input cannot be played directly (play.c). Bit 0: something
                    ///< has changed, so look again.
    uint32_t event; ///< Number of the event that runs, but for a short try: see `kifu__event`.
    int player;     ///< Of the event in a check, Do, reaction or Act.
    uint32_t tries; ///< How many tries are open, but for short ones.
    // For the free slots of pools (free_slots.c):
    uint32_t undone;  ///< Events from this number on were undone since; 0: the state is another one.
    uint32_t unclear; ///< The last event that may have changed slots by an edit, plus 1.

    /// In a replay without a journal: the end of the offsets of the events that it executes. Then an edit only returns
    /// a pointer, and the journal is full. A Do that opens a transaction ends that. NULL: edits are journaled.
    const uint32_t *unkept;

    // For short tries (search.h):
    kifu__journal_entry *journal_entries; ///< The first entry.
    kifu__journal_entry *journal_room;    ///< Behind the last one that there is memory for.
    struct kifu__short *shorts;           ///< The first of those that are open.
    struct kifu__short *inner_short;      ///< The first that is inside another try.
    struct kifu__short *next_short;       ///< Where the next one goes.
    struct kifu__short *last_short;       ///< Behind the last one that there is memory for.
} kifu__core;

/// How many events are executed: this number lies behind the core.
static inline uint32_t *kifu__executed(kifu__core *core)
{
    return (uint32_t *)(core + 1);
}

/// Number of the event that runs. In a live Do it is as many as are executed, so that a short try need not write it.
static inline uint32_t kifu__event(const kifu__core *core)
{
    return core->phase == KIFU__DOING ? *(const uint32_t *)(core + 1) : core->event;
}

/// Grows the journal for `kifu__edit_word`. If edits are not allowed here, it reports misuse and returns a scratch
/// buffer as large as the state.
void *kifu__edit_slow(kifu_timeline *timeline, void *place);

/// Journals `size` bytes at `offset` of the state, of any size and alignment, and returns a pointer to them.
void *kifu__edit_bytes(kifu_timeline *timeline, uint32_t offset, uint32_t size);

/// The state: what is to be edited is in it.
static inline void *kifu__state(const kifu_timeline *timeline)
{
    return ((const kifu__core *)timeline)->state;
}

/// Journals what lies in one window, such as a naturally aligned scalar, at a place in the state, and returns a pointer
/// to it.
static inline void *kifu__edit_word(kifu_timeline *timeline, void *place)
{
    kifu__core *core = (kifu__core *)timeline;
    const uint32_t window = (uint32_t)((unsigned char *)place - core->state) & ~UINT32_C(7);
    kifu__journal_entry *entry = core->journal;
    if (KIFU__COLD_TRUE(entry == core->journal_end))
        return core->unkept ? place : kifu__edit_slow(timeline, place);
    core->journal = entry + 1;
    entry->offset = window;
    memcpy(&entry->old, core->state + window, 8);
    return place;
}

/// The same at an offset.
static inline void *kifu__edit_scalar(kifu_timeline *timeline, uint32_t offset)
{
    return kifu__edit_word(timeline, (unsigned char *)kifu__state(timeline) + offset);
}

/// Opens `size` bytes of the state.
static inline void *kifu__edit(kifu_timeline *timeline, const void *place, size_t size)
{
    const unsigned char *state = ((const kifu__core *)timeline)->state;
    return kifu__edit_bytes(timeline, (uint32_t)((const unsigned char *)place - state), (uint32_t)size);
}

/// Opens `size` bytes at a place that the game chose. If they are not in the state, it reports misuse.
void *kifu__edit_at(kifu_timeline *timeline, const void *place, size_t size);

/// Reports misuse that names `field`, so that the Do fails and is taken back; returns 0.
uint32_t kifu__out_of_range(kifu_timeline *timeline, const char *field, uint32_t index, uint32_t count);

/// `index`, if an array has so many elements. Otherwise it is misuse, and the result is 0.
static inline uint32_t kifu__index(kifu_timeline *timeline, const char *field, uint32_t index, uint32_t count)
{
    return index < count ? index : kifu__out_of_range(timeline, field, index, count);
}

#ifdef __cplusplus
}
#endif

#endif
