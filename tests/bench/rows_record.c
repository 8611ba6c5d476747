/// What recording keyframes and hashes along the log costs, while playing and while replaying.
#include <stdio.h>
#include <stdlib.h>

#include "contest.h"
#include "measure.h"
#include "wide.h"

typedef struct games {
    const item *items;
    uint32_t count;
    kifu_timeline *recording, *hashing, *copying, *bare; ///< All played to the end.
} games;

static const kifu_options recording_options = {.quiet = true};

/// Hashes without keyframes, and keyframes without hashes.
static const kifu_options hashing_options = {.quiet = true, .keyframe_bytes = 1};
static const kifu_options copying_options = {.quiet = true, .hash_interval = UINT32_MAX};

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
        wide_submit_p_store(timeline, 0, (uint16_t)((place >> 16) % WIDE_CELLS_COUNT), i);
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

static double replay_hashing(void *context)
{
    return replay_all(((games *)context)->hashing);
}

static double replay_copying(void *context)
{
    return replay_all(((games *)context)->copying);
}

static double replay_bare(void *context)
{
    return replay_all(((games *)context)->bare);
}

static void play_row(const char *what, games *games, const scale *scale, contender_run *with, contender_run *without)
{
    // More rounds than elsewhere, for a difference of a few percent.
    contender contenders[] = {{"recording", with, 0}, {"bare", without, 0}};
    compare(contenders, 2, games, scale->rounds * 3, games->count);
    const double more = (last_ratio(0, 1) - 1) * 100;
    goal_row(what, more, true, 5, "%6.1f ns, without %14.1f: %+6.1f %%", contenders[0].ns, contenders[1].ns, more);
}

static void replay_row(games *games, const scale *scale)
{
    contender contenders[] = {{"recording", replay_recording, 0},
                              {"hashing", replay_hashing, 0},
                              {"copying", replay_copying, 0},
                              {"bare", replay_bare, 0}};
    compare(contenders, 4, games, scale->rounds, games->count);
    const double bare = contenders[3].ns;
    row("    replay it", "%6.1f ns, without %14.1f: %+6.1f %% (hashes alone %+.1f, keyframes alone %+.1f)",
        contenders[0].ns, bare, (last_ratio(0, 3) - 1) * 100, (last_ratio(1, 3) - 1) * 100,
        (last_ratio(2, 3) - 1) * 100);
    kifu_destroy(games->recording);
    kifu_destroy(games->hashing);
    kifu_destroy(games->copying);
    kifu_destroy(games->bare);
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
    play_row(text, &games, scale, run_mix, run_mix_bare);
    games.recording = play(&recording_options, items, scale->events);
    games.hashing = play(&hashing_options, items, scale->events);
    games.copying = play(&copying_options, items, scale->events);
    games.bare = play(&bare_options, items, scale->events);
    replay_row(&games, scale);

    snprintf(text, sizeof text, "play stores, a state of %u bytes", wide_rules.state_size);
    play_row(text, &games, scale, run_wide, run_wide_bare);
    games.recording = play_wide(scale->events, &recording_options, &time);
    games.hashing = play_wide(scale->events, &hashing_options, &time);
    games.copying = play_wide(scale->events, &copying_options, &time);
    games.bare = play_wide(scale->events, &bare_options, &time);
    replay_row(&games, scale);
    free(items);
}
