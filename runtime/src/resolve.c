// Resolving: whether a proposal may happen, as its check and the hooks say, and what is tried instead.

#include "resolve.h"

#include "table.h"

// --- Alternates ------------------------------------------------------------------------------------------------------

bool kifu__take_alternate(kifu_timeline *timeline, const kifu__queue *from, kifu_ticket ticket,
                          const kifu__proposal *original)
{
    kifu__proposal *found = kifu__queue_find(from, ticket);
    if (!found) {
        kifu__fault(
            timeline, KIFU_MISUSE,
            "ticket %u was to be tried instead, but is of no event that was submitted there: give what a submit "
            "in the same function returned",
            (unsigned)ticket);
        return false;
    }
    kifu__proposal head = *original;
    bool has_player = timeline->rules->types[found->type].is_player;
    head.size = found->size;
    head.type = found->type;
    head.player = has_player ? original->player : found->player;
    // Undo stops at what a player decided, whatever came of it.
    const uint8_t stops = found->overridden ? 0 : KIFU_CONTINUE_UNDO;
    head.flags =
        original->overridden ? original->flags : (uint8_t)((found->flags & ~stops) | (original->flags & stops));
    kifu__queue_cut(&timeline->alternate, 0, 0);
    if (!kifu__queue_push(&timeline->alternate, &timeline->memory, &head, kifu__proposal_blob(found))) {
        kifu__fault(timeline, KIFU_NO_MEMORY, "out of memory for the event that was to be tried instead");
        return false;
    }
    return true;
}

// --- What is asked ---------------------------------------------------------------------------------------------------

static kifu_result reject(kifu_timeline *timeline, uint32_t type, const char *reason)
{
    kifu__error(&timeline->error, KIFU_REJECTED, "%s was rejected: %s", timeline->rules->types[type].table->name,
                reason);
    kifu__error_ends_in(&timeline->error, reason);
    return KIFU_REJECTED;
}

static kifu_result blocked(kifu_timeline *timeline, uint32_t type, const kifu__resolution *resolution,
                           const char *reason)
{
    kifu__error(&timeline->error, KIFU_REJECTED, "%s was blocked by %s (scope %s): %s",
                timeline->rules->types[type].table->name, resolution->hook, timeline->rules->scopes[resolution->scope],
                reason);
    kifu__error_ends_in(&timeline->error, reason);
    return KIFU_REJECTED;
}

static kifu_verdict check(kifu_timeline *timeline, kifu__proposal *proposal)
{
    const kifu__type *type = &timeline->rules->types[proposal->type];
    if (type->is_player && kifu_get_game(timeline)->phase == KIFU_PHASE_GAME_OVER)
        return kifu_reject("the game is over");
    if (!type->has_check)
        return kifu_accept();
    timeline->phase = KIFU__CHECKING;
    kifu_verdict verdict =
        timeline->rules->check(timeline, proposal->type, timeline->core.state, kifu__proposal_blob(proposal));
    timeline->phase = KIFU__IDLE;
    if (timeline->sync)
        kifu__sync_unchanged(timeline, timeline->executed, "the check of ", type->table->name);
    uint32_t own = verdict.instead ? 1 : 0;
    if (timeline->aside.count > own && !timeline->fault.result)
        kifu__fault(
            timeline, KIFU_MISUSE,
            "the check of %s submitted an event: a check accepts, rejects, or returns one event that it submitted "
            "by kifu_instead; what else is to happen, Do or a reaction submits",
            type->table->name);
    return verdict;
}

kifu_result kifu__resolve(kifu_timeline *timeline, kifu__proposal *proposal, const kifu__proposal *original,
                          kifu__resolution *resolution)
{
    const kifu__type *type = &timeline->rules->types[proposal->type];
    bool can_break = type->table->check_count || !type->table->flat;
    bool asked = type->has_check || (type->scope_count && timeline->hooks.count);
    // Who is asked relies on the schema, and may break it.
    if (asked && can_break && kifu__check_proposal(type->table, kifu__proposal_blob(proposal), &timeline->error))
        return timeline->error.result;
    if (timeline->aside.count)
        kifu__queue_cut(&timeline->aside, 0, 0);
    kifu_verdict verdict = check(timeline, proposal);
    bool by_hook = false;
    if (type->scope_count && timeline->hooks.count && !verdict.reason && !verdict.instead && !timeline->fault.result) {
        verdict = kifu__ask_hooks(timeline, proposal, resolution);
        by_hook = verdict.reason || verdict.instead;
    }
    if (timeline->fault.result)
        return kifu__take_fault(timeline);
    if (verdict.reason && by_hook)
        return blocked(timeline, proposal->type, resolution, verdict.reason);
    if (verdict.reason)
        return reject(timeline, proposal->type, verdict.reason);
    if (verdict.instead) {
        resolution->ticket = verdict.instead;
        resolution->instead = kifu__take_alternate(timeline, &timeline->aside, verdict.instead, original);
        return resolution->instead ? KIFU_OK : kifu__take_fault(timeline);
    }
    return can_break ? kifu__check_proposal(type->table, kifu__proposal_blob(proposal), &timeline->error) : KIFU_OK;
}

bool kifu__release_aside(kifu_timeline *timeline, kifu_ticket except, uint32_t cause)
{
    bool released = true;
    for (kifu__proposal *at = kifu__queue_first(&timeline->aside); at && released;
         at = kifu__queue_next(&timeline->aside, at)) {
        if (at->ticket == except)
            continue;
        at->cause = cause;
        released = kifu__queue_push(&timeline->consequences, &timeline->memory, at, kifu__proposal_blob(at));
        timeline->consequence_count++;
    }
    kifu__queue_cut(&timeline->aside, 0, 0);
    if (!released)
        kifu__fault(timeline, KIFU_NO_MEMORY, "out of memory for what a hook submitted");
    return released;
}
