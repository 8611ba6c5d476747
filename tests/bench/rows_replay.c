/// Replay: executing the log again from an empty state, against the loop that a programmer would write without Kifu.
#include <stdio.h>
#include <string.h>

#include "contest.h"
#include "measure.h"

typedef struct replays {
    contest contest;
    kifu_timeline *timeline;
    kifu_timeline *bare; ///< The same, without keyframes and hashes.
} replays;

static double run_replay(void *context)
{
    return replay_all(((replays *)context)->timeline);
}

static double run_bare(void *context)
{
    return replay_all(((replays *)context)->bare);
}

static double run_loop(void *context)
{
    replays *replays = context;
    model model;
    memset(&model, 0, sizeof model);
    double start = now();
    model_run(&model, replays->contest.items, replays->contest.count);
    double time = now() - start;
    must(is_state(replays->timeline, &model), "the plain loop led to another state");
    return time;
}

static void rows(const char *what, const scale *scale, void (*make)(item *items, uint32_t count, uint64_t seed),
                 double goal)
{
    replays replays;
    contest_open(&replays.contest, scale->events, make);
    replays.timeline = play(NULL, replays.contest.items, replays.contest.count);
    replays.bare = play(&bare_options, replays.contest.items, replays.contest.count);
    contender contenders[] = {{"kifu", run_replay, 0}, {"loop", run_loop, 0}, {"bare", run_bare, 0}};
    compare(contenders, 3, &replays, scale->rounds, scale->events);
    const double kifu = contenders[0].ns, loop = contenders[1].ns, ratio = last_ratio(0, 1);
    goal_row(what, ratio, true, goal, "%6.1f ns, plain loop %10.1f: %6.2f x its time", kifu, loop, ratio);
    row("    recording neither keyframes nor hashes", "%6.1f ns, plain loop %10.1f: %6.2f x its time", contenders[2].ns,
        loop, last_ratio(2, 1));
    kifu_destroy(replays.timeline);
    kifu_destroy(replays.bare);
    contest_close(&replays.contest);
}

void replay_rows(const scale *scale)
{
    heading("Replay: Do of every event from an empty state, against a switch in a loop over an array of structs");
    rows("mix, random order", scale, make_mix, 1.1);
    rows("mix, repeating order", scale, make_steady_mix, 1.3);
    rows("moves alone", scale, make_moves, 1.5);
}
