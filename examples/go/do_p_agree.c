#include "rules.h"

/// While the stones are counted.
kifu_verdict go_check_p_agree(kifu_timeline *timeline, const go_state *state, go_p_agree *agree)
{
    (void)agree;
    const char *fault = rules_stage_fault(state, kifu_player(timeline), GO_STAGE_COUNTING, false);
    return fault ? kifu_reject(fault) : kifu_accept();
}

/// A computer agrees with what is marked.
void go_list_p_agree(const kifu_timeline *timeline, const go_state *state, int player, kifu_moves *moves)
{
    (void)timeline;
    const go_stone stone = rules_stone_of(&state->game, player);
    if (state->stage == GO_STAGE_COUNTING && stone && !state->agreed[stone - 1])
        go_add_p_agree(moves);
}

/// When both agree, the game is over.
kifu_result go_do_p_agree(kifu_timeline *timeline, const go_state *state, const go_p_agree *agree)
{
    (void)agree;
    const go_stone stone = rules_stone_of(&state->game, kifu_player(timeline));
    if (!stone) // in a save that somebody has written by hand
        return kifu_fail(timeline, "only a player may agree");
    *go_edit_agreed(timeline, stone - 1u) = true;
    *kifu_edit_turn(timeline) = stone == GO_STONE_BLACK;
    if (!state->agreed[0] || !state->agreed[1])
        return KIFU_OK;
    const int32_t lead = rules_lead(state);
    go_submit_e_finish(timeline, GO_ENDING_COUNTED,
                       lead > 0   ? GO_STONE_BLACK
                       : lead < 0 ? GO_STONE_WHITE
                                  : GO_STONE_NONE,
                       (int16_t)lead);
    return KIFU_OK;
}
