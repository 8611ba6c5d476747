#include "backgammon/e_dice.h"
#include "backgammon/e_end_turn.h"
#include "board.h"

/// What the dice show. Where none of them can be played, the turn ends.
kifu_result backgammon_do_e_dice(kifu_timeline *timeline, const backgammon_state *state, const backgammon_e_dice *dice)
{
    const int player = kifu_current_player(&state->game);
    if (player < 0)
        return kifu_fail(timeline, "no player has joined");
    board_set_dice(backgammon_edit_board(timeline), dice->first, dice->second);
    if (!board_most(&state->board, player))
        backgammon_submit_e_end_turn(timeline);
    return KIFU_OK;
}
