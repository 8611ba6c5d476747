// Operations that play.

#include "step.h"

// A submit without memory is told by the next call, which does nothing else.
static void take_fault(walk *walk)
{
    if (!walk->ticket && walk->memory.failed) {
        walk_say(walk, "(void)!kifu_step(timeline);");
        (void)!kifu_step(walk->timeline);
    }
}

typedef enum then_run { THEN_NOTHING, THEN_STEP, THEN_RUN, THEN_UPDATE } then_run;

static bool one_waits(const walk *walk)
{
    return kifu_pending_count(walk->timeline) <= 1;
}

static void walk_run_then(walk *walk, const walk_op *op, then_run then)
{
    const bool one = one_waits(walk) || then == THEN_STEP;
    if (then == THEN_NOTHING)
        return;
    walk_arm(walk, op);
    if (then == THEN_STEP) {
        walk_say(walk, "(void)!kifu_step(timeline);");
        (void)!kifu_step(walk->timeline);
    } else if (then == THEN_RUN) {
        walk_say(walk, "(void)!kifu_run(timeline);");
        (void)!kifu_run(walk->timeline);
    } else {
        walk_say(walk, "(void)!kifu_update(timeline, 1);");
        (void)!kifu_update(walk->timeline, 1);
    }
    const bool starved = walk_disarm(walk);
    walk_played(walk, "after a run", one, starved);
}

static void submit_then(walk *walk, const walk_op *op, then_run then)
{
    walk_arm(walk, op);
    const kifu_result result = walk->game->input(walk, WALK_SUBMIT, op->a, op->b);
    const bool starved = walk_disarm(walk);
    if (result && !starved)
        return;
    take_fault(walk);
    walk_played(walk, "after a submit", true, starved);
    walk_run_then(walk, &(walk_op){.fail = op->fail ? op->fail + 7 : 0}, then);
}

void walk_op_submit_run(walk *walk, const walk_op *op)
{
    submit_then(walk, op, THEN_RUN);
}

void walk_op_submit_step(walk *walk, const walk_op *op)
{
    submit_then(walk, op, THEN_STEP);
}

void walk_op_submit(walk *walk, const walk_op *op)
{
    submit_then(walk, op, THEN_NOTHING);
}

void walk_op_run(walk *walk, const walk_op *op)
{
    walk_run_then(walk, op, op->a % 4 ? THEN_RUN : THEN_UPDATE);
}

void walk_op_step(walk *walk, const walk_op *op)
{
    walk_run_then(walk, op, THEN_STEP);
}

void walk_op_play(walk *walk, const walk_op *op)
{
    const bool one = kifu_pending_count(walk->timeline) == 0;
    walk_arm(walk, op);
    const kifu_result result = walk->game->input(walk, WALK_PLAY, op->a, op->b);
    const bool starved = walk_disarm(walk);
    if (result != KIFU_UNSUPPORTED)
        walk_played(walk, "after playing directly", one, starved);
}

void walk_op_engine(walk *walk, const walk_op *op)
{
    if (!walk->game->engine)
        return;
    walk_arm(walk, op);
    walk->game->engine(walk, op->a);
    const bool starved = walk_disarm(walk);
    take_fault(walk);
    walk_played(walk, "after an engine event", true, starved);
    walk_run_then(walk, &(walk_op){.fail = op->fail ? op->fail + 5 : 0},
                  op->b % 4   ? THEN_RUN
                  : op->b % 8 ? THEN_STEP
                              : THEN_NOTHING);
}

void walk_op_best(walk *walk, const walk_op *op)
{
    if (!walk->game->bot)
        return;
    const kifu_thinking thinking = {.tries = 1 + op->a % 8, .seed = op->b % 4};
    walk_arm(walk, op);
    walk_say(walk, "paste_best(timeline, %u, %u);", thinking.tries, op->b % 4);
    (void)!kifu_play_best(walk->timeline, walk->game->bot, &thinking);
    const bool starved = walk_disarm(walk);
    walk_played(walk, "after the best move", false, starved);
}

