#include "board.h"
#include "reversi.h"

/// Asked before the event happens, and never again. A check may fill in what the proposal leaves open.
kifu_verdict reversi_check_p_place(kifu_timeline *timeline, const reversi_state *state, reversi_p_place *place)
{
    uint8_t flips[BOARD_MOST_FLIPS];
    if (kifu_player(timeline) != kifu_current_player(&state->game))
        return kifu_reject("it is the other player's turn");
    place->flips = (uint8_t)board_flips(state->board, board_to_move(&state->game), place->square, flips);
    if (!place->flips)
        return kifu_reject("no disc would turn over");
    return kifu_accept();
}

/// Puts down the disc.
kifu_result reversi_do_p_place(kifu_timeline *timeline, const reversi_state *state, const reversi_p_place *place)
{
    reversi_disc disc = board_to_move(&state->game);
    uint8_t flips[BOARD_MOST_FLIPS];
    uint32_t count = board_flips(state->board, disc, place->square, flips);
    *reversi_edit_board(timeline, place->square) = disc;
    for (uint32_t i = 0; i < count; i++)
        reversi_submit_e_flip(timeline, flips[i]);
    reversi_submit_e_end_turn(timeline);
    return KIFU_OK;
}
