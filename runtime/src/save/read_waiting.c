// What waits, in commits: where the game is, and at other places.

#include "save/reader.h"

#include "save/saved.h"
#include "save/reversal.h"

// What waits after `executed` events, if anything does.
static kifu_result take_waiting(kifu__commits *commits, kifu__bytes *body, uint32_t executed)
{
    kifu_timeline *timeline = commits->reader->timeline;
    kifu__frame frame;
    kifu__segment segment;
    unsigned char *bytes;
    if (body->at == body->end)
        return KIFU_OK;
    kifu_result result = kifu__read_run(commits, body, &frame, &bytes);
    timeline->executed = executed;
    if (!result)
        result = kifu__read_segment(commits->reader, &frame, executed, true, &segment);
    if (!result)
        result =
            kifu__queue_proposals(commits->reader, &frame, &segment, NULL, &timeline->consequences, &timeline->inputs);
    kifu__free(&timeline->memory, bytes);
    return result;
}

static kifu_result take_first_waiting(const kifu__commits *commits, kifu__queue *queue, uint32_t count)
{
    if (count > queue->count)
        return kifu__bad_record(commits, "takes more events than wait");
    while (count--)
        kifu__queue_pop(queue);
    return KIFU_OK;
}

kifu_result kifu__read_queue_record(kifu__commits *commits, kifu__bytes *body)
{
    kifu_timeline *timeline = commits->reader->timeline;
    const uint32_t inputs = kifu__parse_number(body), consequences = kifu__parse_number(body);
    if (commits->back) // A follower may have to take it back.
        commits->back->calls->hold_queues(commits->back);
    kifu_result result = take_first_waiting(commits, &timeline->inputs, inputs);
    if (!result)
        result = take_first_waiting(commits, &timeline->consequences, consequences);
    return result || !body->good ? result : take_waiting(commits, body, commits->count);
}

static kifu_result take_actions_record(kifu__commits *commits, const unsigned char *bytes, uint32_t size)
{
    const kifu__turn_rules *turns = commits->reader->timeline->rules->turns;
    return turns && turns->frames ? turns->frames->take(commits, bytes, size) : KIFU_OK;
}

kifu_result kifu__read_actions_record(kifu__commits *commits, kifu__bytes *body)
{
    const uint32_t size = (uint32_t)(body->end - body->at);
    commits->reader->timeline->executed = commits->count;
    if (commits->back && !commits->back->calls->keep_actions(commits->back))
        return kifu__commit_failed(commits, KIFU_NO_MEMORY);
    return take_actions_record(commits, kifu__parse_bytes(body, size), size);
}

static void exchange_actions(kifu_timeline *timeline, kifu__queue *others)
{
    const kifu__turn_rules *turns = timeline->rules->turns;
    if (turns)
        turns->timed->exchange_actions(timeline, others);
}

// Puts it there as the timeline would put away what waits; what waits where the game is stays as it lies.
static kifu_result keep_waiting(kifu__commits *commits, kifu__bytes *body, uint32_t place, const unsigned char *actions,
                                uint32_t size)
{
    kifu_timeline *timeline = commits->reader->timeline;
    const kifu__memory *memory = &timeline->memory;
    const kifu__queue consequences = timeline->consequences, inputs = timeline->inputs;
    kifu__queue set = {.count = 0};
    timeline->consequences = timeline->inputs = (kifu__queue){.count = 0};
    exchange_actions(timeline, &set);
    kifu_result result = take_waiting(commits, body, place);
    timeline->executed = place;
    if (!result && size)
        result = take_actions_record(commits, actions, size);
    if (!result && !kifu__store_kept(timeline))
        result = kifu__commit_failed(commits, KIFU_NO_MEMORY);
    kifu__queue_free(&timeline->consequences, memory);
    kifu__queue_free(&timeline->inputs, memory);
    timeline->consequences = consequences;
    timeline->inputs = inputs;
    exchange_actions(timeline, &set);
    kifu__queue_free(&set, memory);
    return result;
}

kifu_result kifu__read_kept_record(kifu__commits *commits, kifu__bytes *body)
{
    uint32_t until;
    const uint32_t line = kifu__parse_number(body), place = kifu__parse_number(body), size = kifu__parse_number(body);
    const unsigned char *actions = kifu__parse_bytes(body, size);
    kifu__branch *branch = kifu__find_read(commits, line, &until);
    if (!body->good)
        return KIFU_OK;
    const bool there = branch && place <= branch->end && (!branch->parent || place > branch->from);
    if (!there && !commits->way && !kifu__is_lost(commits, line))
        return kifu__bad_record(commits, "is of a place that is not there");
    if (!there || place > until) {
        kifu__frame frame;
        unsigned char *bytes = NULL;
        const kifu_result result = body->at < body->end ? kifu__read_run(commits, body, &frame, &bytes) : KIFU_OK;
        kifu__free(&commits->reader->timeline->memory, bytes);
        return result;
    }
    if (commits->back && !commits->back->calls->kept_aside(commits->back, branch, place))
        return kifu__commit_failed(commits, KIFU_NO_MEMORY);
    kifu__read_into(commits, branch);
    return kifu__or_leave_out(commits, line, place, keep_waiting(commits, body, place, actions, size));
}
