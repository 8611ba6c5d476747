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

void kifu__find_due(kifu_timeline *timeline)
{
    const uint32_t executed = timeline->executed;
    if (executed >= timeline->due_from && executed < timeline->due) // Undo and redo stay in there mostly.
        return;
    const uint32_t hash = executed - executed % timeline->hash_interval;
    const uint32_t keyframe = executed - executed % timeline->keyframes.interval;
    const uint64_t next_hash = (uint64_t)hash + timeline->hash_interval;
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
    if (executed % timeline->hash_interval == 0 && !has_checkpoint(timeline, executed)) // A missing one shows less.
        kifu__add_checkpoint(timeline, executed, kifu_state_hash(timeline));
    kifu__find_due(timeline);
}

void kifu__cut_log(kifu_timeline *timeline, uint32_t count)
{
    kifu__keyframes_cut(&timeline->keyframes, count);
    kifu__drop_checkpoints(timeline, count);
    kifu__log_truncate(&timeline->log, count);
}

// --- Executing again -------------------------------------------------------------------------------------------------

// A Do of the replay failed or was misused: says so.
static kifu_result failed(kifu_timeline *timeline, uint32_t event, kifu_result result)
{
    const char *reason = kifu_result_text(result);
    char fault[sizeof timeline->fault.message];
    if (timeline->fault.result) {
        snprintf(fault, sizeof fault, "%s", timeline->fault.message);
        reason = fault;
    } else if (result == KIFU_FAILED && timeline->fail_reason[0])
        reason = timeline->fail_reason;
    result = timeline->fault.result == KIFU_NO_MEMORY ? KIFU_NO_MEMORY : KIFU_FAILED;
    timeline->fault.result = KIFU_OK;
    kifu__error_of_event(&timeline->error, result, event,
                         "event %u (%s) could not be replayed: %.200s; its Do function must do the same for the same "
                         "state and event, whenever it runs",
                         (unsigned)event, kifu__name_of(timeline, event), reason);
    timeline->fail_reason[0] = '\0';
    return result;
}

static kifu_result no_memory(kifu_timeline *timeline)
{
    return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for the undo journal of a replay");
}

// Event number `executed`, journaled.
kifu_result kifu__replay_one(kifu_timeline *timeline)
{
    uint32_t event = timeline->executed;
    const kifu__segment *segment = kifu__log_segment_of(&timeline->log, event);
    uint32_t slot = event - segment->first;
    if (!kifu__journal_open(&timeline->journal, &timeline->core, &timeline->memory))
        return no_memory(timeline);
    uint32_t open = timeline->transaction_count;
    timeline->core.event = event;
    timeline->phase = KIFU__REPLAYING;
    kifu_result result = timeline->rules->do_event(timeline, segment->types[slot], timeline->core.state,
                                                   kifu__segment_table(segment, slot), timeline->transient);
    kifu__end_of_do(timeline, open, result);
    timeline->phase = KIFU__IDLE;
    kifu__journal_close(&timeline->core);
    if (result || timeline->fault.result) {
        kifu__journal_restore(&timeline->journal, &timeline->core, event);
        return failed(timeline, event, result);
    }
    if (++timeline->executed == timeline->due)
        kifu__record_due(timeline);
    if (timeline->sync)
        kifu__sync_follow(timeline);
    return KIFU_OK;
}

static kifu_result replay_journaled(kifu_timeline *timeline, uint32_t count)
{
    kifu_result result = KIFU_OK;
    while (timeline->executed < count && !result)
        result = kifu__replay_one(timeline);
    return result;
}

kifu_result kifu__redo_to(kifu_timeline *timeline, uint32_t count)
{
    kifu_result result = KIFU_OK;
    kifu_error misuse = {0}; // by a listener: no event failed because of it
    while (timeline->executed < count && !result) {
        uint32_t event = timeline->executed;
        result = kifu__replay_one(timeline);
        if (result || !timeline->listeners.view.count)
            continue;
        kifu__tell_listeners(timeline, event, false, kifu__journal_start(&timeline->journal, &timeline->core, event),
                             timeline->core.journal);
        if (timeline->fault.result && !misuse.result)
            misuse = timeline->fault;
        timeline->fault.result = KIFU_OK;
    }
    if (misuse.result)
        timeline->fault = misuse;
    return result;
}

