// The rules of the tally.

#include "tally.h"

kifu_verdict tally_check_p_add(kifu_timeline *timeline, const tally_state *state, tally_p_add *add)
{
    (void)timeline;
    (void)state;
    return add->amount ? kifu_accept() : kifu_reject("nothing to add");
}

kifu_result tally_do_p_add(kifu_timeline *timeline, const tally_state *state, const tally_p_add *add)
{
    (void)state;
    *tally_edit_total(timeline) += add->amount;
    if (tally_p_add_note(add))
        tally_submit_e_bonus(timeline, 1);
    return KIFU_OK;
}

kifu_result tally_do_e_bonus(kifu_timeline *timeline, const tally_state *state, const tally_e_bonus *bonus)
{
    (void)state;
    *tally_edit_total(timeline) += bonus->amount;
    return KIFU_OK;
}
