/// What recording keyframes and hashes along the log costs, while playing and while replaying.
#include <stdio.h>
#include <stdlib.h>

#include "contest.h"
#include "measure.h"
#include "wide.h"

typedef struct games {
    const item *items;
    uint32_t count;
    kifu_timeline *recording, *bare; ///< Both played to the end.
} games;

static const kifu_options recording_options = {.quiet = true};

static double play_mix(void *context, const kifu_options *options)
{
    games *games = context;
    kifu_timeline *timeline = play_begin(options);
    double start = now();
    play_on(timeline, games->items, games->count);
    double time = now() - start;
    kifu_destroy(timeline);
    return time;
}

static double run_mix(void *context)
{
    return play_mix(context, &recording_options);
}

static double run_mix_bare(void *context)
{
    return play_mix(context, &bare_options);
}

static double store_all(kifu_timeline *timeline, uint32_t count)
{
    uint32_t place = 1;
    double start = now();
    for (uint32_t i = 0; i < count; i++) {
        place = place * 1664525 + 1013904223;
        wide_submit_p_store(timeline, 0, (uint16_t)(place >> 22), i);
        must(!kifu_run(timeline), "an event did not happen");
    }
    return now() - start;
}

static kifu_timeline *play_wide(uint32_t count, const kifu_options *options, double *time)
{
    kifu_timeline *timeline;
    kifu_options quiet = *options;
    quiet.quiet = true;
    must(!kifu_create(&wide_rules, &quiet, &timeline, NULL), "no timeline");
    *time = store_all(timeline, count);
    return timeline;
}

static double run_wide(void *context)
{
    double time;
    kifu_destroy(play_wide(((games *)context)->count, &recording_options, &time));
    return time;
}

static double run_wide_bare(void *context)
{
    double time;
    kifu_destroy(play_wide(((games *)context)->count, &bare_options, &time));
    return time;
}

static double replay_recording(void *context)
{
    return replay_all(((games *)context)->recording);
}

static double replay_bare(void *context)
{
    return replay_all(((games *)context)->bare);
}

static void rows(const char *what, bool has_goal, games *games, const scale *scale, contender_run *with,
                 contender_run *without)
{
    // More rounds than elsewhere, for a difference of a few percent.
    contender contenders[] = {{"recording", with, 0}, {"bare", without, 0}};
    compare(contenders, 2, games, scale->rounds * 3, games->count);
    const double more = (last_ratio(0, 1) - 1) * 100;
    if (has_goal)
        goal_row(what, more, true, 5, "%6.1f ns, without %14.1f: %+6.1f %%", contenders[0].ns, contenders[1].ns, more);
    else
        row(what, "%6.1f ns, without %14.1f: %+6.1f %%", contenders[0].ns, contenders[1].ns, more);
}

void record_rows(const scale *scale)
{
    item *items = malloc(scale->events * sizeof *items);
    games games = {.items = items, .count = scale->events};
    char text[100];
    double time;
    must(items, "out of memory");
    make_mix(items, scale->events, 20);
    heading("Recording: keyframes and hashes along the log, with the default options, against none of them");
    snprintf(text, sizeof text, "play the mix, a state of %u bytes", mix_rules.state_size);
    rows(text, true, &games, scale, run_mix, run_mix_bare);
    games.recording = play(&recording_options, items, scale->events);
    games.bare = play(&bare_options, items, scale->events);
    rows("    replay it", false, &games, scale, replay_recording, replay_bare);
    kifu_destroy(games.recording);
    kifu_destroy(games.bare);

    snprintf(text, sizeof text, "play stores, a state of %u bytes", wide_rules.state_size);
    rows(text, true, &games, scale, run_wide, run_wide_bare);
    games.recording = play_wide(scale->events, &recording_options, &time);
    games.bare = play_wide(scale->events, &bare_options, &time);
    rows("    replay them", false, &games, scale, replay_recording, replay_bare);
    kifu_destroy(games.recording);
    kifu_destroy(games.bare);
    free(items);
}
