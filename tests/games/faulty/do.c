// The events without a fault.

#include "world.h"

kifu_verdict faulty_check_p_add(kifu_timeline *timeline, const faulty_state *state, faulty_p_add *add)
{
    (void)timeline;
    (void)state;
    return add->amount ? kifu_accept() : kifu_reject("nothing to add");
}

kifu_result faulty_do_p_add(kifu_timeline *timeline, const faulty_state *state, const faulty_p_add *add)
{
    (void)state;
    faulty_add(timeline, add->amount);
    return KIFU_OK;
}

kifu_verdict faulty_check_p_roll(kifu_timeline *timeline, const faulty_state *state, faulty_p_roll *roll)
{
    (void)timeline;
    (void)state;
    (void)roll;
    return kifu_accept();
}

kifu_result faulty_do_p_roll(kifu_timeline *timeline, const faulty_state *state, const faulty_p_roll *roll)
{
    (void)state;
    (void)roll;
    faulty_add(timeline, kifu_random_between(timeline, 1, 6));
    return KIFU_OK;
}

kifu_verdict faulty_check_p_try(kifu_timeline *timeline, const faulty_state *state, faulty_p_try *try)
{
    (void)timeline;
    (void)state;
    (void)try;
    return kifu_accept();
}

kifu_result faulty_do_p_try(kifu_timeline *timeline, const faulty_state *state, const faulty_p_try *try)
{
    kifu_result result = kifu_begin(timeline, 0);
    if (result)
        return result;
    *faulty_edit_units_strength(timeline, 1) = (uint16_t)try->amount;
    result = kifu_begin(timeline, 0);
    if (result)
        return result;
    *faulty_edit_ratio(timeline) = (double)kifu_random(timeline);
    kifu_roll_back(timeline);
    kifu_roll_back(timeline);
    result = kifu_begin(timeline, 0);
    if (result)
        return result;
    faulty_add(timeline, state->units[1].strength + try->amount);
    return kifu_commit(timeline);
}

kifu_verdict faulty_check_p_fail(kifu_timeline *timeline, const faulty_state *state, faulty_p_fail *fail)
{
    (void)timeline;
    (void)state;
    (void)fail;
    return kifu_accept();
}

kifu_result faulty_do_p_fail(kifu_timeline *timeline, const faulty_state *state, const faulty_p_fail *fail)
{
    (void)state;
    (void)fail;
    faulty_add(timeline, 1000);
    return kifu_fail(timeline, "it always does");
}

kifu_result faulty_do_e_chain(kifu_timeline *timeline, const faulty_state *state, const faulty_e_chain *chain)
{
    (void)state;
    faulty_add(timeline, chain->amount);
    if (chain->amount > 1)
        faulty_submit_e_chain(timeline, chain->amount - 1);
    return KIFU_OK;
}

kifu_result faulty_do_e_show(kifu_timeline *timeline, const faulty_state *state, const faulty_e_show *show,
                             faulty_e_show_transient *transient)
{
    faulty_add(timeline, show->amount + transient->total);
    transient->total = state->total;
    transient->replayed = kifu_is_replaying(timeline);
    return KIFU_OK;
}
