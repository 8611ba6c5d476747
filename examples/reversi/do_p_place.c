#include "board.h"
#include "reversi.h"

/// Asked before the event happens, and never again: what is in the log was legal.
kifu_verdict reversi_check_p_place(kifu_timeline *timeline, const reversi_state *state, reversi_p_place *place)
{
    if (state->game.phase == KIFU_PHASE_SETUP)
        return kifu_reject("the game has not begun");
    if (kifu_player(timeline) != kifu_current_player(&state->game))
        return kifu_reject("it is the other player's turn");
    if (place->square >= BOARD_SQUARES)
        return kifu_reject("that is not on the board");
    if (state->board[place->square] != REVERSI_DISC_NONE)
        return kifu_reject("there is a disc already");
    if (!board_is_legal(state->board, board_to_move(&state->game), place->square))
        return kifu_reject("no disc would turn over");
    return kifu_accept();
}

/// Every empty square: the check knows which of them turn discs over.
void reversi_list_p_place(const kifu_timeline *timeline, const reversi_state *state, int player, kifu_moves *moves)
{
    (void)timeline;
    (void)player;
    reversi_p_place_args place = reversi_p_place_defaults();
    for (uint8_t square = 0; square < BOARD_SQUARES; square++) {
        place.square = square;
        if (state->board[square] == REVERSI_DISC_NONE)
            reversi_add_p_place(moves, &place);
    }
}

/// Puts down the disc. What follows from it becomes events of their own: so each can be shown, and undo takes them back
/// together with this one.
kifu_result reversi_do_p_place(kifu_timeline *timeline, const reversi_state *state, const reversi_p_place *place)
{
    reversi_disc disc = board_to_move(&state->game);
    uint8_t flips[BOARD_MOST_FLIPS];
    uint32_t count = board_flips(state->board, disc, place->square, flips); // before the edit: `state` shows it at once

    *reversi_edit_board(timeline, place->square) = disc;
    for (uint32_t i = 0; i < count; i++)
        reversi_submit_e_flip(timeline, flips[i]);
    reversi_submit_e_end_turn(timeline);
    return KIFU_OK;
}
