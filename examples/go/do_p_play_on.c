#include "rules.h"

/// While the stones are counted.
kifu_verdict go_check_p_play_on(kifu_timeline *timeline, const go_state *state, go_p_play_on *play_on)
{
    (void)play_on;
    const char *fault = rules_stage_fault(state, kifu_player(timeline), GO_STAGE_COUNTING, false);
    return fault ? kifu_reject(fault) : kifu_accept();
}

/// No stone is marked any more, and the other player moves.
kifu_result go_do_p_play_on(kifu_timeline *timeline, const go_state *state, const go_p_play_on *play_on)
{
    (void)play_on;
    const bool white_next = rules_stone_of(&state->game, kifu_player(timeline)) == GO_STONE_BLACK;
    rules_stop_counting(timeline, state);
    *go_edit_keys(timeline, state->plays) |= white_next ? GO_STONE_WHITE : GO_STONE_BLACK;
    *kifu_edit_turn(timeline) = white_next;
    return KIFU_OK;
}
