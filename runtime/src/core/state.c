// The part of editing that is not inlined: windows of any size, a full journal, and misuse.

#include "core/timeline.h"

void *kifu__edit_slow(kifu_timeline *timeline, void *place)
{
    if (timeline->core.phase != KIFU__DOING && timeline->core.phase != KIFU__REPLAYING) {
        const char *where = timeline->core.phase == KIFU__REACTING  ? "in a reaction"
                            : timeline->core.phase == KIFU__SHOWING ? "in a view function"
                                                                    : "outside of a Do function";
        const uint32_t offset = (uint32_t)((unsigned char *)place - timeline->core.state);
        const bool draws = offset < sizeof(kifu_rng); // No edit function leads there.
        kifu__fault(timeline, KIFU_MISUSE, "%s %s: submit an event and do that in its Do function; nothing was changed",
                    draws ? "a random number was drawn" : "the state was edited", where);
        return timeline->scratch;
    }
    // What is in the log has happened, with whatever limit that was.
    const uint32_t left = timeline->core.phase == KIFU__REPLAYING
                              ? UINT32_MAX
                              : kifu__journal_left(&timeline->journal, &timeline->core, timeline->running.input_first);
    if (left && kifu__journal_grow(&timeline->journal, &timeline->core, &timeline->memory, left))
        return kifu__edit_word(timeline, place);
    kifu__fault(timeline, left ? KIFU_NO_MEMORY : KIFU_RUNAWAY, left ? "out of memory for undo" : "the last edit");
    return timeline->scratch;
}

static KIFU__CALLED void *edit_windows_slowly(kifu_timeline *timeline, uint32_t offset, uint32_t size)
{
    kifu__core *core = &timeline->core;
    const uint32_t end = offset + size;
    uint32_t window = offset & ~UINT32_C(7);
    for (; window < end && !core->unkept; window += 8) {
        kifu__journal_entry *entry = core->journal;
        if (entry == core->journal_end) {
            if (kifu__edit_slow(timeline, core->state + window) == timeline->scratch)
                return timeline->scratch;
            continue;
        }
        core->journal = entry + 1;
        entry->offset = window;
        memcpy(&entry->old, core->state + window, 8);
    }
    return core->state + offset;
}

// Where the journal has room for all of them, as it has for most edits, it is asked once.
void *kifu__edit_windows(kifu_timeline *timeline, uint32_t offset, uint32_t size)
{
    kifu__core *core = &timeline->core;
    unsigned char *state = core->state;
    kifu__journal_entry *entry = core->journal;
    size_t window = offset & ~UINT32_C(7);
    const size_t count = (offset + size - window + 7) / 8;
    if (!KIFU__QUICK || (size_t)(core->journal_end - entry) < count)
        return edit_windows_slowly(timeline, offset, size);
    for (const kifu__journal_entry *end = entry + count; entry < end; window += 8, entry++) {
        entry->offset = (uint32_t)window;
        memcpy(&entry->old, state + window, 8);
    }
    core->journal = entry;
    return state + offset;
}

void *kifu__edit_bytes(kifu_timeline *timeline, uint32_t offset, uint32_t size)
{
    if (offset < sizeof(kifu_rng))
        kifu__open_rng(timeline);
    if (timeline->free_slots)
        timeline->free_slots->table->edited(timeline, timeline->free_slots, offset, size);
    else
        kifu__state_unclear(&timeline->core);
    return kifu__edit_windows(timeline, offset, size);
}

void *kifu__edit_at(kifu_timeline *timeline, const void *place, size_t size)
{
    // As numbers, because a pointer to elsewhere must not be compared with one into the state.
    const uintptr_t offset = (uintptr_t)place - (uintptr_t)timeline->core.state;
    if (offset < timeline->rules->state_size && size <= timeline->rules->state_size - offset)
        return kifu__edit_bytes(timeline, (uint32_t)offset, (uint32_t)size);
    kifu__fault(timeline, KIFU_MISUSE,
                "an edit got a place outside of the state: pass a pointer into the state that Do gets, and no copy; "
                "nothing was changed");
    return timeline->scratch;
}

uint32_t kifu__out_of_range(kifu_timeline *timeline, const char *field, uint32_t index, uint32_t count)
{
    kifu__fault(timeline, KIFU_MISUSE, "%s[%u] was edited, but %s has %u elements; nothing was changed", field,
                (unsigned)index, field, (unsigned)count);
    return 0;
}

const void *kifu_state(const kifu_timeline *timeline)
{
    return timeline->core.state;
}

// The state begins with a kifu.Game, which begins with a ulong: its size is a multiple of 8.
uint64_t kifu__hash_state(const unsigned char *state, uint32_t size)
{
    uint64_t hash = 0;
    for (uint32_t offset = 0; offset < size; offset += 8) {
        uint64_t word;
        memcpy(&word, state + offset, 8);
        hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    return hash;
}

uint64_t kifu_state_hash(const kifu_timeline *timeline)
{
    return kifu__hash_state(timeline->core.state, timeline->rules->state_size);
}
