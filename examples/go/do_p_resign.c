#include "rules.h"

/// One may resign when it is not one's turn, too.
kifu_verdict go_check_p_resign(kifu_timeline *timeline, const go_state *state, go_p_resign *resign)
{
    (void)resign;
    const char *fault = rules_stage_fault(state, kifu_player(timeline), state->stage, false);
    return fault ? kifu_reject(fault) : kifu_accept();
}

/// A player gives up.
kifu_result go_do_p_resign(kifu_timeline *timeline, const go_state *state, const go_p_resign *resign)
{
    (void)resign;
    const go_stone loser = rules_stone_of(&state->game, kifu_player(timeline));
    go_submit_e_finish(timeline, GO_ENDING_RESIGNATION, other_stone(loser), 0);
    return KIFU_OK;
}