// As many of the events from `first` to `end` - 1 as one segment has, in one call of the rules, without a journal, on
// the state of now. `*done` counts those that were executed.
static kifu_result replay_run(kifu_timeline *timeline, uint32_t first, uint32_t end, uint32_t *done)
{
    const kifu__segment *segment = kifu__log_segment_of(&timeline->log, first);
    uint32_t slot = first - segment->first;
    uint32_t left = segment->count - slot;
    kifu__run run = {
        .types = segment->types + slot,
        .offsets = segment->offsets + slot,
        .count = left < end - first ? left : end - first,
        .first = first,
    };
    uint32_t open = timeline->transaction_count;
    kifu__journal_open_unkept(&timeline->core);
    timeline->phase = KIFU__REPLAYING;
    kifu_result result = timeline->rules->replay(timeline, &run, timeline->core.state, timeline->transient, done);
    kifu__end_of_do(timeline, open, result);
    timeline->phase = KIFU__IDLE;
    kifu__journal_close(&timeline->core);
    if (timeline->fault.result) {
        uint32_t event = timeline->fault.event;
        *done = event == KIFU_NONE ? 0 : event - first;
        return failed(timeline, first + *done, result);
    }
    return result ? failed(timeline, first + *done, result) : KIFU_OK;
}

static kifu_result replay_unkept(kifu_timeline *timeline, uint32_t count)
{
    kifu_result result = KIFU_OK;
    while (timeline->executed < count && !result) {
        uint32_t done = 0;
        result = replay_run(timeline, timeline->executed, timeline->due < count ? timeline->due : count, &done);
        timeline->executed += done;
        if (!result && timeline->executed == timeline->due)
            kifu__record_due(timeline);
        if (timeline->sync)
            kifu__sync_follow(timeline);
    }
    return result;
}

// From `executed` on, of which the state is that: the last `journaled` events with a journal, the others without.
static kifu_result go_on(kifu_timeline *timeline, uint32_t count, uint32_t journaled)
{
    if (count - timeline->executed > journaled) {
        uint32_t unkept = count - journaled;
        kifu__journal_clear(&timeline->journal, &timeline->core, unkept);
        kifu_result result = replay_unkept(timeline, unkept);
        if (result)
            return result;
    }
    return replay_journaled(timeline, count);
}

// Makes the state that of the last keyframe of at most `count` events, or of the beginning.
static void jump(kifu_timeline *timeline, uint32_t count)
{
    const kifu__keyframe *keyframe = kifu__keyframes_find(&timeline->keyframes, count);
    uint32_t size = timeline->rules->state_size;
    if (keyframe) {
        memcpy(timeline->core.state, keyframe->state, size);
        timeline->executed = keyframe->event_count;
    } else {
        memset(timeline->core.state, 0, size);
        timeline->executed = 0;
        if (timeline->options.reset)
            timeline->options.reset(timeline->options.user);
    }
    kifu__journal_clear(&timeline->journal, &timeline->core, timeline->executed);
    kifu__find_due(timeline);
    if (timeline->sync)
        kifu__sync_follow(timeline);
}

// What a failed Do changed without a journal is still there: once more, up to the event before it.
static void execute_before_failed(kifu_timeline *timeline)
{
    kifu_error error = timeline->error;
    kifu__replay_to(timeline, timeline->executed);
    timeline->error = error;
    if (timeline->records)
        kifu__records_lose(timeline, timeline->records);
}

