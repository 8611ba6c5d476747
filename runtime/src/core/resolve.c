// Resolving: whether a proposal may happen, as its check and the hooks say, and what is tried instead.
//
// A check runs between two verifications against the schema: it may rely on required fields and enum values, and what
// it leaves must be valid, too.
//
// Only a live player's event must have a player who has joined, from the first EAddPlayer on, so that Do and check may
// use the player as an index. A replay accepts what was recorded. In a game with a pool of actors -1 is allowed,
// because monsters take the same actions as heroes.

#include "core/resolve.h"

#include <stdio.h>

// --- Alternates ------------------------------------------------------------------------------------------------------

bool kifu__move_alternate(kifu_timeline *timeline, kifu__queue *from, uint32_t bytes, kifu_ticket ticket,
                          const kifu__proposal *original)
{
    kifu__proposal *found = kifu__queue_find(from, ticket);
    if (!found || (unsigned char *)found < from->bytes + from->head + bytes) {
        kifu__fault(
            timeline, KIFU_MISUSE,
            "ticket %u names no event that was submitted there: give the ticket of a submit in the same function",
            (unsigned)ticket);
        return false;
    }
    kifu__proposal head = *original;
    const kifu__type *type = &timeline->rules->types[found->type];
    head.size = found->size;
    head.type = found->type;
    head.whole = false;
    head.player =
        timeline->rules->types[original->type].is_player && type->is_player ? original->player : found->player;
    // Undo stops at what a player decided, whatever came of it.
    const uint8_t stops = found->overridden ? 0 : KIFU_CONTINUE_UNDO;
    head.flags =
        original->overridden ? original->flags : (uint8_t)((found->flags & ~stops) | (original->flags & stops));
    if (type->never_undoable)
        head.flags &= (uint8_t)~KIFU_UNDOABLE;
    kifu__queue_cut(&timeline->alternate, 0, 0);
    if (!kifu__queue_push(&timeline->alternate, &timeline->memory, &head, kifu__proposal_blob(found))) {
        kifu__fault(timeline, KIFU_NO_MEMORY, "out of memory for the event to try instead");
        return false;
    }
    kifu__queue_remove(from, found);
    return true;
}

// --- What is asked ---------------------------------------------------------------------------------------------------

static kifu_result reject(kifu_timeline *timeline, uint32_t type, const kifu__resolution *resolution,
                          const char *reason)
{
    const char *name = timeline->rules->types[type].table->name;
    if (resolution->hook)
        kifu__error(&timeline->error, KIFU_REJECTED, "%s was rejected by %s (scope %s): %s", name, resolution->hook,
                    timeline->rules->scopes[resolution->scope], reason);
    else
        kifu__error(&timeline->error, KIFU_REJECTED, "%s was rejected: %s", name, reason);
    kifu__error_ends_in(&timeline->error, reason);
    return KIFU_REJECTED;
}

// Whether a player's event is of no player of the game. Where actors take turns, -1 stands for actors without a player.
static bool is_stranger(const kifu_timeline *timeline, const kifu__proposal *proposal)
{
    const kifu_rules *rules = timeline->rules;
    const int player = proposal->player, count = kifu__game(timeline)->player_count;
    if (!rules->types[proposal->type].is_player || (uint32_t)player < (uint32_t)count || !count)
        return false;
    return player != -1 || !rules->turns || !rules->turns->actors;
}

static kifu_result reject_stranger(kifu_timeline *timeline, const kifu__proposal *proposal,
                                   const kifu__resolution *resolution)
{
    char reason[80];
    const unsigned count = kifu__game(timeline)->player_count;
    snprintf(reason, sizeof reason, "there is no player %d, the game has %u player%s", proposal->player, count,
             count == 1 ? "" : "s");
    return reject(timeline, proposal->type, resolution, reason);
}

// What its check says, or has said when it was played directly.
static kifu_verdict call_check(kifu_timeline *timeline, kifu__proposal *proposal)
{
    kifu_verdict verdict;
    if (timeline->played.asked) {
        verdict = *timeline->played.asked;
        timeline->played.asked = NULL;
        return verdict;
    }
    timeline->core.phase = KIFU__CHECKING;
    verdict = timeline->rules->check(timeline, proposal->type, timeline->core.state, kifu__proposal_blob(proposal));
    timeline->core.phase = KIFU__IDLE;
    return verdict;
}

static KIFU__APART kifu_verdict run_check(kifu_timeline *timeline, kifu__proposal *proposal)
{
    const kifu__type *type = &timeline->rules->types[proposal->type];
    if (type->is_player && kifu__game(timeline)->phase == KIFU_PHASE_GAME_OVER)
        return kifu_reject("the game is over");
    if (!type->has_check)
        return kifu_accept();
    const uint32_t before = timeline->played.asked ? 0 : timeline->aside.count;
    kifu_verdict verdict = call_check(timeline, proposal);
    if (timeline->fault.result)
        kifu__fault_in(timeline, "the check of ", type->table->name);
    if (kifu__has_handler(timeline, ran))
        timeline->dispatch->ran(timeline, timeline->executed, "the check of ", type->table->name);
    if (timeline->aside.count > before + (verdict.instead ? 1 : 0) && !timeline->fault.result)
        kifu__fault(
            timeline, KIFU_MISUSE,
            "the check of %s submitted an event: it may only submit the one that it returns by kifu_instead; submit "
            "others in Do or a reaction",
            type->table->name);
    return verdict;
}

