// The turn loop: whose turn it is, and what it costs. All that it decides is in the log, as engine events.
//
// Energy is subtracted, so what is left over counts in the next game turn, and rates are exact. It is spent last:
// `kifu.ESpendEnergy` is submitted after the action's Do has returned and has set the cost, so it comes after the
// consequences that this Do submitted. An actor that died meanwhile pays nothing.
//
// Actions with endless consequences count as failed attempts. They are taken back whole in a later call than the one
// that began them; a computer would choose the same action again forever.
//
// The action of an actor is heard of only while it runs (`acted` in core/part.h): the loop sets the bit of that
// function and clears it again, so every other event pays nothing for the loop.

#include "turns/turns.h"

#include "core/attempt.h"

// How often an AI actor may choose what cannot happen before it rests.
enum { MOST_ATTEMPTS = 8 };

// --- In the state ----------------------------------------------------------------------------------------------------

static const kifu__turn_rules *turn_rules_of(const kifu_timeline *timeline)
{
    return timeline->rules->turns;
}

static kifu_turns turns_of(const kifu_timeline *timeline)
{
    kifu_turns turns;
    memcpy(&turns, timeline->core.state + turn_rules_of(timeline)->turns_offset, sizeof turns);
    if (!turns.cost)
        turns.cost = KIFU_USUAL_COST;
    return turns;
}

static uint32_t offset_of_actor(const kifu_timeline *timeline, uint32_t index)
{
    const kifu__turn_rules *rules = turn_rules_of(timeline);
    return rules->actors->offset + index * rules->actors->stride + rules->actor_offset;
}

static kifu_actor actor_at(const kifu_timeline *timeline, uint32_t index)
{
    kifu_actor actor;
    memcpy(&actor, timeline->core.state + offset_of_actor(timeline, index), sizeof actor);
    return actor;
}

// The first slot from `index` on with an actor that takes turns and has so much energy; the number of slots: none has.
static uint32_t next_actor(const kifu_timeline *timeline, uint32_t index, int64_t energy)
{
    const kifu__turn_rules *rules = turn_rules_of(timeline);
    const uint32_t count = rules->actors->count, stride = rules->actors->stride;
    const unsigned char *slot = (const unsigned char *)kifu__pool_slot(timeline->core.state, rules->actors, index);
    uint32_t left = index < count ? count - index : 0;
    for (; left; left--, slot += stride) {
        const kifu_actor *actor = (const kifu_actor *)(const void *)(slot + rules->actor_offset);
        if (((const kifu_slot *)(const void *)slot)->generation & 1 && actor->speed > 0 && actor->energy >= energy)
            break;
    }
    return count - left;
}

static void edit_energy(kifu_timeline *timeline, uint32_t index, int64_t energy)
{
    energy = energy > INT32_MAX ? INT32_MAX : energy < INT32_MIN ? INT32_MIN : energy;
    uint32_t offset = offset_of_actor(timeline, index) + (uint32_t)offsetof(kifu_actor, energy);
    *(int32_t *)kifu__edit_scalar(timeline, offset) = (int32_t)energy;
}

static uint32_t *edit_turns(kifu_timeline *timeline, size_t member)
{
    uint32_t offset = turn_rules_of(timeline)->turns_offset + (uint32_t)member;
    return (uint32_t *)kifu__edit_scalar(timeline, offset);
}

// --- Do --------------------------------------------------------------------------------------------------------------

kifu_result kifu_do_e_begin_turn(kifu_timeline *timeline, const kifu_game *game, const kifu_e_begin_turn *event)
{
    (void)game;
    (void)event;
    const kifu__pool *actors = turn_rules_of(timeline)->actors;
    const uint32_t turn = turns_of(timeline).turn + 1;
    *edit_turns(timeline, offsetof(kifu_turns, turn)) = turn;
    *edit_turns(timeline, offsetof(kifu_turns, current)) = 0;
    const uint32_t count = actors ? actors->count : 0; // A game may have timers alone.
    for (uint32_t index = 0; index < count && (index = next_actor(timeline, index, INT64_MIN)) < count; index++) {
        const kifu_actor actor = actor_at(timeline, index);
        edit_energy(timeline, index, (int64_t)actor.energy + actor.speed);
    }
    return kifu__fire_timers(timeline, turn);
}

