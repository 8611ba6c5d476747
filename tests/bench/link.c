/// The smallest game as a program, for rows_link.c: it plays, undoes and redoes; with LINK_SAVE it also saves and
/// loads.
#include "small.h"

#if defined(LINK_SAVE)
#include <kifu/save.h>
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
    kifu_destroy(timeline);
    return result != KIFU_OK;
}
