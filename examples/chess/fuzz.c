/// What random games of chess begin with, and what a likely input is: see kifu_fuzz.h.
#include "game.h"
#include "kifu_fuzz.h"
#include "moves.h"

static void begin(kifu_timeline *timeline, kifu_rng *rng)
{
    // The beginning; castling, promotion and en passant everywhere; few pieces, for all kinds of draws.
    static const char *const fens[] = {
        NULL,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "8/8/4k3/8/8/3K4/8/R7 w - - 90 70",
    };
    const uint64_t seed = kifu_rng_next(rng);
    (void)chess_begin(
        timeline, // a game can be refused as well as an input
        &(chess_setup){.white = (int)kifu_rng_below(rng, 2), .fen = fens[kifu_rng_below(rng, 4)], .seed = &seed}, NULL);
}

static kifu_ticket rare_input(kifu_timeline *timeline, kifu_rng *rng, int player)
{
    switch (kifu_rng_below(rng, 8)) {
    case 0:
        return chess_submit_p_resign(timeline, player);
    case 1:
    case 2:
        return chess_submit_p_offer_draw(timeline, player);
    case 3:
        return chess_submit_p_accept_draw(timeline, player);
    default:
        return chess_submit_p_claim_draw(timeline, player, false, 0, 0, CHESS_KIND_NONE);
    }
}

static kifu_ticket input(kifu_timeline *timeline, kifu_rng *rng)
{
    const chess_state *state = chess_get_state(timeline);
    const int player = kifu_current_player(&state->game);
    chess_move moves[MOST_MOVES];
    const uint32_t count = moves_legal(&state->position, moves);
    if (!count || kifu_rng_below(rng, 50) == 0)
        return rare_input(timeline, rng, player);
    const chess_move move = moves[kifu_rng_below(rng, count)];
    if (kifu_rng_below(rng, 40) == 0)
        return chess_submit_p_claim_draw(timeline, player, true, move.from, move.to, move.promotion);
    return chess_submit_p_move(timeline, player, move.from, move.to, move.promotion);
}

const kifu_fuzz_hooks chess_fuzz_hooks = {.begin = begin, .input = input};
