// The past: by the journal, or by executing the log again, Do alone, from the beginning or a keyframe.

#include "core/timeline.h"

#include <stdio.h>

// --- Keyframes and checkpoints ---------------------------------------------------------------------------------------

void kifu__add_keyframe(kifu_timeline *timeline)
{
    if (!timeline->options.reset) // a copy of the state would not be the whole model
        kifu__keyframes_add(&timeline->keyframes, &timeline->memory, timeline->executed, timeline->core.state);
}

// How many checkpoints are of at most `event_count` events.
static uint32_t checkpoints_up_to(const kifu_timeline *timeline, uint32_t event_count)
{
    uint32_t low = 0, high = timeline->checkpoint_count;
    if (high && timeline->checkpoints[high - 1].event_count <= event_count)
        return high;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (timeline->checkpoints[middle].event_count <= event_count)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool has_checkpoint(const kifu_timeline *timeline, uint32_t event_count)
{
    uint32_t count = checkpoints_up_to(timeline, event_count);
    return count && timeline->checkpoints[count - 1].event_count == event_count;
}

bool kifu__add_checkpoint(kifu_timeline *timeline, uint32_t event_count, uint64_t hash)
{
    if (has_checkpoint(timeline, event_count))
        return true;
    kifu__checkpoint *checkpoints =
        (kifu__checkpoint *)kifu__grow(&timeline->memory, timeline->checkpoints, &timeline->checkpoint_capacity,
                                       (uint64_t)timeline->checkpoint_count + 1, sizeof *checkpoints);
    if (!checkpoints)
        return false;
    timeline->checkpoints = checkpoints;
    uint32_t at = checkpoints_up_to(timeline, event_count);
    memmove(&checkpoints[at + 1], &checkpoints[at], (timeline->checkpoint_count - at) * sizeof *checkpoints);
    checkpoints[at] = (kifu__checkpoint){.event_count = event_count, .hash = hash};
    timeline->checkpoint_count++;
    return true;
}

void kifu__drop_checkpoints(kifu_timeline *timeline, uint32_t event_count)
{
    timeline->checkpoint_count = checkpoints_up_to(timeline, event_count);
}

// The place of a hash that is `executed`, or the last before it: every so many events, and in front of the first of
// these 1, 2, 4, … events. So a short game that diverges names few events, too.
static uint32_t hash_place(const kifu_timeline *timeline, uint32_t executed)
{
    if (executed >= timeline->hash_interval)
        return executed - executed % timeline->hash_interval;
    uint32_t place = executed ? 1 : 0;
    while (place && place <= executed / 2)
        place *= 2;
    return place;
}

static uint64_t next_hash_place(const kifu_timeline *timeline, uint32_t place)
{
    const uint32_t interval = timeline->hash_interval;
    if (place >= interval)
        return (uint64_t)place + interval;
    const uint64_t next = place ? 2 * (uint64_t)place : 1;
    return next < interval ? next : interval;
}

void kifu__find_due(kifu_timeline *timeline)
{
    const uint32_t executed = timeline->executed;
    if (executed >= timeline->due_from && executed < timeline->due) // Undo and redo stay in there mostly.
        return;
    const uint32_t hash = hash_place(timeline, executed);
    const uint32_t keyframe = executed - executed % timeline->keyframes.interval;
    const uint64_t next_hash = next_hash_place(timeline, hash);
    const uint64_t next_keyframe = (uint64_t)keyframe + timeline->keyframes.interval;
    const uint64_t due = next_hash < next_keyframe ? next_hash : next_keyframe;
    timeline->due_from = hash > keyframe ? hash : keyframe;
    timeline->due = due < KIFU_NONE ? (uint32_t)due : KIFU_NONE;
}

void kifu__record_due(kifu_timeline *timeline)
{
    uint32_t executed = timeline->executed;
    if (executed % timeline->keyframes.interval == 0)
        kifu__add_keyframe(timeline);
    if (hash_place(timeline, executed) == executed && !has_checkpoint(timeline, executed)) // A missing one shows less.
        kifu__add_checkpoint(timeline, executed, kifu_state_hash(timeline));
    kifu__find_due(timeline);
}

void kifu__cut_log(kifu_timeline *timeline, uint32_t count)
{
    kifu__keyframes_cut(&timeline->keyframes, count);
    kifu__drop_checkpoints(timeline, count);
    kifu__log_truncate(&timeline->log, count);
}
