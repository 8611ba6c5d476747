// A stack in the user's memory. With PLANTED=remember, it remembers more than the log tells it.

#include <stdlib.h>

#include "model.h"

void stack_reset(void *context)
{
    stack_model *model = context;
    while (model->top)
        stack_take(model);
}

int stack_take(stack_model *model)
{
    stack_node *gone = model->top;
    int number = gone->number;
    model->top = gone->next;
    free(gone);
    return number;
}

static void put(stack_model *model, int number)
{
    stack_node *added = malloc(sizeof *added);
    if (!added)
        abort();
    *added = (stack_node){model->top, number};
    model->top = added;
}

kifu_verdict stack_check_p_push(kifu_timeline *timeline, const kifu_game *state, stack_p_push *push)
{
    (void)timeline;
    (void)state;
    return push->number == 13 ? kifu_reject("13 brings bad luck") : kifu_accept();
}

kifu_result stack_do_p_push(kifu_timeline *timeline, const kifu_game *state, const stack_p_push *push)
{
    (void)state;
    stack_model *model = kifu_user(timeline);
    model->pushes++;
    put(model, push->number + (getenv("PLANTED") && model->pushes % 16 == 0));
    return KIFU_OK;
}

kifu_verdict stack_check_p_pop(kifu_timeline *timeline, const kifu_game *state, stack_p_pop *pop)
{
    (void)timeline;
    (void)state;
    (void)pop;
    return kifu_accept();
}

kifu_result stack_do_p_pop(kifu_timeline *timeline, const kifu_game *state, const stack_p_pop *pop)
{
    (void)state;
    (void)pop;
    stack_model *model = kifu_user(timeline);
    if (!model->top)
        return kifu_fail(timeline, "the stack is empty");
    stack_take(model);
    return KIFU_OK;
}

kifu_verdict stack_check_p_add(kifu_timeline *timeline, const kifu_game *state, stack_p_add *add)
{
    (void)timeline;
    (void)state;
    (void)add;
    return kifu_accept();
}

// Fails half way where there is only one.
kifu_result stack_do_p_add(kifu_timeline *timeline, const kifu_game *state, const stack_p_add *add)
{
    (void)state;
    (void)add;
    stack_model *model = kifu_user(timeline);
    uint32_t sum = 0;
    for (int i = 0; i < 2; i++) {
        if (!model->top)
            return kifu_fail(timeline, "there are no two numbers");
        sum += (uint32_t)stack_take(model);
    }
    put(model, (int)(sum & 0xffff));
    return KIFU_OK;
}