kifu_result kifu__replay_to(kifu_timeline *timeline, uint32_t count)
{
    const uint32_t keep_from = timeline->journal.keep_from;
    uint32_t journaled = count > keep_from ? count - keep_from : 0; // what an open transaction asks for
    if (journaled < KIFU__JOURNAL_EVENTS)
        journaled = KIFU__JOURNAL_EVENTS;
    jump(timeline, count);
    kifu_result result = go_on(timeline, count, journaled);
    if (result == KIFU_NO_MEMORY) { // The journal can be done without: undo is slower then.
        jump(timeline, count);
        result = go_on(timeline, count, 0);
    }
    if (result)
        execute_before_failed(timeline);
    return result;
}

static kifu_result go_back(kifu_timeline *timeline, uint32_t count)
{
    if (timeline->options.reset || !kifu__journal_reaches(&timeline->journal, count))
        return kifu__replay_to(timeline, count);
    kifu__journal_restore(&timeline->journal, &timeline->core, count);
    timeline->executed = count;
    kifu__find_due(timeline);
    if (timeline->sync)
        kifu__sync_follow(timeline);
    return KIFU_OK;
}

kifu_result kifu__go_to(kifu_timeline *timeline, uint32_t count)
{
    if (count <= timeline->executed)
        return go_back(timeline, count);
    const kifu__keyframe *keyframe = kifu__keyframes_find(&timeline->keyframes, count);
    if (keyframe && keyframe->event_count > timeline->executed)
        return kifu__replay_to(timeline, count);
    kifu_result result = go_on(timeline, count, KIFU__JOURNAL_EVENTS);
    if (result == KIFU_NO_MEMORY)
        return kifu__replay_to(timeline, count);
    if (result)
        execute_before_failed(timeline);
    return result;
}

kifu_result kifu__take_back_to(kifu_timeline *timeline, uint32_t count)
{
    if (!timeline->listeners.view.count || timeline->quiet) {
        timeline->listeners.behind = true;
        return go_back(timeline, count);
    }
    if (timeline->options.reset || !kifu__journal_reaches(&timeline->journal, count)) {
        kifu_result result = kifu__replay_to(timeline, count);
        kifu__tell_all(timeline, true);
        return result;
    }
    kifu__journal_restore(&timeline->journal, &timeline->core, timeline->executed); // what no one was shown
    while (timeline->executed > count) {
        uint32_t event = timeline->executed - 1;
        const kifu__journal_entry *to = timeline->core.journal; // The entries stay where they are.
        kifu__journal_restore(&timeline->journal, &timeline->core, event);
        timeline->executed = event;
        if (timeline->sync)
            kifu__sync_follow(timeline);
        kifu__tell_listeners(timeline, event, true, timeline->core.journal, to);
    }
    kifu__find_due(timeline);
    return KIFU_OK;
}

// --- Beside the timeline's own state ---------------------------------------------------------------------------------

bool kifu__journal_state_at(const kifu_timeline *timeline, uint32_t count, unsigned char *state)
{
    if (!kifu__journal_reaches(&timeline->journal, count))
        return false;
    uint32_t size = timeline->rules->state_size;
    memcpy(state, timeline->core.state, size);
    kifu__journal_look_back(&timeline->journal, &timeline->core, count, 0, size, state);
    return true;
}

kifu_result kifu__replay_into(kifu_timeline *timeline, unsigned char *state, uint32_t from, uint32_t to)
{
    const kifu__core core = timeline->core;
    const kifu__journal journal = timeline->journal;
    const kifu__phase phase = timeline->phase;
    const kifu_error fault = timeline->fault;
    unsigned char *transient = timeline->transient; // An Act may be reading it.

    timeline->core.state = state;
    timeline->core.journal = timeline->core.journal_end = NULL;
    timeline->journal = (kifu__journal){0}; // For transactions in a Do. Whoever called may be reading the other.
    timeline->transient = transient + timeline->transient_size;
    timeline->fault.result = KIFU_OK;
    kifu_result result = KIFU_OK;
    while (from < to && !result) {
        uint32_t done = 0;
        result = replay_run(timeline, from, to, &done);
        from += done;
    }

    kifu__journal_free(&timeline->journal, &timeline->memory);
    timeline->transient = transient;
    timeline->fault = fault;
    timeline->phase = phase;
    timeline->journal = journal;
    timeline->core = core;
    return result;
}