// An event of the log once more, as bytes.
static void submit_again(walk *walk, const walk_op *op, bool trusted)
{
    const uint32_t first = kifu_first_event(walk->timeline), count = kifu_event_count(walk->timeline);
    kifu_event event;
    if (count == first || !kifu_event_at(walk->timeline, first + op->a % (count - first), &event))
        return;
    kifu_buffer buffer = {0};
    walk_arm(walk, op);
    walk_say(walk, "paste_bytes(timeline, %u, %d, %s);", event.index, event.player, trusted ? "true" : "false");
    const bool one = kifu_pending_count(walk->timeline) == 0;
    kifu_result result = kifu_event_bytes(walk->timeline, event.index, &buffer);
    if (!result)
        result = (trusted ? kifu_submit_trusted_bytes : kifu_submit_bytes)(walk->timeline, event.player, buffer.data,
                                                                           buffer.size, NULL);
    const bool starved = walk_disarm(walk);
    kifu_free_buffer(&buffer);
    const bool may = trusted || walk->game->rules->types[event.type].is_player;
    walk_expect(walk, "bytes", starved || !result == may || result == KIFU_REJECTED, "bytes of an event", result);
    if (!result)
        (void)!kifu_run(walk->timeline);
    walk_played(walk, "after bytes", one, starved);
}

void walk_op_bytes(walk *walk, const walk_op *op)
{
    submit_again(walk, op, false);
}

void walk_op_trusted_bytes(walk *walk, const walk_op *op)
{
    submit_again(walk, op, true);
}

void walk_op_turn(walk *walk, const walk_op *op)
{
    if (!walk->game->decide)
        return;
    kifu_rng rng;
    kifu_turn turn;
    kifu_rng_seed(&rng, op->a % 32, 3);
    const bool one = kifu_pending_count(walk->timeline) == 0;
    walk_arm(walk, op);
    walk_say(walk, "paste_turn(timeline, &crawl_fuzz_hooks, %u);", op->a % 32);
    (void)!kifu_take_turn(walk->timeline, walk->game->decide, &rng, &turn);
    const bool starved = walk_disarm(walk);
    walk_played(walk, "after a turn", one, starved);
    walk_run_then(walk, &(walk_op){.fail = 0}, op->b % 3 ? THEN_RUN : op->b % 2 ? THEN_STEP : THEN_NOTHING);
}

void walk_op_set_action(walk *walk, const walk_op *op)
{
    if (!walk->game->actor)
        return;
    const kifu_handle actor = walk->game->actor(walk->timeline, op->a);
    walk->ticket = 0;
    walk_arm(walk, op);
    if (op->b % 4)
        (void)!walk->game->input(walk, WALK_SUBMIT, op->a / 8, op->b / 4);
    walk_say(walk, "(void)!kifu_set_action(timeline, %u, ticket);", actor);
    if (walk->ticket || !(op->b % 4))
        (void)!kifu_set_action(walk->timeline, actor, walk->ticket);
    const bool starved = walk_disarm(walk);
    take_fault(walk);
    walk_played(walk, "after an action was set", true, starved);
}

void walk_op_drop(walk *walk, const walk_op *op)
{
    (void)op;
    walk_say(walk, "(void)!kifu_drop_inputs(timeline);");
    (void)!kifu_drop_inputs(walk->timeline);
    walk_played(walk, "after inputs were dropped", true, false);
}

void walk_op_override(walk *walk, const walk_op *op)
{
    if (walk->game->input(walk, WALK_SUBMIT, op->a, op->b) || !walk->ticket)
        return;
    walk_say(walk, "(void)!kifu_override(timeline, ticket, %s, %s);", op->a % 3 ? "true" : "false",
             op->b % 2 ? "true" : "false");
    (void)!kifu_override(walk->timeline, walk->ticket, op->a % 3 != 0, op->b % 2 != 0);
    walk_played(walk, "after an override", true, false);
    walk_run_then(walk, &(walk_op){.fail = 0}, op->b % 4 ? THEN_RUN : THEN_NOTHING);
}

void walk_op_try(walk *walk, const walk_op *op)
{
    const walk_how how = op->b / 2 % 4 ? WALK_TRY : WALK_CAN;
    walk_arm(walk, op);
    const kifu_result result = walk->game->input(walk, how, op->a, op->b);
    walk_disarm(walk);
    if (how == WALK_TRY && !result) {
        if (op->a % 2 && !walk->game->input(walk, how, op->a / 2, op->b)) {
            walk_say(walk, "(void)!kifu_take_back(timeline);");
            (void)!kifu_take_back(walk->timeline);
        }
        walk_say(walk, "(void)!kifu_take_back(timeline);");
        (void)!kifu_take_back(walk->timeline);
    }
    walk_played(walk, "after a try", true, true);
}
