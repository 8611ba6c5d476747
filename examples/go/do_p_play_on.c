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
    for (uint32_t point = 0; point < point_count(&state->terms); point++) {
        if (state->dead[point])
            *go_edit_dead(timeline, point) = false;
    }
    *go_edit_agreed(timeline, 0) = false;
    *go_edit_agreed(timeline, 1) = false;
    *go_edit_stage(timeline) = GO_STAGE_PLAYING;
    *go_edit_passes(timeline) = 0;
    *go_edit_keys(timeline, state->plays) |= white_next ? GO_STONE_WHITE : GO_STONE_BLACK;
    *kifu_edit_turn(timeline) = white_next;
    return KIFU_OK;
}
