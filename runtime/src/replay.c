// Replay: Do alone, over runs of events in the log.

#include "timeline_impl.h"

#include <stdio.h>

// A Do of the replay failed or was misused: says so. The event is number `executed`.
static kifu_result failed(kifu_timeline *timeline, kifu_result result)
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
    uint32_t event = timeline->executed;
    const kifu__segment *segment = kifu__log_segment_of(&timeline->log, event);
    const char *name = timeline->rules->types[segment->types[event - segment->first]].table->name;
    kifu__error_of_event(&timeline->error, result, event,
                         "event %u (%s) could not be replayed: %.200s; its Do function must do the same for the same "
                         "state and event, whenever it runs",
                         (unsigned)event, name, reason);
    timeline->fail_reason[0] = '\0';
    return result;
}

static kifu_result no_memory(kifu_timeline *timeline)
{
    return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for the undo journal of a replay");
}

kifu_result kifu__replay_on(kifu_timeline *timeline, uint32_t count)
{
    const kifu_rules *rules = timeline->rules;
    kifu_result result = KIFU_OK;
    while (timeline->executed < count && !result) {
        uint32_t event = timeline->executed;
        const kifu__segment *segment = kifu__log_segment_of(&timeline->log, event);
        uint32_t slot = event - segment->first;
        if (!kifu__journal_open(&timeline->journal, &timeline->core, &timeline->memory))
            return no_memory(timeline);
        timeline->core.event = event;
        timeline->phase = KIFU__REPLAYING;
        result = rules->do_event(timeline, segment->types[slot], timeline->core.state,
                                 kifu__segment_table(segment, slot), timeline->transient);
        timeline->phase = KIFU__IDLE;
        kifu__journal_close(&timeline->core);
        if (result || timeline->fault.result) {
            kifu__journal_restore(&timeline->journal, &timeline->core, event);
            result = failed(timeline, result);
        } else
            timeline->executed++;
    }
    return result;
}

// The events from `executed` to `count` without a journal, one call of the rules for each segment.
static kifu_result replay_unkept(kifu_timeline *timeline, uint32_t count)
{
    while (timeline->executed < count) {
        const kifu__segment *segment = kifu__log_segment_of(&timeline->log, timeline->executed);
        uint32_t slot = timeline->executed - segment->first;
        uint32_t left = segment->count - slot;
        kifu__run run = {
            .types = segment->types + slot,
            .offsets = segment->offsets + slot,
            .count = left < count - timeline->executed ? left : count - timeline->executed,
            .first = timeline->executed,
        };
        kifu__journal_open_unkept(&timeline->core);
        uint32_t done = 0;
        timeline->phase = KIFU__REPLAYING;
        kifu_result result = timeline->rules->replay(timeline, &run, timeline->core.state, timeline->transient, &done);
        timeline->phase = KIFU__IDLE;
        kifu__journal_close(&timeline->core);
        timeline->executed += done;
        if (timeline->fault.result) {
            timeline->executed = timeline->fault.event == KIFU_NONE ? run.first : timeline->fault.event;
            return failed(timeline, result);
        }
        if (result)
            return failed(timeline, result);
    }
    return KIFU_OK;
}

// From the beginning: the first `unkept` events without a journal, the others with one.
static kifu_result replay_from_start(kifu_timeline *timeline, uint32_t unkept, uint32_t count)
{
    memset(timeline->core.state, 0, timeline->rules->state_size);
    if (timeline->options.reset)
        timeline->options.reset(timeline->options.user);
    timeline->executed = 0;
    kifu__journal_clear(&timeline->journal, &timeline->core, unkept);
    kifu_result result = replay_unkept(timeline, unkept);
    return result ? result : kifu__replay_on(timeline, count);
}

kifu_result kifu__replay_to(kifu_timeline *timeline, uint32_t count)
{
    uint32_t unkept = count > KIFU__REPLAY_JOURNALED ? count - KIFU__REPLAY_JOURNALED : 0;
    kifu_result result = replay_from_start(timeline, unkept, count);
    if (result == KIFU_NO_MEMORY) { // The journal can be done without: undo is slower then.
        unkept = count;
        result = replay_from_start(timeline, unkept, count);
    }
    if (result && (timeline->executed < unkept || timeline->options.reset)) {
        // What the failed Do changed without a journal is still there: once more, up to the event before it.
        kifu_error error = timeline->error;
        kifu__replay_to(timeline, timeline->executed);
        timeline->error = error;
    }
    return result;
}
