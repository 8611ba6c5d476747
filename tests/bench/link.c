/// The smallest game as a program, for rows_link.c: it plays, undoes and redoes; with LINK_SAVE it also saves and
/// loads; with LINK_COMPARE it verifies its replay, and compares itself with a fork.
#include "small.h"

#if defined(LINK_SAVE)
#include <kifu/save.h>
#endif
#if defined(LINK_COMPARE)
#include <kifu/compare.h>
#include <kifu/history.h>
#endif

kifu_verdict small_check_p_add(kifu_timeline *timeline, const small_state *state, small_p_add *event)
{
    (void)timeline, (void)state, (void)event;
    return kifu_accept();
}

kifu_result small_do_p_add(kifu_timeline *timeline, const small_state *state, const small_p_add *event)
{
    *small_edit_sum(timeline) = state->sum + event->amount;
    return KIFU_OK;
}

static kifu_result play(kifu_timeline *timeline)
{
    kifu_result result;
    small_submit_p_add(timeline, 0, 3);
    if ((result = kifu_run(timeline)) || (result = kifu_undo(timeline)))
        return result;
    return kifu_redo(timeline);
}

#if defined(LINK_SAVE)
static kifu_result save_and_load(kifu_timeline **timeline)
{
    kifu_result result = kifu_save(*timeline, "link.kifu", NULL);
    kifu_destroy(*timeline);
    *timeline = NULL;
    return result ? result : kifu_load(&small_rules, "link.kifu", NULL, NULL, timeline, NULL);
}
#endif

#if defined(LINK_COMPARE)
static kifu_result verify_and_compare(kifu_timeline *timeline)
{
    kifu_comparison comparison;
    kifu_timeline *fork;
    kifu_result result = kifu_verify_replay(timeline, NULL);
    if (result || (result = kifu_fork(timeline, kifu_event_count(timeline), NULL, &fork, NULL)))
        return result;
    result = kifu_compare(timeline, fork, &comparison);
    kifu_destroy(fork);
    return result;
}
#endif

int main(void)
{
    kifu_timeline *timeline;
    kifu_result result = kifu_create(&small_rules, NULL, &timeline, NULL);
    if (result)
        return 1;
    result = play(timeline);
#if defined(LINK_SAVE)
    if (!result)
        result = save_and_load(&timeline);
#endif
#if defined(LINK_COMPARE)
    if (!result)
        result = verify_and_compare(timeline);
#endif
    kifu_destroy(timeline);
    return result != KIFU_OK;
}
