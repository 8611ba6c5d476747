/// kifu_budget PATH: goes one of Kifu's main paths, for callgrind to count the instructions of `measured`. Prints how
/// many events that were. `kifu_budget --paths` lists the paths, `--compiler` says what compiled it. budgets.py runs
/// it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chess_walk.h"
#include "core/go.h"
#include "contest.h"
#include "crowd.h"
#include "hooked.h"
#include "measure.h"
#include "tree_walk.h"

enum {
    EVENTS = 4000,
    CHAINS = 500,
    FEW_CHAINS = 16,
    TIMED = 32,
    ACTORS = 100,
    LINES = 2500,
    TREE_EVENTS = 100000,
    APPENDS = 1000
};

typedef struct walk {
    contest contest;
    item moves[EVENTS];
    kifu_timeline *timeline; ///< With all the events of the contest.
    unsigned char *save;
    size_t save_size;
    chess_walk *chess;
    kifu_timeline *other; ///< Of a path with a game of its own.
    uint32_t lines;       ///< In that one.
    char log_file[32];    ///< Empty: there is none.
} walk;

// --- The paths: each returns on how many events it worked ------------------------------------------------------------

static uint32_t go_append(walk *walk)
{
    append_to_log(&walk->contest);
    return EVENTS;
}

static uint32_t go_live(walk *walk)
{
    play_on(walk->timeline, walk->contest.items, EVENTS);
    return EVENTS;
}

static uint32_t go_direct(walk *walk)
{
    play_directly(walk->timeline, walk->contest.items, EVENTS);
    return EVENTS;
}

// From outside, and its check is asked.
static uint32_t go_try(walk *walk)
{
    for (uint32_t i = 0; i < EVENTS; i++) {
        const item *move = &walk->moves[i];
        must(!mix_try_p_move(walk->timeline, move->player, move->as.move.unit, move->as.move.x, move->as.move.y),
             "a try failed");
        must(!kifu_take_back(walk->timeline), "a try was not taken back");
    }
    return EVENTS;
}

static uint32_t go_try_legal(walk *walk)
{
    for (uint32_t i = 0; i < EVENTS; i++) {
        const item *move = &walk->moves[i];
        must(!mix_try_legal_p_move(walk->timeline, move->player, move->as.move.unit, move->as.move.x, move->as.move.y),
             "a try failed");
        must(!kifu_take_back(walk->timeline), "a try was not taken back");
    }
    return EVENTS;
}

static uint32_t open_try(walk *walk)
{
    const item *move = &walk->moves[0];
    must(!mix_try_legal_p_move(walk->timeline, move->player, move->as.move.unit, move->as.move.x, move->as.move.y),
         "a try failed");
    return 1;
}

static uint32_t go_undo(walk *walk)
{
    const uint32_t before = kifu_event_count(walk->timeline);
    for (uint32_t i = 0; i < CHAINS; i++)
        must(!kifu_undo(walk->timeline), "an undo was refused");
    return before - kifu_event_count(walk->timeline);
}

static uint32_t go_redo(walk *walk)
{
    const uint32_t before = kifu_event_count(walk->timeline);
    for (uint32_t i = 0; i < CHAINS; i++)
        must(!kifu_redo(walk->timeline), "a redo was refused");
    return kifu_event_count(walk->timeline) - before;
}

// Some chains, as often as these are in all of them.
static uint32_t go_undo_and_redo(walk *walk)
{
    const uint32_t end = kifu_event_count(walk->timeline);
    uint32_t undone = 0;
    for (uint32_t time = 0; time < CHAINS / FEW_CHAINS; time++) {
        for (uint32_t i = 0; i < FEW_CHAINS; i++)
            must(!kifu_undo(walk->timeline), "an undo was refused");
        undone += end - kifu_event_count(walk->timeline);
        for (uint32_t i = 0; i < FEW_CHAINS; i++)
            must(!kifu_redo(walk->timeline), "a redo was refused");
    }
    return undone;
}

static uint32_t go_replay(walk *walk)
{
    replay_all(walk->timeline);
    return kifu_event_count(walk->timeline);
}

static uint32_t go_save(walk *walk)
{
    must(!kifu_save_to_memory(walk->timeline, NULL, &walk->save, &walk->save_size), "the save failed");
    return kifu_event_count(walk->timeline);
}

static uint32_t go_load(walk *walk)
{
    kifu_timeline *loaded;
    must(!kifu_load_from_memory(&mix_rules, walk->save, walk->save_size, NULL, NULL, &loaded, NULL), "no load");
    const uint32_t count = kifu_event_count(loaded);
    kifu_destroy(loaded);
    return count;
}

