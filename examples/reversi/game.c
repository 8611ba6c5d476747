#include "game.h"

#include "board.h"

kifu_result reversi_begin(kifu_timeline *timeline, const uint64_t *seed)
{
    kifu_e_initialize_args initialize = kifu_e_initialize_defaults();
    initialize.has_seed = seed != NULL;
    initialize.seed = seed ? *seed : 0;
    reversi_submit_e_reset_game(timeline);
    reversi_submit_e_add_player(timeline, 0, 0x202020);
    reversi_submit_e_add_player(timeline, 1, 0xf0f0f0);
    reversi_submit_e_initialize(timeline, &initialize);
    reversi_submit_e_set_up_board(timeline);
    reversi_submit_e_start_round(timeline);
    return kifu_run(timeline);
}

reversi_disc reversi_winner(const reversi_state *state)
{
    if (state->resigned != REVERSI_DISC_NONE)
        return board_other(state->resigned);
    uint32_t black = board_count(state->board, REVERSI_DISC_BLACK);
    uint32_t white = board_count(state->board, REVERSI_DISC_WHITE);
    if (black == white)
        return REVERSI_DISC_NONE;
    return black > white ? REVERSI_DISC_BLACK : REVERSI_DISC_WHITE;
}
