/// Appending: events from plain values into a log that could be saved as it is.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contest.h"
#include "measure.h"

static double run_log(void *context)
{
    contest *contest = context;
    double start = now();
    append_to_log(contest);
    return now() - start;
}

static double run_shown(void *context)
{
    contest *contest = context;
    double start = now();
    append_and_show(contest);
    return now() - start;
}

static double run_live(void *context)
{
    contest *contest = context;
    kifu_timeline *timeline = play_begin(NULL);
    double start = now();
    play_on(timeline, contest->items, contest->count);
    double time = now() - start;
    kifu_destroy(timeline);
    return time;
}

static double run_direct(void *context)
{
    contest *contest = context;
    kifu_timeline *timeline = play_begin(NULL);
    double start = now();
    play_directly(timeline, contest->items, contest->count);
    double time = now() - start;
    kifu_destroy(timeline);
    return time;
}

static double run_flat(void *context)
{
    contest *contest = context;
    double start = now();
    flat_append(contest->flat, contest->items, contest->count);
    return now() - start;
}

static double run_flat_each(void *context)
{
    contest *contest = context;
    double start = now();
    must(flat_append_each(contest->pb, contest->pb_room, contest->items, contest->count) > 0, "buffers did not fit");
    return now() - start;
}

static double run_pb(void *context)
{
    contest *contest = context;
    double start = now();
    pb_append(contest->pb, contest->pb_room, contest->items, contest->count);
    return now() - start;
}

static double run_fields(void *context)
{
    contest *contest = context;
    double start = now();
    must(write_fields(contest->pb, contest->items, contest->count) > 0, "no fields were written");
    return now() - start;
}

/// Copies the log's segments, one after the other: the same bytes, with no work at all.
static double run_memcpy(void *context)
{
    contest *contest = context;
    unsigned char *to = contest->pb;
    size_t room = contest->pb_room;
    double start = now();
    for (uint32_t i = 0; i < contest->log.branch->segment_count; i++) {
        const kifu__segment *segment = &contest->log.branch->segments[i];
        must(segment->size <= room, "no room for the copy");
        memcpy(to, segment->bytes, segment->size);
        to += segment->size;
        room -= segment->size;
    }
    return now() - start;
}

static void rows(const char *what, contest *contest, const scale *scale, double goal)
{
    contender contenders[] = {{"kifu log", run_log, 0},        {"kifu live", run_live, 0},
                              {"libflatbuffers", run_flat, 0}, {"nanopb", run_pb, 0},
                              {"fields", run_fields, 0},       {"libflatbuffers, each", run_flat_each, 0},
                              {"kifu direct", run_direct, 0},  {"kifu log, shown", run_shown, 0}};
    char text[100];
    compare(contenders, 8, contest, scale->rounds, contest->count);
    const double log = contenders[0].ns, live = contenders[1].ns, flat = contenders[2].ns, pb = contenders[3].ns;
    const double ratio = last_ratio(2, 0);
    snprintf(text, sizeof text, "%s: into the log", what);
    goal_row(text, ratio, false, goal, "%6.1f ns, libflatbuffers %6.1f: %6.2f x as fast", log, flat, ratio);
    row("    valid after each event", "%6.1f ns, libflatbuffers %6.1f: %6.2f x as fast", contenders[7].ns,
        contenders[5].ns, last_ratio(5, 7));
    row("    nanopb", "%6.1f ns, nanopb %14.1f: %6.2f x as fast", log, pb, last_ratio(3, 0));
    snprintf(text, sizeof text, "    played: checked, logged, done, journaled");
    const double direct = contenders[6].ns;
    goal_row(text, last_ratio(2, 6), false, 1, "%6.1f ns, libflatbuffers %6.1f: %6.2f x as fast", direct, flat,
             last_ratio(2, 6));
    row("    the same by submit and kifu_run", "%6.1f ns, libflatbuffers %6.1f: %6.2f x as fast", live, flat,
        last_ratio(2, 1));
    row("    bare fields, written without any structure", "%6.1f ns: %.2f x as fast as libflatbuffers",
        contenders[4].ns, last_ratio(2, 4));
}

void append_rows(const scale *scale)
{
    contest contest;
    heading("Append: from plain values to bytes that could be saved as they are");
    contest_open(&contest, scale->events, make_mix);
    rows("mix, random order", &contest, scale, 2.5);
    contest_close(&contest);
    contest_open(&contest, scale->events, make_steady_mix);
    rows("mix, repeating order", &contest, scale, 4);
    contest_close(&contest);
    contest_open(&contest, scale->events, make_moves);
    rows("moves alone", &contest, scale, 5);
    contender contenders[] = {{"kifu log", run_log, 0}, {"memcpy", run_memcpy, 0}};
    compare(contenders, 2, &contest, scale->rounds, contest.count);
    row("    against copying the same bytes", "%6.1f ns, memcpy %14.1f: %6.2f x its time", contenders[0].ns,
        contenders[1].ns, last_ratio(0, 1));
    contest_close(&contest);
}
