#include "duel.h"

/// One may resign when it is not one's turn, too.
kifu_verdict duel_check_p_resign(kifu_timeline *timeline, const duel_state *state, duel_p_resign *resign)
{
    (void)resign;
    if (state->game.phase == KIFU_PHASE_SETUP)
        return kifu_reject("the game has not begun");
    if (kifu_player(timeline) != 0 && kifu_player(timeline) != 1)
        return kifu_reject("only a player can resign");
    return kifu_accept();
}

/// A player gives up.
kifu_result duel_do_p_resign(kifu_timeline *timeline, const duel_state *state, const duel_p_resign *resign)
{
    (void)state;
    (void)resign;
    duel_submit_e_lose(timeline, (uint8_t)kifu_player(timeline));
    return KIFU_OK;
}
