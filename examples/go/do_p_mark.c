#include "rules.h"

/// Either player marks stones of either colour.
kifu_verdict go_check_p_mark(kifu_timeline *timeline, const go_state *state, go_p_mark *mark)
{
    const char *fault = rules_stage_fault(state, kifu_player(timeline), GO_STAGE_COUNTING, false);
    if (!fault && (mark->point >= point_count(&state->terms) || state->board[mark->point] == GO_STONE_NONE))
        fault = "there is no stone";
    return fault ? kifu_reject(fault) : kifu_accept();
}

/// The chain is dead, or alive again. Nobody has agreed with that yet.
kifu_result go_do_p_mark(kifu_timeline *timeline, const go_state *state, const go_p_mark *mark)
{
    points chain;
    if (mark->point >= point_count(&state->terms)) // in a save that somebody has written by hand
        return kifu_fail(timeline, "there is no such point on this board");
    const bool dead = !state->dead[mark->point];
    board_chain(&state->terms, state->board, mark->point, NO_POINT, &chain);
    for (uint32_t i = 0; i < chain.count; i++)
        *go_edit_dead(timeline, chain.items[i]) = dead;
    *go_edit_agreed(timeline, 0) = false;
    *go_edit_agreed(timeline, 1) = false;
    return KIFU_OK;
}