static uint32_t go_fast_load(walk *walk)
{
    const kifu_load_options options = {.fast = true};
    kifu_timeline *loaded;
    must(!kifu_load_from_memory(&mix_rules, walk->save, walk->save_size, NULL, &options, &loaded, NULL),
         "no fast load");
    const uint32_t count = kifu_event_count(loaded);
    kifu_destroy(loaded);
    return count;
}

// The moves of chess: what Kifu adds to a game whose own work is larger. The ways by hand say how large that is.

static uint32_t go_perft(walk *walk)
{
    chess_perft(walk->chess, CHESS_TRIES);
    return chess_perft_moves(walk->chess);
}

static uint32_t go_perft_by_hand(walk *walk)
{
    chess_perft(walk->chess, CHESS_BY_HAND);
    return chess_perft_moves(walk->chess);
}

static uint32_t go_chess(walk *walk)
{
    return chess_play_directly(walk->chess);
}

static uint32_t go_chess_by_hand(walk *walk)
{
    return chess_play_by_hand(walk->chess);
}

// --- Paths of which the first does the same without: a listener of another unit, timers, the turn loop --------------

static void hear(void *context, kifu_timeline *timeline, const void *state, const kifu_change *change)
{
    (void)context, (void)timeline, (void)state, (void)change;
    give_up("a listener heard of another unit");
}

static uint32_t open_moves(walk *walk)
{
    walk->other = play_begin(NULL);
    kifu_set_quiet(walk->other, false);
    for (uint32_t i = 0; i < EVENTS; i++)
        walk->moves[i].as.move.unit = 0;
    return EVENTS;
}

static uint32_t open_listen(walk *walk)
{
    open_moves(walk);
    must(!kifu_observe(walk->other, &(kifu_observer){.listen = hear, KIFU_PART(mix_state, units[1])}), "no listener");
    return EVENTS;
}

static uint32_t go_moves(walk *walk)
{
    play_on(walk->other, walk->moves, EVENTS);
    return EVENTS;
}

static uint32_t open_steps(walk *walk)
{
    must(!kifu_create(&hooked_rules, &(kifu_options){.quiet = true}, &walk->other, NULL), "no timeline");
    return 0;
}

static kifu_verdict pass(void *context, kifu_timeline *timeline, const void *state, kifu_proposed *proposed)
{
    (void)context, (void)timeline, (void)state, (void)proposed;
    return kifu_accept();
}

// A hook of another event type.
static uint32_t open_hooked(walk *walk)
{
    open_steps(walk);
    const kifu_observer hook = {
        .hook = pass, .name = "pass", .scope = HOOKED_SCOPE_HEAP, .type = HOOKED_E_OTHER, .subject = KIFU_ANY_SUBJECT};
    must(!kifu_observe(walk->other, &hook), "no hook");
    return 0;
}

static uint32_t go_hookable(walk *walk)
{
    for (uint32_t i = 0; i < EVENTS; i++) {
        hooked_submit_e_hookable(walk->other, i & 15, 1);
        must(!kifu_run(walk->other), "an event did not happen");
    }
    return EVENTS;
}

static uint32_t go_steps(walk *walk)
{
    for (uint32_t turn = 0; turn < EVENTS / TIMED; turn++) {
        for (uint16_t i = 0; i < TIMED; i++)
            hooked_submit_e_step(walk->other, i, 1);
        hooked_submit_e_begin_turn(walk->other);
        must(!kifu_run(walk->other), "an event did not happen");
    }
    return EVENTS;
}

static uint32_t go_timed(walk *walk)
{
    for (uint32_t turn = 0; turn < EVENTS / TIMED; turn++) {
        for (uint16_t i = 0; i < TIMED; i++)
            must(!kifu_postpone(walk->other, hooked_submit_e_step(walk->other, i, 1), turn + 1, i), "not postponed");
        hooked_submit_e_begin_turn(walk->other);
        must(!kifu_run(walk->other), "what was timed did not happen");
    }
    return EVENTS;
}

static uint32_t open_crowd(walk *walk)
{
    must(!kifu_create(&crowd_rules, &(kifu_options){.quiet = true}, &walk->other, NULL), "no timeline");
    crowd_submit_e_people(walk->other, ACTORS);
    must(!kifu_run(walk->other), "nobody came");
    return 1;
}

