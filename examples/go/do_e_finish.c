#include "go.h"

/// The game has ended, and why.
kifu_result go_do_e_finish(kifu_timeline *timeline, const go_state *state, const go_e_finish *finish)
{
    (void)state;
    *go_edit_stage(timeline) = GO_STAGE_OVER;
    *go_edit_ending(timeline) = finish->ending;
    *go_edit_winner(timeline) = finish->winner;
    *go_edit_lead(timeline) = finish->lead;
    go_submit_e_end_game(timeline);
    return KIFU_OK;
}
