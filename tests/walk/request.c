// Operations that play and go by requests in bytes.

#include "step.h"

enum { MOST_EVENTS = 3 };

// What must be as before, also inside of a transaction.
typedef struct was {
    uint32_t place, can_undo, can_redo, waiting;
    uint64_t hash;
} was;

static was was_of(const kifu_timeline *timeline)
{
    return (was){kifu_event_count(timeline), kifu_can_undo(timeline, NULL), kifu_can_redo(timeline, NULL),
                 kifu_pending_count(timeline), kifu_state_hash(timeline)};
}

// The request was refused: all of it.
static void expect_nothing(walk *walk, const was *before, const char *what)
{
    const was now = was_of(walk->timeline);
    if (now.place != before->place || now.can_undo != before->can_undo || now.can_redo != before->can_redo ||
        now.waiting != before->waiting || now.hash != before->hash)
        walk_fail("request", "%s: at event %u, undo %u, redo %u, %u waiting; before: at event %u, undo %u, redo %u, %u",
                  what, now.place, now.can_undo, now.can_redo, now.waiting, before->place, before->can_undo,
                  before->can_redo, before->waiting);
    if (walk->open)
        walk_expect_before(walk, what);
    else
        walk_expect_same(walk, what);
}

// Events of players out of the log, which are played once more by the player of the first one. Returns how many.
static uint32_t choose(const walk *walk, const walk_op *op, uint32_t *chosen, int *player)
{
    const uint32_t first = kifu_first_event(walk->timeline), count = kifu_event_count(walk->timeline) - first;
    uint32_t found = 0, draw = op->a;
    for (uint32_t i = 0; count && i < 1 + op->b % MOST_EVENTS; i++, draw /= 7) {
        kifu_event event;
        for (uint32_t tried = 0; tried < count; tried++) {
            const uint32_t number = first + (draw + tried) % count;
            if (!kifu_event_at(walk->timeline, number, &event) || !walk->game->rules->types[event.type].is_player)
                continue;
            if (!found)
                *player = event.player;
            chosen[found++] = number;
            break;
        }
    }
    return found;
}

void walk_op_batch(walk *walk, const walk_op *op)
{
    uint32_t chosen[MOST_EVENTS] = {0};
    int player = 0;
    const uint32_t count = choose(walk, op, chosen, &player);
    kifu_buffer batch = {0}, one = {0};
    kifu_result result = KIFU_OK;
    if (!count)
        return;
    const was before = was_of(walk->timeline);
    walk_say(walk, "paste_batch(timeline, %u, %u, %u, %u, %d);", count, chosen[0], chosen[1], chosen[2], player);
    walk_arm(walk, op);
    for (uint32_t i = 0; i < count && !result; i++) {
        result = kifu_event_bytes(walk->timeline, chosen[i], &one);
        if (!result)
            result = kifu_add_bytes(walk->timeline, &batch, one.data, one.size);
    }
    if (!result)
        result = kifu_run_request(walk->timeline, player, batch.data, batch.size);
    const bool starved = walk_disarm(walk);
    kifu_free_buffer(&batch);
    kifu_free_buffer(&one);
    if (result)
        expect_nothing(walk, &before, "after a batch that was refused");
    else if (walk->open)
        walk_expect_before(walk, "after a batch");
    else
        walk_expect_grown(walk, "after a batch",
                          &(walk_growth){.variations = walk->variations,
                                         .promotes = walk->config.promotes,
                                         .one_input = count == 1,
                                         .starved = starved,
                                         .commit = count > 1});
}

// The request is made here, and executed here; or refused here, as it is in any other place.
static kifu_result go(walk *walk, const walk_op *op, bool forward, uint32_t steps, const was *before, bool *starved)
{
    kifu_buffer request = {0};
    walk_say(walk, "paste_request(timeline, %s, %u);", forward ? "true" : "false", steps);
    walk_arm(walk, op);
    kifu_result result = (forward ? kifu_redo_bytes : kifu_undo_bytes)(walk->timeline, steps, &request);
    if (!result) {
        request.data[20] ^= 1; // of another state
        const kifu_result stale = kifu_run_request(walk->timeline, -1, request.data, request.size);
        walk_expect(walk, "request", stale == KIFU_REJECTED || stale == KIFU_MISUSE || stale == KIFU_NO_MEMORY,
                    "a request of another place", stale);
        request.data[20] ^= 1;
        result = kifu_run_request(walk->timeline, -1, request.data, request.size);
    }
    *starved = walk_disarm(walk);
    kifu_free_buffer(&request);
    if (result) {
        const bool good = result == KIFU_MISUSE || result == KIFU_NOT_UNDOABLE || result == KIFU_NOTHING_TO_UNDO ||
                          result == KIFU_NOTHING_TO_REDO || (result == KIFU_NO_MEMORY && *starved);
        walk_expect(walk, "request", good, "a request", result);
        expect_nothing(walk, before, "after a request that was refused");
    }
    return result;
}

void walk_op_ask_undo(walk *walk, const walk_op *op)
{
    bool starved;
    const uint32_t steps = 1 + op->a % 3;
    const was before = was_of(walk->timeline);
    if (go(walk, op, false, steps, &before, &starved)) {
        if (steps == 1 && before.can_undo && !before.waiting && !starved)
            walk_fail("request", "an undo is possible, and refused");
        return;
    }
    if (walk->open) {
        walk_expect_before(walk, "after a request to undo");
        return;
    }
    walk_tree got;
    walk_see(walk->timeline, &got, "after a request to undo");
    for (uint32_t step = 1; step <= steps; step++) {
        walk_tree there = got;
        if (step < steps) { // on the way
            there.place = walk->tree.place - walk_undo_count(&walk->tree, walk->game->rules, walk->tree.first);
            there.waiting.count = 0;
        }
        const char *why = walk_undone(&walk->tree, &there, walk->game->rules, walk->tree.first);
        if (why)
            walk_fail("request", "%s", why);
    }
    walk_accept(walk, &got, "after a request to undo");
}

void walk_op_ask_redo(walk *walk, const walk_op *op)
{
    bool starved;
    const was before = was_of(walk->timeline);
    if (go(walk, op, true, 1, &before, &starved)) {
        if (before.can_redo && !before.waiting && !starved)
            walk_fail("request", "a redo is possible, and refused");
        return;
    }
    if (walk->open) {
        walk_expect_before(walk, "after a request to redo");
        return;
    }
    walk_tree got;
    walk_see(walk->timeline, &got, "after a request to redo");
    const char *why = walk_redone(&walk->tree, &got);
    if (why)
        walk_fail("request", "%s", why);
    walk_accept(walk, &got, "after a request to redo");
}
