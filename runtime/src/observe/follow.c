// Following a proposal: what became of it.

#include "core/resolve.h"

static bool waits(const kifu_timeline *timeline, kifu_ticket ticket)
{
    return kifu__queue_find(&timeline->inputs, ticket) || kifu__queue_find(&timeline->consequences, ticket) ||
           kifu__queue_find(&timeline->turn.actions, ticket);
}

// Whether it was submitted before a search that is open: what becomes of it there is not what will have happened.
static bool is_searched(const kifu_timeline *timeline, kifu_ticket ticket)
{
    for (uint32_t i = 0; i < timeline->transaction_count; i++) {
        const kifu__transaction *each = &timeline->transactions[i];
        if (each->kind == KIFU__SEARCH && ticket - each->last_ticket - 1 > UINT32_MAX / 2) // Tickets begin anew.
            return true;
    }
    return false;
}

kifu_result kifu_follow(kifu_timeline *timeline, kifu_ticket ticket, kifu_follower *follower, void *context)
{
    if (!follower || !waits(timeline, ticket))
        return kifu__error(&timeline->error, KIFU_MISUSE, "kifu_follow: %s",
                           follower ? "no event with this ticket waits; call it right after the submit"
                                    : "the follower is NULL: give a function");
    kifu__followed *followed =
        (kifu__followed *)kifu__grow(&timeline->memory, timeline->followed, &timeline->followed_capacity,
                                     (uint64_t)timeline->followed_count + 1, sizeof *followed);
    if (!followed)
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for following an event");
    timeline->followed = followed;
    followed[timeline->followed_count++] = (kifu__followed){ticket, follower, context};
    return KIFU_OK;
}

void kifu__tell_outcome(kifu_timeline *timeline, kifu_ticket ticket, kifu_result result, uint32_t event, uint32_t type,
                        const kifu__resolution *resolution)
{
    if (is_searched(timeline, ticket))
        return;
    // The error is kept: a follower may make calls that fail.
    const kifu_error error = timeline->error;
    kifu_outcome outcome = kifu__outcome_of(ticket, result, event, type, resolution);
    outcome.error = result ? &error : NULL;
    for (uint32_t i = 0; i < timeline->followed_count;) {
        kifu__followed each = timeline->followed[i];
        if (each.ticket != ticket) {
            i++;
            continue;
        }
        timeline->followed[i] = timeline->followed[--timeline->followed_count];
        const kifu_result before = timeline->fault.result;
        timeline->phase = KIFU__TELLING;
        each.follower(each.context, timeline, &outcome);
        timeline->phase = KIFU__IDLE;
        if (!before && timeline->fault.result)
            kifu__fault_in(timeline, "a follower of ", timeline->rules->types[type].table->name);
        if (timeline->sync)
            kifu__sync_unchanged(timeline, event, "a follower", "");
    }
    timeline->error = error;
}

void kifu__forget_followers(kifu_timeline *timeline, kifu_ticket running)
{
    for (uint32_t i = 0; i < timeline->followed_count;) {
        kifu_ticket ticket = timeline->followed[i].ticket;
        if (ticket == running || waits(timeline, ticket) || is_searched(timeline, ticket))
            i++;
        else
            timeline->followed[i] = timeline->followed[--timeline->followed_count];
    }
}
