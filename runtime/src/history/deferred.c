#include "history/deferred.h"

#include "core/timeline.h"

// `*event` is the one that it ended with.
static kifu_result react_to_each(kifu_timeline *timeline, uint32_t first, uint32_t *event)
{
    kifu_result result = KIFU_OK;
    for (uint32_t each = first; each < timeline->executed && !result; each++) {
        *event = timeline->core.event = each;
        timeline->core.player = kifu__log_mark(&timeline->log, each)->player;
        result = timeline->dispatch->react(timeline, each);
        if (timeline->fault.result)
            result = timeline->fault.result;
    }
    return result;
}

kifu_result kifu__react_to_all(kifu_timeline *timeline, uint32_t first, const char *otherwise)
{
    const kifu__moment before = kifu__moment_of(timeline);
    const uint32_t input_first = timeline->running.input_first;
    if (!before.queue_count) // Otherwise an input still runs, and counts on.
        timeline->running.consequence_count = 0;
    if (!before.queue_count || input_first > first)
        timeline->running.input_first = first;
    uint32_t event = first;
    kifu_result result = react_to_each(timeline, first, &event);
    if (!result)
        return KIFU_OK;
    kifu__queue_cut(&timeline->consequences, before.queue_bytes, before.queue_count);
    timeline->running.consequence_count = before.consequence_count;
    timeline->running.input_first = input_first;
    const kifu_result fault = timeline->fault.result;
    kifu__error_of_event(&timeline->error, fault ? fault : KIFU_FAILED, event,
                         "%s, because a reaction to event %u failed: %s", otherwise, (unsigned)event,
                         kifu__reason(timeline, result));
    kifu__forget_reason(timeline);
    return timeline->error.result;
}
