// What waits, for the writer of saves.

#include "save/writer.h"

// The most bytes that the events of one pending segment may have.
#define MOST_PENDING (UINT64_C(1) << 30)

static bool is_sound(const kifu_rules *rules, kifu__proposal *proposal)
{
    return !kifu__check_proposal(rules->types[proposal->type].table, kifu__proposal_blob(proposal), NULL);
}

uint32_t kifu__count_sound(const kifu_rules *rules, kifu__row row)
{
    uint32_t count = 0;
    for (kifu__proposal *at = row.first; at; at = kifu__queue_next(row.queue, at))
        count += is_sound(rules, at);
    return count;
}

static kifu_result seal_row(kifu__segment *segment, const kifu_timeline *timeline, kifu__row row, uint8_t flag,
                            uint32_t executed)
{
    const kifu_rules *rules = timeline->rules;
    kifu_result result = KIFU_OK;
    for (kifu__proposal *at = row.first; at && !result; at = kifu__queue_next(row.queue, at)) {
        if (!is_sound(rules, at))
            continue;
        const bool caused = flag == KIFU__CONSEQUENCE && at->cause != KIFU_NONE;
        const uint32_t distance = caused ? executed - at->cause : 0;
        const kifu__mark mark = {
            .cause = distance > UINT16_MAX ? 0 : (uint16_t)distance,
            .player = at->player,
            .flags = at->flags | flag,
        };
        result = kifu__segment_add(segment, &timeline->memory, rules, at->type, kifu__proposal_blob(at), at->size, mark,
                                   MOST_PENDING);
    }
    return result;
}

bool kifu__seal_waiting(kifu__plan *plan, kifu__row consequences, kifu__row inputs, uint32_t executed,
                        kifu__segment *segment)
{
    const kifu_timeline *timeline = plan->timeline;
    const kifu_rules *rules = timeline->rules;
    const uint32_t count = kifu__count_sound(rules, consequences) + kifu__count_sound(rules, inputs);
    kifu_result result =
        kifu__segment_new(&timeline->memory, rules, rules->rules_version, count, 16 * (uint64_t)count, segment);
    kifu__plan_fail(plan, result);
    if (result)
        return false;
    result = seal_row(segment, timeline, consequences, KIFU__CONSEQUENCE, executed);
    if (!result)
        result = seal_row(segment, timeline, inputs, 0, executed);
    kifu__plan_fail(plan, result);
    if (result)
        kifu__free(&timeline->memory, segment->bytes);
    return !result;
}
