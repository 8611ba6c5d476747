/// Moving through history: seek, a copy of the past, a fork; and the proof that a replay is exact.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contest.h"
#include "measure.h"

enum { PLACES = 500, STEPS = 2000 };

/// The places that a row goes to; the same each time.
static uint32_t next_place(uint64_t *seed, uint32_t below)
{
    *seed = *seed * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)((*seed >> 33) % below);
}

static double seek(kifu_timeline *timeline, uint32_t count)
{
    double start = wall_clock();
    must(!kifu_seek(timeline, count), "a seek failed");
    return wall_clock() - start;
}

static double look_at(kifu_timeline *timeline, uint32_t count)
{
    mix_state state;
    double start = wall_clock();
    must(!kifu_state_at(timeline, count, &state, sizeof state), "there was no state");
    return wall_clock() - start;
}

/// To random places from `first` to before `first` + `range`.
static void random_row(const char *what, kifu_timeline *timeline, double (*go)(kifu_timeline *timeline, uint32_t count),
                       uint32_t first, uint32_t range, const scale *scale, double whole)
{
    double times[PLACES];
    const uint32_t places = scale->events / 10 < PLACES ? scale->events / 10 : PLACES;
    uint64_t seed = 3;
    for (uint32_t i = 0; i < places; i++)
        times[i] = go(timeline, first + next_place(&seed, range));
    double middle = quantile(times, places, 0.5), p99 = quantile(times, places, 0.99);
    row(what, "%8.2f us, p99 %8.2f: 1/%.0f of a replay (p99 1/%.0f)", middle / 1e3, p99 / 1e3, whole / middle,
        whole / p99);
}

/// Back and forth by one event.
static void step_row(const char *what, kifu_timeline *timeline, uint32_t place, const scale *scale)
{
    double back[STEPS], forth[STEPS];
    const uint32_t steps = scale->events / 10 < STEPS ? scale->events / 10 : STEPS;
    must(!kifu_seek(timeline, place), "a seek failed");
    for (uint32_t i = 0; i < steps; i++) {
        back[i] = seek(timeline, place - 1);
        forth[i] = seek(timeline, place);
    }
    row(what, "%6.0f ns back, %6.0f ns forth (with two readings of the clock)", quantile(back, steps, 0.5),
        quantile(forth, steps, 0.5));
}

static void seek_rows(kifu_timeline *timeline, const scale *scale)
{
    const uint32_t count = kifu_event_count(timeline);
    const uint64_t hash = kifu_state_hash(timeline);
    double whole[MOST_ROUNDS];
    for (uint32_t i = 0; i < scale->rounds; i++)
        whole[i] = replay_all(timeline);
    const double replay = quantile(whole, scale->rounds, 0.5);
    row("replay from the beginning", "%8.2f us", replay / 1e3);
    random_row("kifu_state_at, anywhere", timeline, look_at, 0, count, scale, replay);
    random_row("kifu_state_at, in the last 500 events", timeline, look_at, count - 500, 500, scale, replay);
    random_row("kifu_seek, anywhere", timeline, seek, 0, count, scale, replay);
    random_row("kifu_seek, in the last 500 events", timeline, seek, count - 500, 500, scale, replay);
    step_row("kifu_seek, one event, in the middle", timeline, count / 2, scale);
    step_row("kifu_seek, one event, near the end", timeline, count - 1, scale);
    must(!kifu_seek(timeline, KIFU_PRESENT) && kifu_state_hash(timeline) == hash, "the present is not what it was");
}

// --- Fork ------------------------------------------------------------------------------------------------------------

typedef struct forks {
    kifu_timeline *timeline;
    uint32_t count; ///< Given to kifu_fork.
    unsigned char *copy;
    uint32_t repeat;
} forks;

static double run_fork(void *context)
{
    forks *forks = context;
    double time = 0;
    for (uint32_t i = 0; i < forks->repeat; i++) {
        kifu_timeline *fork;
        double start = wall_clock();
        must(!kifu_fork(forks->timeline, forks->count, NULL, &fork, NULL), "no fork");
        time += wall_clock() - start;
        kifu_destroy(fork);
    }
    return time / forks->repeat;
}

static double run_copy(void *context)
{
    forks *forks = context;
    const kifu__log *log = &forks->timeline->log;
    double start = wall_clock();
    for (uint32_t i = 0; i < forks->repeat; i++) {
        unsigned char *to = forks->copy;
        for (uint32_t k = 0; k < log->branch->segment_count; k++) {
            memcpy(to, log->branch->segments[k].bytes, log->branch->segments[k].size);
            to += log->branch->segments[k].size;
        }
        must(to != forks->copy, "nothing was copied");
    }
    return (wall_clock() - start) / forks->repeat;
}

