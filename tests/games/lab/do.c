// The Do functions and checks of the lab.

#include "script.h"

kifu_verdict lab_check_p_do(kifu_timeline *timeline, const lab_state *state, lab_p_do *event)
{
    (void)timeline;
    (void)state;
    const char *script = lab_p_do_script(event);
    if (script && script[0] == '!')
        return kifu_reject("forbidden by its first letter");
    if (event->times > 3)
        event->times = 3;
    return kifu_accept();
}

kifu_result lab_do_p_do(kifu_timeline *timeline, const lab_state *state, const lab_p_do *event)
{
    kifu_result result = KIFU_OK;
    for (int i = 0; i < event->times && !result; i++)
        result = script_run(timeline, state, lab_p_do_script(event));
    return result;
}

kifu_result lab_do_e_do(kifu_timeline *timeline, const lab_state *state, const lab_e_do *event)
{
    return script_run(timeline, state, lab_e_do_script(event));
}

kifu_verdict lab_check_e_try(kifu_timeline *timeline, const lab_state *state, lab_e_try *event)
{
    (void)timeline;
    (void)state;
    const char *script = lab_e_try_script(event);
    return script && script[0] == '!' ? kifu_reject("forbidden by its first letter") : kifu_accept();
}

kifu_result lab_do_e_try(kifu_timeline *timeline, const lab_state *state, const lab_e_try *event)
{
    return script_run(timeline, state, lab_e_try_script(event));
}

kifu_result lab_do_e_seal(kifu_timeline *timeline, const lab_state *state, const lab_e_seal *event)
{
    (void)timeline;
    (void)state;
    (void)event;
    return KIFU_OK;
}

kifu_verdict lab_check_p_add(kifu_timeline *timeline, const lab_state *state, lab_p_add *event)
{
    (void)timeline;
    (void)state;
    return event->amount ? kifu_accept() : kifu_reject("nothing to add");
}

kifu_result lab_do_p_add(kifu_timeline *timeline, const lab_state *state, const lab_p_add *event)
{
    (void)state;
    unsigned long *calls = kifu_user(timeline);
    if (calls)
        ++*calls;
    *lab_edit_total(timeline) += event->amount;
    return KIFU_OK;
}

kifu_result lab_do_e_mood(kifu_timeline *timeline, const lab_state *state, const lab_e_mood *event)
{
    (void)state;
    *lab_edit_mood(timeline) = event->mood;
    return KIFU_OK;
}

kifu_result lab_do_e_show(kifu_timeline *timeline, const lab_state *state, const lab_e_show *event,
                          lab_e_show_transient *transient)
{
    *lab_edit_total(timeline) += event->amount;
    transient->total = state->total;
    return KIFU_OK;
}