kifu_result kifu_do_e_spend_energy(kifu_timeline *timeline, const kifu_game *game, const kifu_e_spend_energy *event)
{
    (void)game;
    uint32_t index = kifu_handle_index(event->actor);
    if (!kifu__pool_get(timeline->core.state, turn_rules_of(timeline)->actors, event->actor))
        return KIFU_OK; // It did not survive its own action.
    edit_energy(timeline, index, (int64_t)actor_at(timeline, index).energy - event->cost);
    *edit_turns(timeline, offsetof(kifu_turns, current)) = index;
    return KIFU_OK;
}

kifu_ticket kifu__submit_cost(kifu_timeline *timeline, kifu_handle actor, const uint32_t *cost)
{
    const kifu_e_spend_energy spend = {.actor = actor, .cost = cost ? *cost : turns_of(timeline).cost};
    return kifu__submit(timeline, turn_rules_of(timeline)->spend_energy, -1, &spend, sizeof spend);
}

// --- The loop --------------------------------------------------------------------------------------------------------

// The same as a handle; KIFU_NO_HANDLE: none has.
static kifu_handle find_next_actor(const kifu_timeline *timeline, uint32_t index, int64_t energy)
{
    return kifu__pool_handle_at(timeline->core.state, turn_rules_of(timeline)->actors,
                                next_actor(timeline, index, energy));
}

// Runs the one input that waits as the action of an actor. If it does not happen, it does not go on.
static kifu_result run_action(kifu_timeline *timeline, kifu__turns *turns, kifu_handle actor)
{
    kifu__begin_action(timeline, turns, actor);
    kifu_result result = kifu_step(timeline);
    kifu__end_action(timeline);
    if (timeline->executed == turns->kept.begun_at)
        kifu__remove_action(turns, turns->kept.next);
    return result;
}

// For want of memory an action may still wait: not as an input, which would cost nothing.
static bool take_out_input(kifu_timeline *timeline, kifu_ticket ticket)
{
    kifu__proposal *input = timeline->inputs.count ? kifu__queue_find(&timeline->inputs, ticket) : NULL;
    if (input)
        kifu__queue_remove(&timeline->inputs, input);
    return input != NULL;
}

// An action whose consequences never end is taken back whole, but only after the call that began it: those count, too.
static uint32_t failed_before(const kifu_timeline *timeline, kifu__turns *turns, kifu_handle actor)
{
    if (turns->kept.actor != actor || turns->kept.begun_at != timeline->executed)
        turns->kept.runaways = 0;
    return turns->kept.runaways;
}

static kifu_result run_set_action(kifu_timeline *timeline, kifu__turns *turns, kifu__proposal *action, kifu_turn *turn)
{
    kifu__proposal head = *action;
    const bool begun = head.flags & KIFU__GOES_ON;
    head.flags &= (uint8_t)~KIFU__GOES_ON;
    head.cause = KIFU_NONE;
    if (!kifu__queue_push(&timeline->inputs, &timeline->memory, &head, kifu__proposal_blob(action)))
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for an action; it is still set");
    kifu_result result = run_action(timeline, turns, turn->actor);
    if (!take_out_input(timeline, head.ticket))
        kifu__remove_action(turns, head.ticket);
    turn->status = !kifu__is_refusal(result) ? KIFU_TURN_ACTED : begun ? KIFU_TURN_ENDED : KIFU_TURN_REFUSED;
    return kifu__is_refusal(result) ? KIFU_OK : result;
}

// One event runs on account of the loop itself.
static kifu_result run_own(kifu_timeline *timeline, kifu_ticket ticket)
{
    return ticket ? kifu_step(timeline) : kifu__report_fault(timeline);
}

