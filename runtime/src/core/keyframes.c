// What is recorded along the log: keyframes and checkpoints.

#include "core/timeline.h"

// --- Keyframes -------------------------------------------------------------------------------------------------------

enum { DEFAULT_BUDGET = 1 << 20, LEAST_BY_DEFAULT = 8, LEAST_APART = 128, MOST_APART = 1 << 16 };

void kifu__keyframes_open(kifu__keyframes *keyframes, uint32_t state_size, size_t budget)
{
    size_t most = (budget ? budget : DEFAULT_BUDGET) / state_size;
    if (!budget && most < LEAST_BY_DEFAULT)
        most = LEAST_BY_DEFAULT;
    // Copy and hash take the time of half a byte for each event, however large the state, until it is 32 KiB.
    uint32_t interval = state_size < MOST_APART / 2 ? state_size * 2 : MOST_APART;
    if (interval < LEAST_APART)
        interval = LEAST_APART;
    *keyframes = (kifu__keyframes){
        .most = most > UINT32_MAX ? UINT32_MAX : (uint32_t)most,
        .interval = interval,
        .state_size = state_size,
    };
}

void kifu__keyframes_free(kifu__keyframes *keyframes, const kifu__memory *memory)
{
    for (uint32_t i = 0; i < keyframes->made; i++)
        kifu__free(memory, keyframes->items[i].state);
    kifu__free(memory, keyframes->items);
}

static void swap(kifu__keyframe *one, kifu__keyframe *other)
{
    const kifu__keyframe old = *one;
    *one = *other;
    *other = old;
}

// Where the gap that is left may be as wide as the `share`th part of its age, a keyframe goes: so they are denser
// towards the end. One pass from the last to the first.
static void thin_once(kifu__keyframes *keyframes, uint32_t share)
{
    kifu__keyframe *items = keyframes->items;
    uint32_t end = items[keyframes->count - 1].event_count;
    uint32_t behind = end; // the last one that stays
    uint32_t kept = keyframes->count;
    // Those that stay gather at the end of the array, those that go in front of them.
    for (uint32_t i = keyframes->count; i-- > 0;) {
        uint32_t before = i ? items[i - 1].event_count : 0;
        bool goes = i + 1 < keyframes->count && (uint64_t)(behind - before) * share <= end - before;
        if (goes)
            continue;
        behind = items[i].event_count;
        swap(&items[i], &items[--kept]);
    }
    // Now to the front; the dropped blocks come behind.
    uint32_t left = keyframes->count - kept;
    for (uint32_t i = 0; i < left; i++)
        swap(&items[i], &items[kept + i]);
    keyframes->count = left;
}

// Makes room by dropping a quarter at once, so that each one added has to look at few.
static void thin(kifu__keyframes *keyframes)
{
    uint32_t enough = keyframes->most - (keyframes->most + 3) / 4;
    for (uint32_t share = keyframes->most; share > 0 && keyframes->count > enough; share = share * 3 / 4)
        thin_once(keyframes, share);
    if (keyframes->count > enough) // The budget allows one.
        keyframes->count = 0;
}

static KIFU__APART uint32_t keyframes_up_to(const kifu__keyframes *keyframes, uint32_t event_count)
{
    return kifu__count_up_to(keyframes->items, sizeof *keyframes->items, keyframes->count, event_count);
}

const kifu__keyframe *kifu__find_keyframe(const kifu_timeline *timeline, uint32_t event_count)
{
    const uint32_t count = keyframes_up_to(&timeline->keyframes, event_count);
    return count ? &timeline->keyframes.items[count - 1] : NULL;
}

void kifu__first_state(const kifu_timeline *timeline, unsigned char *state)
{
    if (timeline->origin)
        memcpy(state, timeline->origin, timeline->rules->state_size);
    else
        memset(state, 0, timeline->rules->state_size);
}

uint32_t kifu__nearest_state(const kifu_timeline *timeline, uint32_t event_count, unsigned char *state)
{
    const kifu__keyframe *keyframe = kifu__find_keyframe(timeline, event_count);
    if (!keyframe) {
        kifu__first_state(timeline, state);
        return timeline->log.begin;
    }
    memcpy(state, keyframe->state, timeline->rules->state_size);
    return keyframe->event_count;
}

// Makes the block behind the last keyframe. False without memory.
static bool make_keyframes(kifu__keyframes *keyframes, const kifu__memory *memory)
{
    kifu__keyframe *items = (kifu__keyframe *)kifu__grow(memory, keyframes->items, &keyframes->capacity,
                                                         (uint64_t)keyframes->made + 1, sizeof *items);
    if (!items)
        return false;
    keyframes->items = items;
    unsigned char *block = (unsigned char *)kifu__new(memory, keyframes->state_size);
    if (block)
        items[keyframes->made++].state = block;
    return block != NULL;
}

