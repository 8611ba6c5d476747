#include "model.h"

#include <stdlib.h>

void model_reset(void *context)
{
    model *list = context;
    while (list->first) {
        node *gone = list->first;
        list->first = gone->next;
        free(gone);
    }
    list->resets++;
}

static void push(kifu_timeline *timeline, int number)
{
    model *list = kifu_user(timeline);
    node *added = malloc(sizeof *added);
    *added = (node){list->first, number};
    list->first = added;
}

static kifu_result pop(kifu_timeline *timeline)
{
    model *list = kifu_user(timeline);
    node *gone = list->first;
    if (!gone)
        return kifu_fail(timeline, "the list is empty");
    list->first = gone->next;
    free(gone);
    return KIFU_OK;
}

kifu_verdict outside_check_p_push(kifu_timeline *timeline, const kifu_game *state, outside_p_push *event)
{
    (void)timeline;
    (void)state;
    (void)event;
    return kifu_accept();
}

kifu_result outside_do_p_push(kifu_timeline *timeline, const kifu_game *state, const outside_p_push *event)
{
    (void)state;
    const model *list = kifu_user(timeline);
    push(timeline, event->number);
    return event->number < 0 && list->resets ? kifu_fail(timeline, "negative numbers are pushed once") : KIFU_OK;
}

kifu_result outside_do_e_pop(kifu_timeline *timeline, const kifu_game *state, const outside_e_pop *event)
{
    (void)state;
    (void)event;
    return pop(timeline);
}

kifu_verdict outside_check_p_break(kifu_timeline *timeline, const kifu_game *state, outside_p_break *event)
{
    (void)timeline;
    (void)state;
    (void)event;
    return kifu_accept();
}

kifu_result outside_do_p_break(kifu_timeline *timeline, const kifu_game *state, const outside_p_break *event)
{
    (void)state;
    push(timeline, event->number);
    kifu_result result = pop(timeline);
    if (!result)
        result = pop(timeline);
    return result ? result : kifu_fail(timeline, "it broke");
}