static uint32_t go_action_by_hand(walk *walk)
{
    const crowd_state *state = crowd_get_state(walk->other);
    for (uint32_t turn = 0; turn < EVENTS / ACTORS; turn++) {
        crowd_submit_e_begin_turn(walk->other);
        must(!kifu_run(walk->other), "no turn");
        kifu_handle actor = KIFU_NO_HANDLE;
        while ((actor = crowd_next_beings(state, actor)) != KIFU_NO_HANDLE) {
            crowd_submit_p_walk(walk->other, -1, actor, 1);
            must(!kifu_run(walk->other), "no action");
            crowd_submit_e_spend_energy(walk->other, actor, KIFU_USUAL_COST);
            must(!kifu_run(walk->other), "no action");
        }
    }
    return EVENTS;
}

static kifu_ticket decide(void *context, kifu_timeline *timeline, const void *state, kifu_handle actor,
                          uint32_t attempt)
{
    (void)context, (void)state, (void)attempt;
    return crowd_submit_p_walk(timeline, -1, actor, 1);
}

static uint32_t go_action(walk *walk)
{
    for (uint32_t acted = 0; acted < EVENTS;) {
        kifu_turn turn;
        must(!kifu_take_turn(walk->other, decide, NULL, &turn) && !kifu_run(walk->other), "no turn");
        acted += turn.status == KIFU_TURN_ACTED;
    }
    return EVENTS;
}

// --- Variations: so many lines, and four times as many -------------------------------------------------------------

static uint32_t open_lines(walk *walk)
{
    walk->lines = LINES;
    walk->other = tree_begin();
    return 1;
}

static uint32_t open_lines_x4(walk *walk)
{
    open_lines(walk);
    walk->lines = 4 * LINES;
    return 1;
}

static uint32_t go_siblings(walk *walk)
{
    tree_add_siblings(walk->other, walk->lines);
    return walk->lines;
}

static uint32_t go_nested(walk *walk)
{
    kifu_destroy(walk->other);
    walk->other = tree_nest(walk->lines);
    return walk->lines;
}

static uint32_t open_nested(walk *walk)
{
    open_lines(walk);
    return go_nested(walk);
}

static uint32_t open_nested_x4(walk *walk)
{
    open_lines_x4(walk);
    return go_nested(walk);
}

static uint32_t go_there_and_back(walk *walk)
{
    tree_go_there_and_back(walk->other, walk->lines);
    return walk->lines;
}

static uint32_t go_to_and_fro(walk *walk)
{
    tree_go_to_and_fro(walk->other, walk->lines);
    return walk->lines;
}

static uint32_t open_deleted(walk *walk)
{
    open_nested(walk);
    tree_go_to_first(walk->other);
    return walk->lines;
}

static uint32_t open_deleted_x4(walk *walk)
{
    open_nested_x4(walk);
    tree_go_to_first(walk->other);
    return walk->lines;
}

static uint32_t go_deleted(walk *walk)
{
    tree_delete_others(walk->other);
    return walk->lines;
}

// --- A game with many variations, beside the one without ------------------------------------------------------------

// The paths' game becomes one as long, and with 1,000 variations in the last case.
static void play_long(walk *walk, bool with_variations)
{
    contest contest;
    contest_open(&contest, TREE_EVENTS, make_steady_mix);
    kifu_destroy(walk->timeline);
    walk->timeline =
        with_variations ? play_with_variations(contest.items, contest.count) : play(NULL, contest.items, contest.count);
    contest_close(&contest);
}

static uint32_t open_tree(walk *walk)
{
    play_long(walk, true);
    return TREE_EVENTS;
}

static uint32_t open_tree_undone(walk *walk)
{
    play_long(walk, true);
    return go_undo(walk);
}

static void open_log(walk *walk)
{
    strcpy(walk->log_file, "/tmp/kifu_budget_XXXXXX");
    open_log_file(walk->timeline, walk->log_file);
}

static uint32_t open_long_log(walk *walk)
{
    play_long(walk, false);
    open_log(walk);
    return TREE_EVENTS;
}

static uint32_t open_tree_log(walk *walk)
{
    play_long(walk, true);
    open_log(walk);
    return TREE_EVENTS;
}

static uint32_t go_append_to_file(walk *walk)
{
    play_and_append(walk->timeline, walk->contest.items, APPENDS);
    return APPENDS;
}

typedef uint32_t path_run(walk *walk);

typedef struct path {
    const char *name;
    path_run *run;
    path_run *before; ///< What must have happened, and does not count; NULL: nothing.
} path;

