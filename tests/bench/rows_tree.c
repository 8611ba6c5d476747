/// Variations: what grows with how many there are, and what a game with 10,000 of them pays.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "contest.h"
#include "hooked.h"
#include "measure.h"

static kifu_timeline *begin_tree(void)
{
    const kifu_options options = {.quiet = true, .keep_variations = kifu_keep_variations};
    kifu_timeline *timeline;
    must(!kifu_create(&hooked_rules, &options, &timeline, NULL), "no timeline");
    return timeline;
}

static void step_on(kifu_timeline *timeline, uint32_t i)
{
    must(!kifu_override(timeline, hooked_submit_e_step(timeline, (uint16_t)(i & 15), (uint16_t)((i >> 4) + 1)), true,
                        false),
         "no flags");
    must(!kifu_run(timeline), "an event did not happen");
}

/// From one place.
static double run_siblings(uint32_t count)
{
    kifu_timeline *timeline = begin_tree();
    step_on(timeline, 0);
    double start = now();
    for (uint32_t i = 0; i < count; i++) {
        step_on(timeline, i);
        must(!kifu_undo(timeline), "not undone");
    }
    double time = now() - start;
    must(kifu_line_count(timeline) == count, "not as many lines");
    kifu_destroy(timeline);
    return time;
}

static kifu_timeline *nest(uint32_t count)
{
    kifu_timeline *timeline = begin_tree();
    for (uint32_t i = 0; i < count; i++) {
        step_on(timeline, 2 * i);
        step_on(timeline, 2 * i + 1);
        must(!kifu_undo(timeline), "not undone");
    }
    must(kifu_line_count(timeline) == count, "not as many lines");
    return timeline;
}

/// Each begins in the one before it.
static double run_nested_lines(uint32_t count)
{
    double start = now();
    kifu_timeline *timeline = nest(count);
    double time = now() - start;
    kifu_destroy(timeline);
    return time;
}

static double run_there_and_back(uint32_t count)
{
    kifu_timeline *timeline = nest(count);
    double start = now();
    must(!kifu_go_to(timeline, 0, 1, false), "not gone to the first line");
    must(!kifu_go_to(timeline, count - 1, KIFU_WHERE_LEFT, false), "not gone to the last one");
    double time = now() - start;
    kifu_destroy(timeline);
    return time;
}

/// To the line before it and back, as often.
static double run_to_and_fro(uint32_t count)
{
    kifu_timeline *timeline = nest(count);
    double start = now();
    for (uint32_t i = 0; i < count; i++)
        must(!kifu_go_to(timeline, count - 1 - (~i & 1), KIFU_WHERE_LEFT, false), "not gone to another line");
    double time = now() - start;
    kifu_destroy(timeline);
    return time;
}

static double run_deleted(uint32_t count)
{
    kifu_timeline *timeline = nest(count);
    must(!kifu_go_to(timeline, 0, 1, false), "not gone to the first line");
    double start = now();
    must(!kifu_delete_line(timeline, 1), "not deleted");
    double time = now() - start;
    must(kifu_line_count(timeline) == 1, "lines are left");
    kifu_destroy(timeline);
    return time;
}

// --- A long game with many variations --------------------------------------------------------------------------------

enum { MOVES = 10000, CHAINS = 16, TIMES = 500, APPENDS = 1000, EVENTS_PER_LINE = 100 };

/// The same game, without and with variations.
typedef struct games {
    kifu_timeline *plain, *tree;
    const item *items;
    uint32_t count;
} games;

/// Every now and then, a player takes the last move back and makes another one.
static kifu_timeline *play_with_variations(const item *items, uint32_t count)
{
    const kifu_options options = {.keep_variations = kifu_keep_variations};
    kifu_timeline *timeline = play_begin(&options);
    for (uint32_t i = 0; i + EVENTS_PER_LINE <= count; i += EVENTS_PER_LINE) {
        uint32_t other = i;
        play_on(timeline, items + i, EVENTS_PER_LINE);
        while (items[other].type == items[i + EVENTS_PER_LINE - 1].type)
            other++;
        must(!kifu_undo(timeline), "an undo was refused");
        play_on(timeline, items + other, 1);
    }
    must(kifu_line_count(timeline) == count / EVENTS_PER_LINE + 1, "not as many lines");
    return timeline;
}

