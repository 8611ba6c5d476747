#include "rules.h"

/// Only who is to move.
kifu_verdict go_check_p_pass(kifu_timeline *timeline, const go_state *state, go_p_pass *pass)
{
    (void)pass;
    const char *fault = rules_stage_fault(state, kifu_player(timeline), GO_STAGE_PLAYING, true);
    return fault ? kifu_reject(fault) : kifu_accept();
}

/// A player may always pass.
void go_list_p_pass(const kifu_timeline *timeline, const go_state *state, int player, kifu_moves *moves)
{
    (void)timeline;
    if (state->stage == GO_STAGE_PLAYING && player == kifu_current_player(&state->game))
        go_add_p_pass(moves);
}

/// It is the other player's turn. After two passes the stones are counted.
kifu_result go_do_p_pass(kifu_timeline *timeline, const go_state *state, const go_p_pass *pass)
{
    (void)pass;
    const go_stone other = other_stone(rules_to_move(&state->game));
    *go_edit_keys(timeline, state->plays) |= other; // Now both have been to move here.
    *go_edit_last(timeline) = NO_POINT;
    *go_edit_passes(timeline) = (uint8_t)(state->passes + 1);
    *kifu_edit_turn(timeline) = other == GO_STONE_WHITE;
    if (state->passes == 2)
        *go_edit_stage(timeline) = GO_STAGE_COUNTING;
    return KIFU_OK;
}
