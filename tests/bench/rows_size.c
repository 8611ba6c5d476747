/// Bytes: in memory while the game runs, and in a save.
#include <stdio.h>
#include <stdlib.h>

#include "contest.h"
#include "measure.h"

#if defined(BENCH_ZSTD)
#include <kifu/zstd.h>
#endif

static size_t size_of(kifu_timeline *timeline, const kifu_save_options *options)
{
    unsigned char *bytes;
    size_t size;
    must(!kifu_save_to_memory(timeline, options, &bytes, &size), "not saved");
    kifu_free_bytes(timeline, bytes);
    return size;
}

static size_t save_size(kifu_timeline *timeline, bool without_snapshot)
{
    const kifu_save_options options = {.without_schema = true, .without_snapshot = without_snapshot};
    return size_of(timeline, &options);
}

#if defined(BENCH_ZSTD)
static size_t zstd_size(const void *bytes, size_t size, int level)
{
    size_t room = ZSTD_compressBound(size);
    void *packed = malloc(room);
    must(packed, "out of memory");
    size_t result = ZSTD_compress(packed, room, bytes, size, level);
    must(!ZSTD_isError(result), "zstd failed");
    free(packed);
    return result;
}

/// Without its schema, but with hashes and the state, which nanopb's bytes do not have.
static void packed_size_rows(const char *what, kifu_timeline *timeline, const contest *contest, double goal)
{
    static const int levels[] = {3, 19};
    char text[100];
    for (int i = 0; i < 2; i++) {
        int level = levels[i];
        kifu_codec codec = *kifu_zstd();
        codec.context = &level;
        const kifu_save_options options = {.without_schema = true, .codec = &codec};
        const double count = kifu_event_count(timeline);
        const double packed = (double)size_of(timeline, &options) / count;
        const double pb = (double)zstd_size(contest->pb, contest->pb_size, level) / contest->count;
        snprintf(text, sizeof text, "%s: a packed save, zstd -%d", what, level);
        const char *format = "%6.2f B per event, nanopb + zstd -%d %.2f: %.2f x";
        if (i == 0)
            goal_row(text, packed / pb, true, goal, format, packed, level, pb, packed / pb);
        else
            row(text, format, packed, level, pb, packed / pb);
    }
}

static void small_packed_row(kifu_timeline *timeline)
{
    const kifu_save_options with = {.codec = kifu_zstd()}, without = {.without_schema = true, .codec = kifu_zstd()};
    row("a packed save of ten events, zstd -3", "%zu B, and %zu B for the schema", size_of(timeline, &without),
        size_of(timeline, &with) - size_of(timeline, &without));
}
#else
static void small_packed_row(kifu_timeline *timeline)
{
    (void)timeline;
}

static void packed_size_rows(const char *what, kifu_timeline *timeline, const contest *contest, double goal)
{
    (void)what, (void)timeline, (void)contest, (void)goal;
}
#endif

/// What a timeline keeps to go back with, besides its log.
typedef struct past {
    size_t journal, keyframes, checkpoints; ///< Bytes that are allocated.
} past;

static past past_of(const kifu_timeline *timeline)
{
    const kifu__keyframes *keyframes = &timeline->keyframes;
    return (past){
        .journal = timeline->journal.capacity * sizeof *timeline->journal.entries +
                   timeline->journal.start_capacity * sizeof *timeline->journal.starts,
        .keyframes = (size_t)keyframes->made * keyframes->state_size + keyframes->capacity * sizeof *keyframes->items,
        .checkpoints = timeline->log.branch->checkpoint_capacity * sizeof *timeline->log.branch->checkpoints,
    };
}

static void past_row(const item *items, uint32_t count)
{
    char text[100];
    kifu_timeline *timeline = play(NULL, items, count);
    const past past = past_of(timeline);
    snprintf(text, sizeof text, "    with %u events: to go back with", count);
    row(text, "journal %.0f KiB, %u keyframes %.0f KiB, %u hashes %.0f KiB", (double)past.journal / 1024,
        timeline->keyframes.count, (double)past.keyframes / 1024, timeline->log.branch->checkpoint_count,
        (double)past.checkpoints / 1024);
    kifu_destroy(timeline);
}

static void rows(const char *what, const scale *scale, void (*make)(item *items, uint32_t count, uint64_t seed),
                 double packed_goal)
{
    contest contest;
    char text[100];
    size_t used = 0, reserved = 0, flat;
    contest_open(&contest, scale->events, make);
    kifu_timeline *timeline = play(NULL, contest.items, contest.count);
    const double count = kifu_event_count(timeline);
    for (uint32_t i = 0; i < timeline->log.branch->segment_count; i++) {
        used += timeline->log.branch->segments[i].size;
        reserved += timeline->log.branch->segments[i].capacity;
    }
    flat_bytes(contest.flat, &flat);
    snprintf(text, sizeof text, "%s: the log in memory", what);
    const char *format = "%6.1f B per event, libflatbuffers %.1f, nanopb %.1f";
    const double each = (double)used / count, theirs = (double)flat / contest.count;
    const double pb = (double)contest.pb_size / contest.count;
    if (make == make_mix)
        goal_row(text, each, true, 18, format, each, theirs, pb);
    else
        row(text, format, each, theirs, pb);
    snprintf(text, sizeof text, "%s: reserved for it", what);
    goal_row(text, (double)reserved / count, true, 24, "%6.1f B per event", (double)reserved / count);
    snprintf(text, sizeof text, "%s: a save", what);
    const size_t with = save_size(timeline, false), without = save_size(timeline, true);
    row(text, "%6.2f B per event; without the state %.2f (%zu B less)", (double)with / count, (double)without / count,
        with - without);
    packed_size_rows(what, timeline, &contest, packed_goal);
    for (uint32_t events = contest.count; events >= contest.count / 100 && events >= 1000; events /= 10)
        past_row(contest.items, events);
    kifu_destroy(timeline);
    contest_close(&contest);
}

void size_rows(const scale *scale)
{
    heading("Bytes");
    rows("mix", scale, make_mix, 0.65);
    rows("moves alone", scale, make_moves, 0.75);
    item items[3];
    make_moves(items, 3, 20);
    kifu_timeline *timeline = play(NULL, items, 3);
    row("a save of ten events", "%zu B (without the state %zu B), and the schema, which has %u B",
        save_size(timeline, false), save_size(timeline, true), mix_rules.bfbs_size);
    small_packed_row(timeline);
    kifu_destroy(timeline);
}
