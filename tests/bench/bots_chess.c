/// bench_bots_chess TRIES ROUNDS: how many tries a second Kifu's bot makes in chess, beside games by lot that are
/// played by hand.
#include "bot.h"
#include "bots.h"
#include "game.h"
#include "moves.h"
#include "plain_chess.h"

enum { PLIES = 40 };

// As the bot draws a move: what leaves the king in check is drawn again.
static chess_move draw_move(const chess_position *position, kifu_rng *rng)
{
    chess_move moves[MOST_MOVES];
    uint32_t count = moves_of(position, moves);
    for (;;) {
        const uint32_t at = kifu_rng_below(rng, count);
        if (move_is_safe(position, moves[at]))
            return moves[at];
        moves[at] = moves[--count];
    }
}

static double run_by_hand(void *context)
{
    const thinking *thinking = context;
    kifu_rng rng;
    kifu_rng_seed(&rng, 1, 0);
    const double start = now();
    for (uint32_t i = 0; i < thinking->tries; i++) {
        chess_state state = *chess_get_state(thinking->timeline);
        plain_taken taken;
        for (uint32_t ply = 0; ply < PLIES && !state.ending; ply++)
            plain_make(&state, draw_move(&state.position, &rng), true, &taken);
    }
    return now() - start;
}

static double run_by_lot(void *context)
{
    const thinking *thinking = context;
    return time_bot(thinking->timeline, &(kifu_bot){.judge = chess_bot.judge, .depth = PLIES}, thinking->tries);
}

static double run_at_once(void *context)
{
    const thinking *thinking = context;
    return time_bot(thinking->timeline, &chess_bot, thinking->tries);
}

int main(int argc, char **argv)
{
    thinking thinking;
    const uint32_t rounds = begin_thinking(argc, argv, &chess_rules, &thinking);
    must(!chess_begin(thinking.timeline, &(chess_setup){.white = 0}, NULL), "the game did not begin");
    contender contenders[] = {{"by hand", run_by_hand, 0}, {"by lot", run_by_lot, 0}, {"at once", run_at_once, 0}};
    compare(contenders, 3, &thinking, rounds, thinking.tries);
    bot_row("chess, 40 moves by lot behind the tree", contenders, 1);
    bot_row("chess, judged where the tree ends", contenders, 2);
    kifu_destroy(thinking.timeline);
    return 0;
}
