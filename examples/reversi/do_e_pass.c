#include "reversi.h"

/// Whose turn it is cannot move: the turn goes back.
kifu_result reversi_do_e_pass(kifu_timeline *timeline, const reversi_state *state, const reversi_e_pass *pass)
{
    (void)pass;
    kifu_next_turn(timeline, &state->game);
    return KIFU_OK;
}
