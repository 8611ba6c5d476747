#include "backgammon/e_end_turn.h"
#include "board.h"

/// All dice are played that can be: the other player's turn.
kifu_result backgammon_do_e_end_turn(kifu_timeline *timeline, const backgammon_state *state,
                                     const backgammon_e_end_turn *end_turn)
{
    (void)end_turn;
    board_set_dice(backgammon_edit_board(timeline), 0, 0);
    kifu_next_turn(timeline, &state->game);
    return KIFU_OK;
}
