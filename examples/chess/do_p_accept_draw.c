#include "chess.h"
#include "rules.h"

/// Only what the other player offers.
kifu_verdict chess_check_p_accept_draw(kifu_timeline *timeline, const chess_state *state, chess_p_accept_draw *accept)
{
    (void)accept;
    const chess_side mine = rules_side_of(&state->game, kifu_player(timeline));
    if (state->game.phase == KIFU_PHASE_SETUP)
        return kifu_reject("the game has not begun");
    if (mine == CHESS_SIDE_NOBODY || state->offer != other_side(mine))
        return kifu_reject("the other player does not offer a draw");
    return kifu_accept();
}

/// The players agree to a draw.
kifu_result chess_do_p_accept_draw(kifu_timeline *timeline, const chess_state *state, const chess_p_accept_draw *accept)
{
    (void)state;
    (void)accept;
    chess_submit_e_finish(timeline, CHESS_ENDING_AGREEMENT, CHESS_SIDE_NOBODY);
    return KIFU_OK;
}