static void fork_row(const item *items, uint32_t count, const scale *scale)
{
    char text[100];
    size_t size = 0;
    forks forks = {.timeline = play(NULL, items, count), .count = KIFU_PRESENT, .repeat = 20 + 10000 / count};
    for (uint32_t i = 0; i < forks.timeline->log.branch->segment_count; i++)
        size += forks.timeline->log.branch->segments[i].size;
    forks.copy = malloc(size);
    must(forks.copy, "out of memory");
    contender contenders[] = {{"fork", run_fork, 0}, {"memcpy", run_copy, 0}};
    compare(contenders, 2, &forks, scale->rounds, 1);
    snprintf(text, sizeof text, "kifu_fork of %u events", kifu_event_count(forks.timeline));
    goal_row(text, contenders[0].ns / 1e3, true, 20, "%8.2f us, memcpy of the log %8.2f: %6.2f x its time",
             contenders[0].ns / 1e3, contenders[1].ns / 1e3, last_ratio(0, 1));
    forks.count = KIFU_WITHOUT_PAST;
    forks.repeat = 1000;
    contender alone[] = {{"without a past", run_fork, 0}};
    compare(alone, 1, &forks, scale->rounds, 1);
    goal_row("    without a past", alone[0].ns / 1e3, true, 0.5, "%8.2f us", alone[0].ns / 1e3);
    free(forks.copy);
    kifu_destroy(forks.timeline);
}

// --- Verify ----------------------------------------------------------------------------------------------------------

static double run_verify(void *context)
{
    double start = now();
    must(!kifu_verify_replay(context, NULL), "the replay is not exact");
    return now() - start;
}

static double run_replay(void *context)
{
    return replay_all(context);
}

static void verify_row(kifu_timeline *timeline, const scale *scale)
{
    contender contenders[] = {{"verify", run_verify, 0}, {"replay", run_replay, 0}};
    compare(contenders, 2, timeline, scale->rounds, kifu_event_count(timeline));
    row("kifu_verify_replay", "%6.1f ns per event, replay %8.1f: %6.2f x its time", contenders[0].ns, contenders[1].ns,
        last_ratio(0, 1));
}

// --- Sync test -------------------------------------------------------------------------------------------------------

typedef struct playing {
    const item *items;
    uint32_t count;
} playing;

static double play_with(const playing *playing, const kifu_options *options)
{
    kifu_timeline *timeline = play_begin(options);
    double start = now();
    play_on(timeline, playing->items, playing->count);
    double time = now() - start;
    kifu_destroy(timeline);
    return time;
}

static double run_plain(void *context)
{
    return play_with(context, NULL);
}

static double run_sync_test(void *context)
{
    const kifu_options options = {.sync_test = kifu_sync_test};
    return play_with(context, &options);
}

static double run_hashed(void *context)
{
    const kifu_options options = {.hash_interval = 1};
    return play_with(context, &options);
}

static void check_rows(const item *items, const scale *scale)
{
    playing playing = {.items = items, .count = scale->events / 10};
    contender contenders[] = {{"plain", run_plain, 0}, {"sync test", run_sync_test, 0}, {"hashed", run_hashed, 0}};
    compare(contenders, 3, &playing, scale->rounds, playing.count);
    row("play with a hash after each event", "%6.1f ns, play %14.1f: %6.2f x its time", contenders[2].ns,
        contenders[0].ns, last_ratio(2, 0));
    row("play with kifu_options.sync_test", "%6.1f ns, play %14.1f: %6.2f x its time", contenders[1].ns,
        contenders[0].ns, last_ratio(1, 0));
}

void history_rows(const scale *scale)
{
    item *items = malloc(scale->events * sizeof *items);
    char text[100];
    must(items, "out of memory");
    make_mix(items, scale->events, 20);
    snprintf(text, sizeof text, "History: a log of %u events of the mix, a state of %u bytes", scale->events,
             mix_rules.state_size);
    heading(text);
    kifu_timeline *timeline = play(NULL, items, scale->events);
    seek_rows(timeline, scale);
    verify_row(timeline, scale);
    kifu_destroy(timeline);
    check_rows(items, scale);
    fork_row(items, 100, scale);
    fork_row(items, scale->events / 100, scale);
    fork_row(items, scale->events, scale);
    free(items);
}
