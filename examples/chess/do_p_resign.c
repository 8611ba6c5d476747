#include "chess.h"
#include "rules.h"

/// One may resign when it is not one's turn, too.
kifu_verdict chess_check_p_resign(kifu_timeline *timeline, const chess_state *state, chess_p_resign *resign)
{
    (void)resign;
    if (state->game.phase == KIFU_PHASE_SETUP)
        return kifu_reject("the game has not begun");
    if (rules_side_of(&state->game, kifu_player(timeline)) == CHESS_SIDE_NOBODY)
        return kifu_reject("only a player may resign");
    return kifu_accept();
}

/// A player gives up.
kifu_result chess_do_p_resign(kifu_timeline *timeline, const chess_state *state, const chess_p_resign *resign)
{
    (void)resign;
    const chess_side loser = rules_side_of(&state->game, kifu_player(timeline));
    chess_submit_e_finish(timeline, CHESS_ENDING_RESIGNATION, other_side(loser));
    return KIFU_OK;
}