static double run_moves(kifu_timeline *timeline, const games *games)
{
    double start = now();
    play_on(timeline, games->items, games->count);
    return (now() - start);
}

static double run_direct(kifu_timeline *timeline, const games *games)
{
    double start = now();
    play_directly(timeline, games->items, games->count);
    return now() - start;
}

static double run_undo(kifu_timeline *timeline, const games *games)
{
    (void)games;
    double start = now();
    for (uint32_t time = 0; time < TIMES; time++) {
        for (uint32_t i = 0; i < CHAINS; i++)
            must(!kifu_undo(timeline), "an undo was refused");
        for (uint32_t i = 0; i < CHAINS; i++)
            must(!kifu_redo(timeline), "a redo was refused");
    }
    return now() - start;
}

static double run_append(kifu_timeline *timeline, const games *games)
{
    double start = now();
    for (uint32_t i = 0; i < APPENDS; i++) {
        play_on(timeline, games->items + i % games->count, 1);
        must(!kifu_log_append(timeline), "not appended");
    }
    return now() - start;
}

#define CONTENDERS(name)                                                                                               \
    static double name##_plain(void *context)                                                                          \
    {                                                                                                                  \
        const games *games = context;                                                                                  \
        return name(games->plain, games);                                                                              \
    }                                                                                                                  \
    static double name##_tree(void *context)                                                                           \
    {                                                                                                                  \
        const games *games = context;                                                                                  \
        return name(games->tree, games);                                                                               \
    }
CONTENDERS(run_moves)
CONTENDERS(run_direct)
CONTENDERS(run_undo)
CONTENDERS(run_append)

static void costs_the_same(const char *what, contender_run *plain, contender_run *tree, uint32_t events, games *games,
                           const scale *scale)
{
    contender contenders[] = {{"without", plain, 0}, {"with", tree, 0}};
    compare(contenders, 2, games, scale->rounds, events);
    goal_row(what, last_ratio(1, 0), true, 1.05, "%7.1f ns, without %7.1f: %5.2f x", contenders[1].ns, contenders[0].ns,
             last_ratio(1, 0));
}

static void open_log(kifu_timeline *timeline, char *path)
{
    int file = mkstemp(path);
    must(file >= 0, "no temporary file");
    close(file);
    must(!kifu_log_open(timeline, path, NULL) && !kifu_log_append(timeline), "no log file");
}

static void long_game_rows(const scale *scale)
{
    char paths[2][32] = {"/tmp/kifu_bench_XXXXXX", "/tmp/kifu_bench_XXXXXX"};
    contest contest;
    contest_open(&contest, scale->events, make_mix);
    games games = {.plain = play(NULL, contest.items, contest.count),
                   .tree = play_with_variations(contest.items, contest.count),
                   .items = contest.items,
                   .count = contest.count < MOVES ? contest.count : MOVES};
    row("lines of the game", "%u of %u events", (unsigned)kifu_line_count(games.tree),
        (unsigned)kifu_event_count(games.tree));
    costs_the_same("play", run_moves_plain, run_moves_tree, games.count, &games, scale);
    costs_the_same("play directly", run_direct_plain, run_direct_tree, games.count, &games, scale);
    costs_the_same("undo and redo of a chain", run_undo_plain, run_undo_tree, CHAINS * TIMES, &games, scale);
    open_log(games.plain, paths[0]);
    open_log(games.tree, paths[1]);
    costs_the_same("play, and append to a log file", run_append_plain, run_append_tree, APPENDS, &games, scale);
    kifu_destroy(games.plain);
    kifu_destroy(games.tree);
    for (uint32_t i = 0; i < 2; i++)
        unlink(paths[i]);
    contest_close(&contest);
}

void tree_rows(const scale *scale)
{
    heading("Variations: 4 times as many may take 5 times as long");
    grows("from the same place", run_siblings, 2500, scale);
    grows("each from the one before", run_nested_lines, 2500, scale);
    grows("to the first of as many and back", run_there_and_back, 2500, scale);
    grows("from line to line among as many", run_to_and_fro, 2500, scale);
    grows("as many deleted at once", run_deleted, 2500, scale);
    heading("A game with many variations, against the same without");
    long_game_rows(scale);
}
