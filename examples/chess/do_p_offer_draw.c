#include "chess.h"
#include "rules.h"

/// One offer at a time.
kifu_verdict chess_check_p_offer_draw(kifu_timeline *timeline, const chess_state *state, chess_p_offer_draw *offer)
{
    (void)offer;
    const chess_side mine = rules_side_of(&state->game, kifu_player(timeline));
    if (state->game.phase == KIFU_PHASE_SETUP)
        return kifu_reject("the game has not begun");
    if (mine == CHESS_SIDE_NOBODY)
        return kifu_reject("only a player may offer a draw");
    if (state->offer == mine)
        return kifu_reject("your offer stands already");
    if (state->offer != CHESS_SIDE_NOBODY)
        return kifu_reject("the other player offers a draw: accept it, or move");
    return kifu_accept();
}

/// The offer stands until the other player moves.
kifu_result chess_do_p_offer_draw(kifu_timeline *timeline, const chess_state *state, const chess_p_offer_draw *offer)
{
    (void)offer;
    *chess_edit_offer(timeline) = rules_side_of(&state->game, kifu_player(timeline));
    return KIFU_OK;
}