static kifu_result bad_decision(kifu_timeline *timeline, kifu_ticket ticket)
{
    const uint32_t count = timeline->inputs.count;
    return kifu__error(&timeline->error, KIFU_MISUSE,
                       "kifu_take_turn: the function that decides %s; it must submit one event and return its ticket",
                       count > 1 ? "submitted more than one event"
                       : !count  ? "returned a ticket that names no waiting event"
                       : !ticket ? "submitted an event and returned 0"
                                 : "returned another ticket than that of its event");
}

// What an AI actor does, or that it has nothing to do.
static kifu_result run_decision(kifu_timeline *timeline, kifu__turns *turns, kifu_decide *decide, void *context,
                                kifu_turn *turn)
{
    for (uint32_t attempt = failed_before(timeline, turns, turn->actor); attempt < MOST_ATTEMPTS; attempt++) {
        kifu_ticket ticket = decide ? decide(context, timeline, timeline->core.state, turn->actor, attempt) : 0;
        if (timeline->fault.result) {
            kifu__fault_in(timeline, "the function that decides", "");
            return kifu__report_fault(timeline);
        }
        kifu__proposal *action = kifu__queue_first(&timeline->inputs);
        if (!ticket && !action) {
            turn->status = KIFU_TURN_NEEDS_INPUT;
            return KIFU_OK;
        }
        if (!ticket || !action || action->ticket != ticket || timeline->inputs.count != 1)
            return bad_decision(timeline, ticket);
        action->flags |= KIFU_CONTINUE_UNDO; // so that undo leads back to an action of a player
        kifu_result result = run_action(timeline, turns, turn->actor);
        turn->status = KIFU_TURN_ACTED;
        take_out_input(timeline, ticket);
        if (!kifu__is_refusal(result))
            return result;
    }
    turn->status = KIFU_TURN_RESTED;
    return run_own(timeline, kifu__submit_cost(timeline, turn->actor, NULL));
}

static bool has_turns(const kifu_timeline *timeline)
{
    return turn_rules_of(timeline) && turn_rules_of(timeline)->actors;
}

kifu_result kifu__require_turns(kifu_timeline *timeline, const char *call)
{
    kifu_result result = kifu__is_calm(timeline) ? KIFU_OK : kifu__require_calm(timeline, call);
    if (result)
        return result;
    if (!has_turns(timeline))
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "%s: this game has no turn loop: its schema needs a pool with the attribute (actors)", call);
    return kifu__require_present(timeline, call);
}

kifu_result kifu_take_turn(kifu_timeline *timeline, kifu_decide *decide, void *context, kifu_turn *turn)
{
    *turn = (kifu_turn){.status = KIFU_TURN_BUSY};
    const bool calm = kifu__is_calm(timeline) && has_turns(timeline);
    kifu_result result = calm ? KIFU_OK : kifu__require_turns(timeline, "kifu_take_turn");
    if (result || !kifu_is_idle(timeline))
        return result;
    const kifu_turns now = turns_of(timeline);
    turn->actor = find_next_actor(timeline, now.current, now.cost);
    if (kifu__game(timeline)->phase == KIFU_PHASE_GAME_OVER ||
        (!turn->actor && !find_next_actor(timeline, 0, INT64_MIN))) {
        *turn = (kifu_turn){.status = KIFU_TURN_NO_ACTORS};
        return KIFU_OK;
    }
    if (!turn->actor) {
        const kifu_e_begin_turn begin = {0};
        turn->status = KIFU_TURN_BEGAN;
        return run_own(timeline, kifu__submit(timeline, turn_rules_of(timeline)->begin_turn, -1, &begin, sizeof begin));
    }
    kifu__turns *turns = kifu__turns_attach(timeline);
    if (!turns)
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for an action");
    kifu__proposal *action = kifu__find_action(turns, turn->actor);
    return action ? run_set_action(timeline, turns, action, turn)
                  : run_decision(timeline, turns, decide, context, turn);
}
