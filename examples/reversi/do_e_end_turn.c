#include "board.h"
#include "reversi.h"

/// The other player's turn; who cannot move passes, and when nobody can, the game is over.
kifu_result reversi_do_e_end_turn(kifu_timeline *timeline, const reversi_state *state,
                                  const reversi_e_end_turn *end_turn)
{
    (void)end_turn;
    reversi_disc mine = board_to_move(&state->game);
    kifu_next_turn(timeline, &state->game);
    if (board_can_move(state->board, board_other(mine)))
        return KIFU_OK;
    if (board_can_move(state->board, mine))
        reversi_submit_e_pass(timeline);
    else
        reversi_submit_e_end_game(timeline);
    return KIFU_OK;
}
