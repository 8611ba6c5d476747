/// What random games of Reversi begin with, and what a likely move is: see kifu_fuzz.h.
#include "board.h"
#include "game.h"
#include "kifu_fuzz.h"

static void begin(kifu_timeline *timeline, kifu_rng *rng)
{
    uint64_t seed = kifu_rng_next(rng);
    (void)reversi_begin(timeline, &seed); // a game can be refused as well as an input
}

static kifu_ticket input(kifu_timeline *timeline, kifu_rng *rng)
{
    const reversi_state *state = reversi_get_state(timeline);
    int player = kifu_current_player(&state->game);
    if (kifu_rng_below(rng, 100) == 0)
        return reversi_submit_p_resign(timeline, player);
    reversi_p_place_args place = {.seconds = (int16_t)kifu_rng_below(rng, 60)};
    uint32_t first = kifu_rng_below(rng, BOARD_SQUARES);
    for (uint32_t i = 0; i < BOARD_SQUARES; i++) {
        place.square = (uint8_t)((first + i) % BOARD_SQUARES);
        if (board_is_legal(state->board, board_to_move(&state->game), place.square))
            return reversi_submit_p_place(timeline, player, &place);
    }
    return 0;
}

const kifu_fuzz_hooks reversi_fuzz_hooks = {.begin = begin, .input = input};
