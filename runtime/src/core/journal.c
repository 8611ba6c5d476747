#include "core/journal.h"

void kifu__journal_free(kifu__journal *journal, const kifu__memory *memory)
{
    kifu__free(memory, journal->entries);
    kifu__free(memory, journal->starts);
}

void kifu__journal_clear(kifu__journal *journal, kifu__core *core, uint32_t first_event)
{
    journal->start_count = 0;
    journal->first_event = first_event;
    journal->lost = 0;
    core->journal = journal->entries;
    core->undone = core->unclear = 0;
    kifu__journal_close(core);
}

uint32_t kifu__journal_left(const kifu__journal *journal, const kifu__core *core, uint32_t input)
{
    const uint32_t index = input - journal->first_event, used = kifu__journal_used(journal, core);
    const uint32_t made = index < journal->start_count ? used - journal->starts[index] : used + journal->lost;
    return made < journal->most_edits ? journal->most_edits - made : 0;
}

// Forgets the older half of the events, as far as may be. What is left moves to the front: once in a thousand events,
// so that an edit needs no more than a pointer.
static void drop_older_half(kifu__journal *journal, kifu__core *core, uint32_t input)
{
    uint32_t drop = journal->start_count / 2;
    if (journal->keep_from < journal->first_event + drop)
        drop = journal->keep_from > journal->first_event ? journal->keep_from - journal->first_event : 0;
    const uint32_t left = kifu__journal_left(journal, core, input);
    kifu__journal_drop(journal, core, drop);
    journal->lost = 0;
    journal->lost = kifu__journal_left(journal, core, input) - left;
}

void kifu__journal_drop(kifu__journal *journal, kifu__core *core, uint32_t drop)
{
    if (!drop)
        return;
    const uint32_t all = journal->start_count;
    const uint32_t from = drop < all ? journal->starts[drop] : kifu__journal_used(journal, core);
    size_t left = (size_t)(core->journal - journal->entries) - from;
    memmove(journal->entries, journal->entries + from, left * sizeof *journal->entries);
    core->journal = core->journal_end = journal->entries + left;
    journal->start_count -= drop;
    journal->first_event += drop;
    uint32_t *starts = journal->starts;
    const uint32_t *kept = starts + drop;
    for (uint32_t count = journal->start_count; count; count--)
        *starts++ = *kept++ - from;
}

bool kifu__journal_open_anew(kifu__journal *journal, kifu__core *core, const kifu__memory *memory, uint32_t input)
{
    const uint32_t most = KIFU__JOURNAL_MOST_EVENTS;
    if (journal->start_count >= most || kifu__journal_used(journal, core) >= KIFU__JOURNAL_MOST_ENTRIES)
        drop_older_half(journal, core, input);
    if (!kifu__journal_reserve(journal, memory, 1))
        return false;
    // What may not be dropped yet is asked about at each event.
    journal->start_room = journal->start_capacity < most ? journal->start_capacity : most;
    kifu__journal_begin(journal, core);
    if (kifu__journal_grow(journal, core, memory, kifu__journal_left(journal, core, input)))
        return true;
    journal->start_count--;
    kifu__journal_close(core);
    return false;
}

bool kifu__journal_reserve(kifu__journal *journal, const kifu__memory *memory, uint32_t count)
{
    const uint64_t needed = (uint64_t)journal->start_count + count;
    if (needed <= journal->start_capacity)
        return true;
    uint32_t *starts =
        (uint32_t *)kifu__grow(memory, journal->starts, &journal->start_capacity, needed, sizeof *starts);
    if (starts)
        journal->starts = starts;
    return starts != NULL;
}

void kifu__journal_close(kifu__core *core)
{
    core->journal_end = core->journal;
    core->unkept = NULL;
}

bool kifu__journal_grow(kifu__journal *journal, kifu__core *core, const kifu__memory *memory, uint32_t left)
{
    const uint32_t most = KIFU__JOURNAL_MOST_ENTRIES, used = kifu__journal_used(journal, core);
    if (used >= journal->capacity) {
        kifu__journal_entry *entries = (kifu__journal_entry *)kifu__grow(memory, journal->entries, &journal->capacity,
                                                                         (uint64_t)used + 1, sizeof *entries);
        if (!entries)
            return false;
        journal->entries = core->journal_entries = entries;
        core->slow |= 1; // Tries that have pointers into it look again.
        core->journal_room = entries + journal->capacity;
        core->journal = entries + used;
    }
    const uint32_t room = journal->capacity - used, end = used + (left < room ? left : room);
    core->journal_end = journal->entries + end;
    journal->full = journal->entries + (end < most ? end : most); // The next event looks at the limit there, too.
    return true;
}

// Undoes the entries from the last one down to `start`.
static void undo_entries(kifu__core *core, kifu__journal_entry *start)
{
    for (kifu__journal_entry *entry = core->journal; entry > start;) {
        entry--;
        memcpy(core->state + entry->offset, &entry->old, sizeof entry->old);
    }
    core->journal = start;
}

void kifu__journal_restore(kifu__journal *journal, kifu__core *core, uint32_t event)
{
    uint32_t kept = event - journal->first_event;
    if (kept >= journal->start_count)
        return;
    undo_entries(core, journal->entries + journal->starts[kept]);
    kifu__journal_close(core);
    journal->start_count = kept;
    core->undone = event < core->undone ? event : core->undone;
    core->unclear = event < core->unclear ? event : core->unclear;
}

void kifu__journal_cut(kifu__journal *journal, kifu__core *core, uint32_t used)
{
    undo_entries(core, journal->entries + used);
    kifu__state_unclear(core);
}

void kifu__journal_take_back(const kifu__journal *journal, const kifu__core *core, uint32_t event, unsigned char *state)
{
    const kifu__journal_entry *start = kifu__journal_start(journal, core, event);
    for (const kifu__journal_entry *entry = kifu__journal_start(journal, core, event + 1); entry > start;) {
        entry--;
        memcpy(state + entry->offset, &entry->old, sizeof entry->old);
    }
}

void kifu__journal_look_back(const kifu__journal *journal, const kifu__core *core, uint32_t event, uint32_t offset,
                             uint32_t size, unsigned char *bytes)
{
    const kifu__journal_entry *start = kifu__journal_start(journal, core, event);
    for (const kifu__journal_entry *entry = core->journal; entry > start;) {
        entry--;
        uint32_t first = entry->offset > offset ? entry->offset : offset;
        uint32_t end = entry->offset + 8 < offset + size ? entry->offset + 8 : offset + size;
        if (first < end)
            memcpy(bytes + (first - offset), (const unsigned char *)&entry->old + (first - entry->offset), end - first);
    }
}
