#include "chess.h"
#include "moves.h"
#include "rules.h"

static chess_ending claimed(const chess_state *state, const chess_p_claim_draw *claim)
{
    return claim->announced ? rules_claim_after(state, claim->from, claim->to, claim->promotion) : rules_claim(state);
}

/// Whose turn it is may claim.
kifu_verdict chess_check_p_claim_draw(kifu_timeline *timeline, const chess_state *state, chess_p_claim_draw *claim)
{
    if (state->game.phase == KIFU_PHASE_SETUP)
        return kifu_reject("the game has not begun");
    if (kifu_player(timeline) != kifu_current_player(&state->game))
        return kifu_reject("it is the other player's turn");
    const char *fault =
        claim->announced ? move_fault(&state->position, (chess_move){claim->from, claim->to, claim->promotion}) : NULL;
    if (fault)
        return kifu_reject(fault);
    if (!claimed(state, claim))
        return kifu_reject(claim->announced ? "after that move the position would not stand for the third time, nor "
                                              "would fifty moves have passed without a capture or a pawn's move"
                                            : "the position does not stand for the third time, and fifty moves have "
                                              "not passed without a capture or a pawn's move");
    return kifu_accept();
}

/// The game is drawn. An announced move is not made.
kifu_result chess_do_p_claim_draw(kifu_timeline *timeline, const chess_state *state, const chess_p_claim_draw *claim)
{
    if (claim->announced && (claim->from >= SQUARES || claim->to >= SQUARES || claim->promotion > CHESS_KIND_QUEEN))
        return kifu_fail(timeline, "that is not on the board"); // in a save that somebody has written by hand
    chess_submit_e_finish(timeline, claimed(state, claim), CHESS_SIDE_NOBODY);
    return KIFU_OK;
}
