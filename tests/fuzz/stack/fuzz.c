// Each timeline has a stack of its own.

#include <stdlib.h>

#include "kifu_fuzz.h"
#include "model.h"

static void options(kifu_options *options)
{
    options->user = calloc(1, sizeof(stack_model));
    options->reset = stack_reset;
    if (!options->user)
        abort();
}

static void dispose(const kifu_options *options)
{
    stack_reset(options->user);
    free(options->user);
}

static uint64_t digest(const kifu_timeline *timeline)
{
    const stack_model *model = kifu_user(timeline);
    uint64_t sum = 0;
    for (const stack_node *node = model->top; node; node = node->next)
        sum = sum * 31 + (uint32_t)node->number + 1;
    return sum;
}

static kifu_ticket input(kifu_timeline *timeline, kifu_rng *rng)
{
    switch (kifu_rng_below(rng, 4)) {
    case 0:
        return stack_submit_p_pop(timeline, 0);
    case 1:
        return stack_submit_p_add(timeline, 0);
    default:
        return stack_submit_p_push(timeline, 0, (int)kifu_rng_below(rng, 100));
    }
}

const kifu_fuzz_hooks stack_fuzz_hooks = {.input = input, .options = options, .dispose = dispose, .digest = digest};
