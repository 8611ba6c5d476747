/// The turn loop, against a plain loop that submits the same events.
#include <stdio.h>

#include "contest.h"
#include "crowd.h"
#include "measure.h"

enum { USUAL = 100 };

typedef struct turning {
    uint32_t actors;
    uint32_t actions;         ///< In all.
    kifu_timeline *looped;    ///< Two games with the same log: by the loop,
    kifu_timeline *submitted; ///< and by hand.
} turning;

static kifu_timeline *begin(uint32_t actors)
{
    const kifu_options options = {.quiet = true};
    kifu_timeline *timeline;
    must(!kifu_create(&crowd_rules, &options, &timeline, NULL), "no timeline");
    crowd_submit_e_people(timeline, (uint16_t)actors);
    must(!kifu_run(timeline), "nobody came");
    return timeline;
}

static kifu_ticket walk(void *context, kifu_timeline *timeline, const void *state, kifu_handle actor, uint32_t attempt)
{
    (void)context;
    (void)state;
    (void)attempt;
    return crowd_submit_p_walk(timeline, -1, actor, 1);
}

static void play_loop(kifu_timeline *timeline, const turning *turning)
{
    for (uint32_t acted = 0; acted < turning->actions;) {
        kifu_turn turn;
        must(!kifu_take_turn(timeline, walk, NULL, &turn) && !kifu_run(timeline), "no turn");
        acted += turn.status == KIFU_TURN_ACTED;
    }
}

static double run_loop(void *context)
{
    const turning *turning = context;
    kifu_timeline *timeline = begin(turning->actors);
    double start = now();
    play_loop(timeline, turning);
    double time = now() - start;
    must(kifu_event_count(timeline) == 1 + 2 * turning->actions + turning->actions / turning->actors,
         "other events happened");
    kifu_destroy(timeline);
    return time;
}

static void play_by_hand(kifu_timeline *timeline, const turning *turning)
{
    const crowd_state *state = crowd_get_state(timeline);
    for (uint32_t turn = 0; turn < turning->actions / turning->actors; turn++) {
        crowd_submit_e_begin_turn(timeline);
        must(!kifu_run(timeline), "no turn");
        kifu_handle actor = KIFU_NO_HANDLE;
        while ((actor = crowd_next_beings(state, actor)) != KIFU_NO_HANDLE) {
            crowd_submit_p_walk(timeline, -1, actor, 1);
            must(!kifu_run(timeline), "no action");
            crowd_submit_e_spend_energy(timeline, actor, USUAL);
            must(!kifu_run(timeline), "no action");
        }
    }
}

static double run_by_hand(void *context)
{
    const turning *turning = context;
    kifu_timeline *timeline = begin(turning->actors);
    double start = now();
    play_by_hand(timeline, turning);
    double time = now() - start;
    kifu_destroy(timeline);
    return time;
}

static double replay_looped(void *context)
{
    return replay_all(((const turning *)context)->looped);
}

static double replay_submitted(void *context)
{
    return replay_all(((const turning *)context)->submitted);
}

static void replay_turn_rows(turning *turning, const scale *scale)
{
    turning->looped = begin(turning->actors);
    turning->submitted = begin(turning->actors);
    play_loop(turning->looped, turning);
    play_by_hand(turning->submitted, turning);
    contender contenders[] = {{"loop", replay_looped, 0}, {"by hand", replay_submitted, 0}};
    compare(contenders, 2, turning, scale->rounds, turning->actions);
    must(kifu_state_hash(turning->looped) == kifu_state_hash(turning->submitted), "the loop played another game");
    row("replay of these, per action", "%6.1f ns, submitted %6.1f: %6.2f x its time", contenders[0].ns,
        contenders[1].ns, last_ratio(0, 1));
    kifu_destroy(turning->looped);
    kifu_destroy(turning->submitted);
}

void turn_rows(const scale *scale)
{
    heading("The turn loop: each action is two events, PWalk and ESpendEnergy; against submitting these");
    for (uint32_t actors = 10; actors <= 1000; actors *= 10) {
        turning turning = {.actors = actors, .actions = scale->events / 4 / 1000 * 1000};
        char text[100];
        turning.actions = turning.actions ? turning.actions : 1000;
        contender contenders[] = {{"loop", run_loop, 0}, {"by hand", run_by_hand, 0}};
        compare(contenders, 2, &turning, scale->rounds, turning.actions);
        snprintf(text, sizeof text, "%u actors, per action", actors);
        goal_row(text, last_ratio(0, 1), true, 1.4, "%6.1f ns, submitted %6.1f: %6.2f x its time", contenders[0].ns,
                 contenders[1].ns, last_ratio(0, 1));
        if (actors == 1000)
            replay_turn_rows(&turning, scale);
    }
}
