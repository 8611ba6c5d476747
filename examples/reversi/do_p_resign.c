#include "board.h"
#include "reversi.h"

/// One may resign when it is not one's turn, too.
kifu_verdict reversi_check_p_resign(kifu_timeline *timeline, const reversi_state *state, reversi_p_resign *resign)
{
    (void)timeline;
    (void)resign;
    if (state->game.phase == KIFU_PHASE_SETUP)
        return kifu_reject("the game has not begun");
    return kifu_accept();
}

/// A player gives up.
kifu_result reversi_do_p_resign(kifu_timeline *timeline, const reversi_state *state, const reversi_p_resign *resign)
{
    (void)resign;
    *reversi_edit_resigned(timeline) = board_disc_of(&state->game, kifu_player(timeline));
    reversi_submit_e_end_game(timeline);
    return KIFU_OK;
}
