/// bench_bots_go TRIES ROUNDS: how many tries a second computers make in Go on 9 x 9, beside games by lot on the same
/// fast board: the example's, and Kifu's bot with such a game as its judge.
#include "bots.h"
#include "game.h"
#include "go.h"
#include "playout.h"
#include "rules.h"
#include "think.h"

// The random numbers are new in each try.
static void judge(const kifu_timeline *timeline, double *worth)
{
    const go_state *state = go_get_state(timeline);
    kifu_rng rng = state->game.rng;
    uint64_t random = kifu_rng_next(&rng) | 1;
    fast_board board;
    uint16_t moves[MOST_MOVES];
    uint32_t count = 0;
    fast_set_up(&board, state);
    playout_play(&board, &state->terms, &random, moves, &count);
    const bool black = playout_lead(&board, &state->terms) > 0;
    const int to_move = kifu_current_player(&state->game);
    worth[to_move] = black == (rules_to_move(&state->game) == GO_STONE_BLACK);
    worth[1 - to_move] = 1 - worth[to_move];
}

static double run_by_lot(void *context)
{
    const thinking *thinking = context;
    playouts played;
    const double start = now();
    playouts_play(go_get_state(thinking->timeline), thinking->tries, 1, &played);
    return now() - start;
}

static double run_example(void *context)
{
    const thinking *thinking = context;
    thought thought;
    const double start = now();
    must(!think(go_get_state(thinking->timeline), &(kifu_thinking){.tries = thinking->tries}, &thought), "no memory");
    return now() - start;
}

static double run_bot(void *context)
{
    const thinking *thinking = context;
    return time_bot(thinking->timeline, &(kifu_bot){.judge = judge, .depth = KIFU_AT_ONCE}, thinking->tries);
}

int main(int argc, char **argv)
{
    thinking thinking;
    const uint32_t rounds = begin_thinking(argc, argv, &go_rules, &thinking);
    go_setup setup = {.terms = go_usual_terms()};
    setup.terms.size = 9;
    must(!go_begin(thinking.timeline, &setup), "the game did not begin");
    contender contenders[] = {{"by lot", run_by_lot, 0}, {"example", run_example, 0}, {"bot", run_bot, 0}};
    compare(contenders, 3, &thinking, rounds, thinking.tries);
    bot_row("Go, the example's computer", contenders, 1);
    bot_row("Go, Kifu's bot, judged by a game by lot", contenders, 2);
    kifu_destroy(thinking.timeline);
    return 0;
}