static const path paths[] = {
    {"append", go_append, NULL},
    {"live", go_live, NULL},
    {"direct", go_direct, NULL},
    {"try", go_try, NULL},
    {"try_legal", go_try_legal, NULL},
    {"inner_try", go_try, open_try},
    {"inner_legal", go_try_legal, open_try},
    {"undo", go_undo, NULL},
    {"redo", go_redo, go_undo},
    {"replay", go_replay, NULL},
    {"load", go_load, go_save},
    {"fast_load", go_fast_load, go_save},
    {"save", go_save, NULL},
    {"perft", go_perft, NULL},
    {"perft_hand", go_perft_by_hand, NULL},
    {"chess", go_chess, NULL},
    {"chess_hand", go_chess_by_hand, NULL},
    {"moves", go_moves, open_moves},
    {"listen", go_moves, open_listen},
    {"hookable", go_hookable, open_steps},
    {"hooked", go_hookable, open_hooked},
    {"steps", go_steps, open_steps},
    {"timed", go_timed, open_steps},
    {"action_hand", go_action_by_hand, open_crowd},
    {"action", go_action, open_crowd},
    {"undo_redo", go_undo_and_redo, NULL},
    {"log_file", go_append_to_file, open_long_log},
    // What budgets.py compares: _x4 with four times as many lines, _tree with variations.
    {"siblings", go_siblings, open_lines},
    {"siblings_x4", go_siblings, open_lines_x4},
    {"nested", go_nested, open_lines},
    {"nested_x4", go_nested, open_lines_x4},
    {"there_and_back", go_there_and_back, open_nested},
    {"there_and_back_x4", go_there_and_back, open_nested_x4},
    {"to_and_fro", go_to_and_fro, open_nested},
    {"to_and_fro_x4", go_to_and_fro, open_nested_x4},
    {"deleted", go_deleted, open_deleted},
    {"deleted_x4", go_deleted, open_deleted_x4},
    {"live_tree", go_live, open_tree},
    {"direct_tree", go_direct, open_tree},
    {"undo_redo_tree", go_undo_and_redo, open_tree},
    {"log_file_tree", go_append_to_file, open_tree_log},
    {"undo_above", go_undo, open_tree},
    {"redo_above", go_redo, open_tree_undone},
};
enum { PATHS = sizeof paths / sizeof paths[0] };

/// What is counted.
#if defined(__GNUC__)
__attribute__((noinline))
#endif
uint32_t
measured(path_run *run, walk *walk);
uint32_t measured(path_run *run, walk *walk)
{
    const uint32_t count = run(walk);
    return count + (walk->timeline == NULL); // so that no compiler jumps to `run` instead of calling it
}

static int list_paths(void)
{
    for (uint32_t i = 0; i < PATHS; i++)
        puts(paths[i].name);
    return 0;
}

static int name_compiler(void)
{
#if defined(__clang__)
    printf("clang %d.%d", __clang_major__, __clang_minor__);
#elif defined(__GNUC__)
    printf("gcc %d.%d", __GNUC__, __GNUC_MINOR__);
#else
    printf("unknown");
#endif
#if defined(__x86_64__)
    puts(" x86_64");
#elif defined(__aarch64__)
    puts(" aarch64");
#else
    puts("");
#endif
    return 0;
}

int main(int argc, char **argv)
{
    const char *name = argc == 2 ? argv[1] : "";
    if (!strcmp(name, "--paths"))
        return list_paths();
    if (!strcmp(name, "--compiler"))
        return name_compiler();
    const path *path = paths;
    while (path < paths + PATHS && strcmp(path->name, name) != 0)
        path++;
    if (path == paths + PATHS) {
        fputs("usage: kifu_budget PATH | --paths | --compiler\n", stderr);
        return 1;
    }
    static walk walk;
    make_moves(walk.moves, EVENTS, 20);
    contest_open(&walk.contest, EVENTS, make_steady_mix);
    walk.timeline = play(NULL, walk.contest.items, EVENTS);
    walk.chess = chess_walk_open(3);
    if (path->before)
        path->before(&walk);
    printf("%u\n", (unsigned)measured(path->run, &walk));
    chess_walk_close(walk.chess);
    while (kifu_open_tries(walk.timeline))
        must(!kifu_take_back(walk.timeline), "a try was not taken back");
    kifu_free_bytes(walk.timeline, walk.save);
    kifu_destroy(walk.timeline);
    kifu_destroy(walk.other);
    if (*walk.log_file)
        unlink(walk.log_file);
    contest_close(&walk.contest);
    return 0;
}
