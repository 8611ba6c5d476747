/// Allocations per event, once a game is under way.
#include <stdlib.h>

#include "contest.h"
#include "crowd.h"
#include "hooked.h"
#include "measure.h"

enum {
    WARM_UP = 10,
    ACTORS = 100,
    GAME_TURNS = 2 * (ACTORS + 1) ///< Two of them, in steps of the loop.
};

typedef struct counter {
    uint32_t calls;
} counter;

static void *count_calls(void *context, void *block, size_t size)
{
    counter *counter = context;
    if (size) {
        counter->calls++;
        return realloc(block, size);
    }
    free(block);
    return NULL;
}

static kifu_verdict pass(void *context, kifu_timeline *timeline, const void *state, kifu_proposed *proposed)
{
    (void)context;
    (void)timeline;
    (void)state;
    (void)proposed;
    return kifu_accept();
}

static void follow(void *context, kifu_timeline *timeline, const kifu_outcome *outcome)
{
    (void)context;
    (void)timeline;
    (void)outcome;
}

/// Uses hooks, alternates, followers, a pool and timed events and takes it all back, so that the log
/// does not grow.
static void use_all(kifu_timeline *timeline)
{
    must(!kifu_begin(timeline, KIFU_SEARCH), "no search began");
    must(!kifu_follow(timeline, hooked_submit_e_hookable(timeline, 1, 1), follow, NULL), "not followed");
    hooked_submit_e_try(timeline, 2, 1);
    hooked_submit_e_fall(timeline, 3, 1);
    hooked_submit_e_work(timeline, HOOKED_WORK_POOL_REPLACE);
    must(!kifu_postpone(timeline, hooked_submit_e_step(timeline, 4, 1), 1, 1), "not postponed");
    hooked_submit_e_begin_turn(timeline);
    must(!kifu_run(timeline) && !kifu_roll_back(timeline), "an event did not happen");
}

static kifu_ticket walk(void *context, kifu_timeline *timeline, const void *state, kifu_handle actor, uint32_t attempt)
{
    (void)context;
    (void)state;
    (void)attempt;
    return crowd_submit_p_walk(timeline, -1, actor, 1);
}

static void take_turns(kifu_timeline *timeline, uint32_t count)
{
    kifu_turn turn;
    must(!kifu_begin(timeline, KIFU_SEARCH), "no search began");
    for (uint32_t i = 0; i < count; i++)
        must(!kifu_take_turn(timeline, walk, NULL, &turn) && !kifu_run(timeline), "no turn");
    must(!kifu_roll_back(timeline), "not taken back");
}

static void turn_allocation_rows(uint32_t times)
{
    counter counter = {0};
    const kifu_options options = {.quiet = true, .allocate = count_calls, .allocate_context = &counter};
    kifu_timeline *timeline;
    must(!kifu_create(&hooked_rules, &options, &timeline, NULL), "no timeline");
    must(!kifu_observe(
             timeline,
             &(kifu_observer){.hook = pass, .scope = HOOKED_SCOPE_HEAP, .subject = KIFU_ANY_SUBJECT, .name = "pass"}),
         "no hook");
    for (uint32_t i = 0; i < WARM_UP; i++)
        use_all(timeline);
    counter.calls = 0;
    for (uint32_t i = 0; i < times; i++)
        use_all(timeline);
    goal_row("hooks, alternates, pools, timed events", counter.calls, true, 0, "%8u in %u of each", counter.calls,
             times);
    kifu_destroy(timeline);

    must(!kifu_create(&crowd_rules, &options, &timeline, NULL), "no timeline");
    crowd_submit_e_people(timeline, ACTORS);
    must(!kifu_run(timeline), "nobody came");
    for (uint32_t i = 0; i < WARM_UP; i++)
        take_turns(timeline, GAME_TURNS);
    counter.calls = 0;
    for (uint32_t i = 0; i < times / 200 + 1; i++)
        take_turns(timeline, GAME_TURNS);
    goal_row("two game turns of 100 actors", counter.calls, true, 0, "%8u in %u of each", counter.calls,
             times / 200 + 1);
    kifu_destroy(timeline);
}

void allocation_rows(const scale *scale)
{
    counter counter = {0};
    const kifu_options options = {.allocate = count_calls, .allocate_context = &counter};
    const uint32_t half = scale->events / 2;
    item *items = malloc(scale->events * sizeof *items);
    must(items, "out of memory");
    make_mix(items, scale->events, 20);
    heading("Allocations, in a game that is under way");
    kifu_timeline *timeline = play(&options, items, half);

    counter.calls = 0;
    play_on(timeline, items + half, half);
    const double per_event = (double)counter.calls / half;
    goal_row("append, per event", per_event, true, 0.001, "%8.5f (%u in %u events: new segments, hashes along the log)",
             per_event, counter.calls, half);

    const uint32_t chains = half / 4;
    must(!kifu_undo(timeline) && !kifu_redo(timeline), "undo and redo");
    counter.calls = 0;
    for (uint32_t i = 0; i < chains; i++)
        must(!kifu_undo(timeline) && !kifu_redo(timeline), "undo and redo");
    goal_row("undo and redo of a chain", counter.calls, true, 0, "%8u in %u of each", counter.calls, chains);

    counter.calls = 0;
    replay_all(timeline);
    goal_row("replay", counter.calls, true, 0, "%8u in %u events", counter.calls, kifu_event_count(timeline));
    kifu_destroy(timeline);
    free(items);
    turn_allocation_rows(half / 20);
}