void kifu__add_keyframe(kifu_timeline *timeline, uint32_t event_count, const unsigned char *state)
{
    kifu__keyframes *keyframes = &timeline->keyframes;
    const kifu__keyframe *before = kifu__find_keyframe(timeline, event_count);
    if (timeline->options.reset || !keyframes->most || (before && before->event_count == event_count))
        return;
    if (keyframes->count == keyframes->most)
        thin(keyframes);
    if (keyframes->count == keyframes->made && !make_keyframes(keyframes, &timeline->memory))
        return;
    const uint32_t at = keyframes_up_to(keyframes, event_count);
    kifu__keyframe *items = keyframes->items;
    const kifu__keyframe added = {.event_count = event_count, .state = items[keyframes->count].state};
    memmove(&items[at + 1], &items[at], (keyframes->count - at) * sizeof added);
    memcpy(added.state, state, keyframes->state_size);
    items[at] = added;
    keyframes->count++;
}

// --- Checkpoints -----------------------------------------------------------------------------------------------------

// Of the branch to which this place of the current path belongs; NULL: there is none.
static const kifu__checkpoint *checkpoint_at(const kifu_timeline *timeline, uint32_t event_count)
{
    const kifu__branch *branch = kifu__owner(timeline->log.branch, event_count, NULL);
    const uint32_t count = kifu__checkpoints_up_to(branch, event_count);
    return count && branch->checkpoints[count - 1].event_count == event_count ? &branch->checkpoints[count - 1] : NULL;
}

kifu__checkpoint *kifu__add_checkpoint(kifu_timeline *timeline, uint32_t event_count, uint64_t hash)
{
    kifu__branch *branch = kifu__owner(timeline->log.branch, event_count, NULL);
    kifu__checkpoint *checkpoints =
        (kifu__checkpoint *)kifu__grow(&timeline->memory, branch->checkpoints, &branch->checkpoint_capacity,
                                       (uint64_t)branch->checkpoint_count + 1, sizeof *checkpoints);
    if (!checkpoints)
        return NULL;
    branch->checkpoints = checkpoints;
    uint32_t at = kifu__checkpoints_up_to(branch, event_count);
    memmove(&checkpoints[at + 1], &checkpoints[at], (branch->checkpoint_count - at) * sizeof *checkpoints);
    checkpoints[at] = (kifu__checkpoint){.event_count = event_count, .hash = hash};
    branch->checkpoint_count++;
    return &checkpoints[at];
}

void kifu__drop_keyframes(kifu_timeline *timeline, uint32_t event_count)
{
    timeline->keyframes.count = keyframes_up_to(&timeline->keyframes, event_count);
}

void kifu__drop_records(kifu_timeline *timeline, uint32_t event_count)
{
    kifu__drop_keyframes(timeline, event_count);
    for (kifu__branch *branch = timeline->log.branch; branch; branch = branch->parent)
        branch->checkpoint_count = kifu__checkpoints_up_to(branch, event_count);
}

// --- What is due -----------------------------------------------------------------------------------------------------

// The place of a hash that is `executed`, or the last before it: every so many events, and in front of the first of
// these 1, 2, 4, … events. So a short game that diverges names few events, too.
static uint32_t hash_place(const kifu_timeline *timeline, uint32_t executed)
{
    if (executed >= timeline->due.hash_interval)
        return executed - executed % timeline->due.hash_interval;
    uint32_t place = executed ? 1 : 0;
    while (place && place <= executed / 2)
        place *= 2;
    return place;
}

static uint64_t next_hash_place(const kifu_timeline *timeline, uint32_t place)
{
    const uint32_t interval = timeline->due.hash_interval;
    if (place >= interval)
        return (uint64_t)place + interval;
    const uint64_t next = place ? 2 * (uint64_t)place : 1;
    return next < interval ? next : interval;
}

void kifu__find_due(kifu_timeline *timeline)
{
    const uint32_t executed = timeline->executed;
    if (timeline->transactions.search_from) { // All of it will be rolled back.
        timeline->due.from = 0;
        timeline->due.at = KIFU_NONE;
        return;
    }
    if (executed >= timeline->due.from && executed < timeline->due.at) // Undo and redo stay in there mostly.
        return;
    const uint32_t hash = hash_place(timeline, executed);
    const uint32_t keyframe = executed - executed % timeline->keyframes.interval;
    const uint64_t next_hash = next_hash_place(timeline, hash);
    const uint64_t next_keyframe = (uint64_t)keyframe + timeline->keyframes.interval;
    timeline->due.from = hash > keyframe ? hash : keyframe;
    timeline->due.at = (uint32_t)(next_hash < next_keyframe ? next_hash : next_keyframe); // The log ends before 2^32.
}

void kifu__record_due(kifu_timeline *timeline)
{
    uint32_t executed = timeline->executed;
    if (executed % timeline->keyframes.interval == 0)
        kifu__add_keyframe(timeline, executed, timeline->core.state);
    if (hash_place(timeline, executed) == executed && executed > timeline->due.held &&
        !checkpoint_at(timeline, executed))
        kifu__add_checkpoint(timeline, executed, kifu_state_hash(timeline)); // A missing one shows less.
    kifu__find_due(timeline);
}

void kifu__cut_log(kifu_timeline *timeline, uint32_t count)
{
    if (kifu__has_handler(timeline, loses))
        timeline->dispatch->lose(timeline, timeline->log.branch, count);
    kifu__branch_cut(timeline, timeline->log.branch, count);
    kifu__log_changed(&timeline->log, count);
    kifu__drop_keyframes(timeline, count);
}
