// The rules of the tally's next release. What the first one did, they do as well.

#include "tally2.h"

kifu_verdict tally2_check_p_add(kifu_timeline *timeline, const tally2_state *state, tally2_p_add *add)
{
    (void)timeline;
    (void)state;
    return add->amount ? kifu_accept() : kifu_reject("nothing to add");
}

kifu_result tally2_do_p_add(kifu_timeline *timeline, const tally2_state *state, const tally2_p_add *add)
{
    (void)state;
    *tally2_edit_total(timeline) += (int64_t)add->amount * add->weight;
    if (tally2_p_add_note(add))
        tally2_submit_e_bonus(timeline, 1, NULL);
    return KIFU_OK;
}

kifu_result tally2_do_e_bonus(kifu_timeline *timeline, const tally2_state *state, const tally2_e_bonus *bonus)
{
    (void)state;
    *tally2_edit_bonuses(timeline) += 1;
    *tally2_edit_total(timeline) += bonus->amount;
    return KIFU_OK;
}

kifu_verdict tally2_check_p_rest(kifu_timeline *timeline, const tally2_state *state, tally2_p_rest *rest)
{
    (void)timeline, (void)state, (void)rest;
    return kifu_accept();
}

kifu_result tally2_do_p_rest(kifu_timeline *timeline, const tally2_state *state, const tally2_p_rest *rest)
{
    (void)timeline, (void)state, (void)rest;
    return KIFU_OK;
}
