// The rules of the barn's next release.

#include "barn2.h"

kifu_verdict barn2_check_p_set(kifu_timeline *timeline, const barn2_state *state, barn2_p_set *set)
{
    (void)timeline, (void)state, (void)set;
    return kifu_accept();
}

kifu_result barn2_do_p_set(kifu_timeline *timeline, const barn2_state *state, const barn2_p_set *set)
{
    (void)state;
    *barn2_edit_gold(timeline) += set->value;
    return KIFU_OK;
}

kifu_result barn2_do_e_bell(kifu_timeline *timeline, const barn2_state *state, const barn2_e_bell *bell)
{
    (void)state;
    *barn2_edit_gold(timeline) += bell->number;
    return KIFU_OK;
}

kifu_result barn2_do_e_fresh(kifu_timeline *timeline, const barn2_state *state, const barn2_e_fresh *fresh)
{
    (void)state, (void)fresh;
    ++*barn2_edit_fresh(timeline);
    return KIFU_OK;
}
