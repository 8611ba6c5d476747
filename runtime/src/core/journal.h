/// The journal: the old bytes of every edit, and where each event's edits begin. It is bounded: in a long game it has
/// only the last events.
///
/// It stores windows of eight bytes: an edit of a scalar stores one aligned window. So an edit needs no length and no
/// branch on a size, and undo copies the windows back in reverse order without looking at them. The price is up to 16
/// bytes for each edit.
///
/// An edit tests one thing: whether the journal has room. Where edits are not allowed, and in a replay without a
/// journal, it has none. An edit of a window that was edited just before journals it again: a comparison would cost
/// each other edit more.
///
/// It holds the last 1024 to 2048 events, and fewer if it has 65,536 entries. When it is full, the older half is
/// dropped and the rest moves to the front, once in about a thousand events: so an edit needs a pointer, and no
/// arithmetic of a ring buffer. It never drops what an open transaction may have to take back.
#ifndef KIFU_SRC_JOURNAL_H
#define KIFU_SRC_JOURNAL_H

#include <kifu/detail/state.h>

#include "base/memory.h"

/// How many events it reaches back at least, and at most; and how many entries it may have before it drops its older
/// half all the same.
enum { KIFU__JOURNAL_EVENTS = 1024, KIFU__JOURNAL_MOST_EVENTS = 2048, KIFU__JOURNAL_MOST_ENTRIES = 65536 };

typedef struct kifu__journal {
    kifu__journal_entry *entries;
    /// With so many, it drops some before the next event, or grows. An event that gets there looks at the limit of
    /// edits.
    kifu__journal_entry *full;
    uint32_t capacity;
    uint32_t most_edits; ///< Of one input: at least KIFU__JOURNAL_MOST_ENTRIES.
    uint32_t lost;       ///< Edits of the running input that were dropped.
    uint32_t *starts;    ///< For each journaled event: its first entry.
    uint32_t start_count;
    uint32_t start_capacity;
    uint32_t start_room;  ///< How many events fit before it has to grow or drop some.
    uint32_t first_event; ///< Number of the first journaled event.
    uint32_t keep_from;   ///< Events from this number on are not dropped: a transaction may take them back.
} kifu__journal;

void kifu__journal_free(kifu__journal *journal, const kifu__memory *memory);

/// Forgets everything: the next journaled event is number `first_event`.
void kifu__journal_clear(kifu__journal *journal, kifu__core *core, uint32_t first_event);

/// Opens the journal for the next event's edits where it does not fit as it is: with room for it, and without older
/// events where there are too many. `input`: number of the running input's own event. False without memory.
bool kifu__journal_open_anew(kifu__journal *journal, kifu__core *core, const kifu__memory *memory, uint32_t input);

/// The running event may change slots of pools otherwise than by spawning and despawning.
static inline void kifu__state_unclear(kifu__core *core)
{
    core->undone = 0;
    core->unclear = kifu__event(core) + 1;
}

/// How many entries it has, with those of the running event.
static inline uint32_t kifu__journal_used(const kifu__journal *journal, const kifu__core *core)
{
    return journal->entries ? (uint32_t)(core->journal - journal->entries) : 0;
}

/// Whether one more event fits as it is.
static inline bool kifu__journal_fits(const kifu__journal *journal, const kifu__core *core)
{
    return journal->start_count < journal->start_room && core->journal < journal->full;
}

/// Opens the journal, into which it fits, for the next event's edits.
static inline void kifu__journal_begin(kifu__journal *journal, kifu__core *core)
{
    journal->starts[journal->start_count++] = (uint32_t)(core->journal - journal->entries);
    core->journal_end = journal->full;
}

/// The same, with room for it made where there is none.
static inline bool kifu__journal_open(kifu__journal *journal, kifu__core *core, const kifu__memory *memory,
                                      uint32_t input)
{
    if (!kifu__journal_fits(journal, core))
        return kifu__journal_open_anew(journal, core, memory, input);
    kifu__journal_begin(journal, core);
    return true;
}

/// How many more edits the running input may make. Of a short try it may be too few: then the long way counts.
uint32_t kifu__journal_left(const kifu__journal *journal, const kifu__core *core, uint32_t input);

/// Forgets the first `drop` of its events.
void kifu__journal_drop(kifu__journal *journal, kifu__core *core, uint32_t drop);

/// Room for the starts of `count` more events. Forgets none. False without memory.
bool kifu__journal_reserve(kifu__journal *journal, const kifu__memory *memory, uint32_t count);

/// From now on edits are not allowed.
void kifu__journal_close(kifu__core *core);

/// Shows at least one more entry to the event that edits, and makes room where there is none; at most `left` of them.
/// False without memory.
bool kifu__journal_grow(kifu__journal *journal, kifu__core *core, const kifu__memory *memory, uint32_t left);

/// Whether the state can be taken back to what it was before event `event`.
static inline bool kifu__journal_reaches(const kifu__journal *journal, uint32_t event)
{
    return event >= journal->first_event && event - journal->first_event <= journal->start_count;
}

/// Where the edits of event `event` begin, which the journal must reach. Where they end the next event's begin, or
/// `core->journal` is.
static inline const kifu__journal_entry *kifu__journal_start(const kifu__journal *journal, const kifu__core *core,
                                                             uint32_t event)
{
    uint32_t index = event - journal->first_event;
    return index < journal->start_count ? journal->entries + journal->starts[index] : core->journal;
}

/// Whether one of these edits is of a window that has its bit in `heard`.
static inline bool kifu__is_heard(const uint64_t *heard, const kifu__journal_entry *from,
                                  const kifu__journal_entry *end)
{
    while (from < end && !(heard[from->offset / 512] >> from->offset / 8 % 64 & 1))
        from++;
    return from < end;
}

/// Takes the state back to what it was before event `event`, which the journal must reach.
void kifu__journal_restore(kifu__journal *journal, kifu__core *core, uint32_t event);

/// Turns `bytes`, the `size` bytes at `offset` of the state of now, into what they were before event `event`, which the
/// journal must reach.
void kifu__journal_look_back(const kifu__journal *journal, const kifu__core *core, uint32_t event, uint32_t offset,
                             uint32_t size, unsigned char *bytes);

/// Takes `state`, a copy of the state as it was after event `event`, back to before it. The journal must reach it.
void kifu__journal_take_back(const kifu__journal *journal, const kifu__core *core, uint32_t event,
                             unsigned char *state);

/// Takes the edits back that were made since there were `used` entries, of the running event.
void kifu__journal_cut(kifu__journal *journal, kifu__core *core, uint32_t used);

#endif
