/// Variations: what grows with how many there are, and what a game with 10,000 of them pays.
#include <unistd.h>

#include "measure.h"
#include "tree_walk.h"

/// From one place.
static double run_siblings(uint32_t count)
{
    kifu_timeline *tree = tree_begin();
    double start = now();
    tree_add_siblings(tree, count);
    double time = now() - start;
    kifu_destroy(tree);
    return time;
}

/// Each begins in the one before it.
static double run_nested_lines(uint32_t count)
{
    double start = now();
    kifu_timeline *tree = tree_nest(count);
    double time = now() - start;
    kifu_destroy(tree);
    return time;
}

static double run_there_and_back(uint32_t count)
{
    kifu_timeline *tree = tree_nest(count);
    double start = now();
    tree_go_there_and_back(tree, count);
    double time = now() - start;
    kifu_destroy(tree);
    return time;
}

/// To the line before it and back, as often.
static double run_to_and_fro(uint32_t count)
{
    kifu_timeline *tree = tree_nest(count);
    double start = now();
    tree_go_to_and_fro(tree, count);
    double time = now() - start;
    kifu_destroy(tree);
    return time;
}

static double run_deleted(uint32_t count)
{
    kifu_timeline *tree = tree_nest(count);
    tree_go_to_first(tree);
    double start = now();
    tree_delete_others(tree);
    double time = now() - start;
    kifu_destroy(tree);
    return time;
}

// --- A long game with many variations --------------------------------------------------------------------------------

enum { MOVES = 10000, CHAINS = 16, TIMES = 500, APPENDS = 1000 };

/// The same game, without and with variations.
typedef struct games {
    kifu_timeline *plain, *tree;
    const item *items;
    uint32_t count;
} games;

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
    play_and_append(timeline, games->items, APPENDS);
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
    // First of all, while the current line has one event: so the chains lie in front of it.
    costs_the_same("undo and redo of a chain", run_undo_plain, run_undo_tree, CHAINS * TIMES, &games, scale);
    costs_the_same("play", run_moves_plain, run_moves_tree, games.count, &games, scale);
    costs_the_same("play directly", run_direct_plain, run_direct_tree, games.count, &games, scale);
    open_log_file(games.plain, paths[0]);
    open_log_file(games.tree, paths[1]);
    costs_the_same("play, and append to a log file", run_append_plain, run_append_tree, APPENDS, &games, scale);
    kifu_destroy(games.plain);
    kifu_destroy(games.tree);
    for (uint32_t i = 0; i < 2; i++)
        unlink(paths[i]);
    contest_close(&contest);
}

void tree_rows(const scale *scale)
{
    heading("Variations: 4 times as many may take 5 times as long (their instructions: ./dev bench --budgets)");
    grows("from the same place", run_siblings, 2500, scale);
    grows("each from the one before", run_nested_lines, 2500, scale);
    grows("to the first of as many and back", run_there_and_back, 2500, scale);
    grows("from line to line among as many", run_to_and_fro, 2500, scale);
    grows("as many deleted at once", run_deleted, 2500, scale);
    heading("A game with many variations, against the same without");
    long_game_rows(scale);
}
