#include "journal.h"

void kifu__journal_free(kifu__journal *journal, const kifu__memory *memory)
{
    kifu__free(memory, journal->entries);
    kifu__free(memory, journal->starts);
}

void kifu__journal_clear(kifu__journal *journal, kifu__core *core, uint32_t first_event)
{
    journal->start_count = 0;
    journal->first_event = first_event;
    core->journal = journal->entries;
    kifu__journal_close(core);
}

static bool make_room(kifu__journal *journal, kifu__core *core, const kifu__memory *memory, uint64_t needed)
{
    size_t used = journal->entries ? (size_t)(core->journal - journal->entries) : 0;
    kifu__journal_entry *entries =
        (kifu__journal_entry *)kifu__grow(memory, journal->entries, &journal->capacity, needed, sizeof *entries);
    if (!entries)
        return false;
    journal->entries = entries;
    core->journal = entries + used;
    return true;
}

bool kifu__journal_open(kifu__journal *journal, kifu__core *core, const kifu__memory *memory)
{
    uint32_t used = journal->entries ? (uint32_t)(core->journal - journal->entries) : 0;
    if (journal->start_count >= journal->start_capacity) {
        uint32_t *starts = (uint32_t *)kifu__grow(memory, journal->starts, &journal->start_capacity,
                                                  (uint64_t)journal->start_count + 1, sizeof *starts);
        if (!starts)
            return false;
        journal->starts = starts;
    }
    // Last, because entries that move leave `journal_end` behind.
    if (used >= journal->capacity && !make_room(journal, core, memory, (uint64_t)used + 1))
        return false;
    journal->starts[journal->start_count++] = used;
    core->journal_end = journal->entries + journal->capacity;
    return true;
}

void kifu__journal_open_unkept(kifu__core *core)
{
    core->unkept = 1;
}

void kifu__journal_close(kifu__core *core)
{
    core->journal_end = core->journal;
    core->journal_last = 0;
    core->unkept = 0;
}

bool kifu__journal_grow(kifu__journal *journal, kifu__core *core, const kifu__memory *memory)
{
    if (!make_room(journal, core, memory, (uint64_t)journal->capacity + 1))
        return false;
    core->journal_end = journal->entries + journal->capacity;
    return true;
}

void kifu__journal_restore(kifu__journal *journal, kifu__core *core, uint32_t event)
{
    uint32_t kept = event - journal->first_event;
    if (kept >= journal->start_count)
        return;
    kifu__journal_entry *start = journal->entries + journal->starts[kept];
    for (kifu__journal_entry *entry = core->journal; entry > start;) {
        entry--;
        memcpy(core->state + entry->offset, &entry->old, sizeof entry->old);
    }
    core->journal = start;
    kifu__journal_close(core);
    journal->start_count = kept;
}
