/// Begin a search, try, roll back: what an AI does.
#include <stdio.h>
#include <stdlib.h>

#include "contest.h"
#include "measure.h"

#ifdef BENCH_REVERSI
#include "board.h"
#include "game.h"
#endif

enum { TRIES = 20000 };

typedef struct tries {
    kifu_timeline *timeline;
    uint32_t count;
    uint8_t square; ///< In Reversi: of the move that is tried.
    void (*submit)(const struct tries *tries, uint32_t number);
} tries;

static double run_search(void *context)
{
    tries *tries = context;
    double start = now();
    for (uint32_t i = 0; i < tries->count; i++) {
        must(!kifu_begin(tries->timeline, KIFU_SEARCH), "no search began");
        tries->submit(tries, i);
        must(!kifu_run(tries->timeline), "a move was refused");
        must(!kifu_roll_back(tries->timeline), "a move was not taken back");
    }
    return now() - start;
}

static double run_undo(void *context)
{
    tries *tries = context;
    double start = now();
    for (uint32_t i = 0; i < tries->count; i++) {
        tries->submit(tries, i);
        must(!kifu_run(tries->timeline), "a move was refused");
        must(!kifu_undo(tries->timeline), "a move was not undone");
    }
    return now() - start;
}

static double run_nothing(void *context)
{
    tries *tries = context;
    double start = now();
    for (uint32_t i = 0; i < tries->count; i++) {
        must(!kifu_begin(tries->timeline, KIFU_SEARCH), "no search began");
        must(!kifu_roll_back(tries->timeline), "not taken back");
    }
    return now() - start;
}

static bool try_move(const tries *tries, uint32_t number, bool legal)
{
    const uint16_t unit = (uint16_t)(number % UNITS);
    return !(legal ? mix_try_legal_p_move(tries->timeline, 0, unit, (uint8_t)number, (uint8_t)(number + 1))
                   : mix_try_p_move(tries->timeline, 0, unit, (uint8_t)number, (uint8_t)(number + 1)));
}

static double run_tries(const tries *tries, bool legal)
{
    const double start = now();
    for (uint32_t i = 0; i < tries->count; i++) {
        must(try_move(tries, i, legal), "a try was refused");
        must(!kifu_take_back(tries->timeline), "a try was not taken back");
    }
    return now() - start;
}

static double run_checked(void *context)
{
    return run_tries(context, false);
}

static double run_legal(void *context)
{
    return run_tries(context, true);
}

// Inside another try.
static double run_inside(const tries *tries, bool legal)
{
    must(try_move(tries, 0, true), "a try was refused");
    const double time = run_tries(tries, legal);
    must(!kifu_take_back(tries->timeline), "a try was not taken back");
    return time;
}

static double run_checked_inside(void *context)
{
    return run_inside(context, false);
}

static double run_legal_inside(void *context)
{
    return run_inside(context, true);
}

static void try_rows(tries *tries, const scale *scale)
{
    contender contenders[] = {{"checked", run_checked, 0},
                              {"known to be legal", run_legal, 0},
                              {"checked, inside", run_checked_inside, 0},
                              {"known to be legal, inside", run_legal_inside, 0}};
    compare(contenders, 4, tries, scale->rounds, tries->count);
    goal_row("one move tried and taken back", contenders[0].ns, true, 30,
             "%6.1f ns, known to be legal %.1f; inside another try %.1f, %.1f", contenders[0].ns, contenders[1].ns,
             contenders[2].ns, contenders[3].ns);
}

static void submit_move(const tries *tries, uint32_t number)
{
    mix_submit_p_move(tries->timeline, 0, (uint16_t)(number % UNITS), (uint8_t)number, (uint8_t)(number + 1));
}

static void rows(const char *what, double goal, tries *tries, const scale *scale)
{
    const uint64_t hash = kifu_state_hash(tries->timeline);
    const uint32_t events = kifu_event_count(tries->timeline);
    contender contenders[] = {{"search", run_search, 0}, {"undo", run_undo, 0}, {"nothing", run_nothing, 0}};
    compare(contenders, 3, tries, scale->rounds, tries->count);
    must(hash == kifu_state_hash(tries->timeline) && events == kifu_event_count(tries->timeline),
         "the state is not what it was");
    const double millions = 1e3 / contenders[0].ns;
    goal_row(what, millions, false, goal, "%6.2f million/s (%.0f ns), by undo %.0f ns: %5.2f x its time", millions,
             contenders[0].ns, contenders[1].ns, last_ratio(0, 1));
    row("    begin and roll back, nothing between", "%6.1f ns", contenders[2].ns);
}

#ifdef BENCH_REVERSI

static void submit_place(const tries *tries, uint32_t number)
{
    (void)number;
    reversi_submit_p_place(tries->timeline, kifu_current_player(kifu_get_game(tries->timeline)),
                           &(reversi_p_place_args){.square = tries->square, .seconds = -1});
}

static void reversi_move_rows(const scale *scale, uint32_t count)
{
    const kifu_options options = {.quiet = true};
    const uint64_t seed = 1;
    tries tries = {.count = count, .submit = submit_place};
    char text[100];
    must(!kifu_create(&reversi_rules, &options, &tries.timeline, NULL), "no timeline");
    must(!reversi_begin(tries.timeline, &seed), "the game did not begin");
    const reversi_state *state = reversi_get_state(tries.timeline);
    uint8_t moves[BOARD_SQUARES];
    for (uint32_t i = 0; i < 12; i++) { // into the middle of the game, where there is more to flip
        uint32_t move_count = board_moves(state->board, board_to_move(&state->game), moves);
        tries.square = moves[i % move_count];
        submit_place(&tries, 0);
        must(!kifu_run(tries.timeline), "a move was refused");
    }
    must(board_moves(state->board, board_to_move(&state->game), moves) > 0, "there is no move");
    tries.square = moves[0];
    uint32_t before = kifu_event_count(tries.timeline);
    submit_place(&tries, 0);
    must(!kifu_run(tries.timeline), "a move was refused");
    snprintf(text, sizeof text, "a move in Reversi, %u events", kifu_event_count(tries.timeline) - before);
    must(!kifu_undo(tries.timeline), "a move was not undone");
    rows(text, 1, &tries, scale);
    kifu_destroy(tries.timeline);
}

#else

static void reversi_move_rows(const scale *scale, uint32_t count)
{
    (void)scale;
    (void)count;
}

#endif

void search_rows(const scale *scale)
{
    const uint32_t played = scale->events / 10;
    tries tries = {.count = scale->events < TRIES ? scale->events : TRIES, .submit = submit_move};
    item *items = malloc(played * sizeof *items);
    must(items, "out of memory");
    make_mix(items, played, 20);
    tries.timeline = play(NULL, items, played);
    heading("Try and take back");
    try_rows(&tries, scale); // first, while there is nothing to redo
    heading("Begin a search, submit, run, roll back");
    rows("one move, without consequences", 1, &tries, scale);
    reversi_move_rows(scale, tries.count);
    kifu_destroy(tries.timeline);
    free(items);
}