// What is not accepted: why, or what is tried instead.
static kifu_result turn_down(kifu_timeline *timeline, const kifu__proposal *proposal, kifu_verdict verdict,
                             const kifu__proposal *original, kifu__resolution *resolution)
{
    if (timeline->fault.result)
        return kifu__report_fault(timeline);
    if (verdict.reason)
        return reject(timeline, proposal->type, resolution, verdict.reason);
    resolution->instead =
        kifu__move_alternate(timeline, &timeline->aside, resolution->aside, verdict.instead, original);
    if (resolution->instead)
        return KIFU_OK;
    kifu__fault_in(timeline, resolution->hook ? "the hook " : "the check of ",
                   resolution->hook ? resolution->hook : timeline->rules->types[proposal->type].table->name);
    return kifu__report_fault(timeline);
}

static bool is_broken(kifu_timeline *timeline, const kifu__type *type, kifu__proposal *proposal)
{
    return (type->table->check_count || !type->table->flat) &&
           kifu__check_proposal(type->table, kifu__proposal_blob(proposal), &timeline->error);
}

kifu_result kifu__resolve(kifu_timeline *timeline, kifu__proposal *proposal, const kifu__proposal *original,
                          kifu__resolution *resolution)
{
    const kifu__type *type = &timeline->rules->types[proposal->type];
    const bool trusted = timeline->running.trusted == proposal->ticket;
    timeline->running.trusted = 0; // What is tried in its place has the same ticket, and is asked.
    if (!trusted && is_stranger(timeline, proposal))
        return reject_stranger(timeline, proposal, resolution);
    // A check or hook relies on the schema, and may break it.
    if (!trusted && (type->has_check || kifu__is_hooked(timeline, proposal->type)) &&
        is_broken(timeline, type, proposal))
        return timeline->error.result;
    resolution->aside = timeline->played.asked ? 0 : timeline->aside.tail;
    kifu_verdict verdict = trusted ? kifu_accept() : run_check(timeline, proposal);
    if (!timeline->fault.result && !verdict.reason && !verdict.instead) {
        if (!trusted && is_broken(timeline, type, proposal))
            return timeline->error.result;
        if (!kifu__is_hooked(timeline, proposal->type))
            return KIFU_OK;
        verdict = timeline->dispatch->asked(timeline, proposal, resolution);
        if (!timeline->fault.result && !verdict.reason && !verdict.instead)
            return KIFU_OK;
    }
    return turn_down(timeline, proposal, verdict, original, resolution);
}

kifu_result kifu__resolve_asked(kifu_timeline *timeline, kifu__proposal *proposal, const kifu__proposal *original,
                                kifu__resolution *resolution, kifu_verdict verdict)
{
    timeline->played.asked = &verdict;
    const kifu_result result = kifu__resolve(timeline, proposal, original, resolution);
    timeline->played.asked = NULL;
    return result;
}

kifu_outcome kifu__outcome_of(kifu_ticket ticket, kifu_result result, uint32_t event, uint32_t type,
                              const kifu__resolution *resolution)
{
    const bool blocked = result == KIFU_REJECTED && resolution->hook;
    return (kifu_outcome){
        .ticket = ticket,
        .result = result,
        .event = event,
        .type = type,
        .scope = blocked ? resolution->scope : KIFU_NONE,
        .subject = blocked ? resolution->subject : KIFU_NO_SUBJECT,
    };
}

bool kifu__release_aside(kifu_timeline *timeline, uint32_t cause)
{
    kifu__queue *aside = &timeline->aside, *consequences = &timeline->consequences;
    const uint32_t count = aside->count, size = aside->tail - aside->head;
    if (timeline->running.consequence_count + count > timeline->options.max_consequences) {
        kifu__fault(timeline, KIFU_RUNAWAY, "a hook submitted one consequence too many");
        return false;
    }
    if (!kifu__queue_room(consequences, &timeline->memory, 0, size)) {
        kifu__fault(timeline, KIFU_NO_MEMORY, "out of memory for what a hook submitted");
        return false;
    }
    for (kifu__proposal *at = kifu__queue_first(aside); at; at = kifu__queue_next(aside, at)) {
        at->cause = cause;
        (void)kifu__queue_push(consequences, &timeline->memory, at, kifu__proposal_blob(at)); // There is room.
    }
    timeline->running.consequence_count += count;
    kifu__queue_cut(aside, 0, 0);
    return true;
}
