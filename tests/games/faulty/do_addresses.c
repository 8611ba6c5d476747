// Faults: what depends on where something lies.

#include <stdlib.h>

#include "world.h"

static int64_t number_of(uintptr_t address)
{
    return (int64_t)(address & 0xffffffff);
}

kifu_result faulty_do_e_address_of_state(kifu_timeline *timeline, const faulty_state *state,
                                         const faulty_e_address_of_state *event)
{
    (void)event;
    faulty_add(timeline, number_of((uintptr_t)state));
    return KIFU_OK;
}

kifu_result faulty_do_e_address_of_event(kifu_timeline *timeline, const faulty_state *state,
                                         const faulty_e_address_of_event *event)
{
    (void)state;
    faulty_add(timeline, number_of((uintptr_t)event));
    return KIFU_OK;
}

kifu_result faulty_do_e_address_of_local(kifu_timeline *timeline, const faulty_state *state,
                                         const faulty_e_address_of_local *event)
{
    volatile int local = 0;
    (void)state;
    (void)event;
    faulty_add(timeline, number_of((uintptr_t)&local));
    return KIFU_OK;
}

kifu_result faulty_do_e_address_of_heap(kifu_timeline *timeline, const faulty_state *state,
                                        const faulty_e_address_of_heap *event)
{
    (void)state;
    (void)event;
    unsigned char *block = malloc(100);
    if (!block)
        return KIFU_NO_MEMORY;
    int64_t number = number_of((uintptr_t)block);
    free(block);
    faulty_add(timeline, number);
    return KIFU_OK;
}

kifu_result faulty_do_e_sum_by_address(kifu_timeline *timeline, const faulty_state *state,
                                       const faulty_e_sum_by_address *event)
{
    static const float weights[] = {1e8F, 1, -1e8F, 1};
    const faulty_node *nodes[FAULTY_NODES];
    (void)state;
    (void)event;
    faulty_by_address(weights, 4, nodes);
    volatile float sum = 0;
    for (int i = 0; i < 4; i++)
        sum = sum + nodes[i]->weight;
    *faulty_edit_small(timeline) = sum;
    return KIFU_OK;
}

kifu_result faulty_do_e_sort_by_address(kifu_timeline *timeline, const faulty_state *state,
                                        const faulty_e_sort_by_address *event)
{
    static const float weights[3] = {0};
    const faulty_node *nodes[FAULTY_NODES];
    (void)state;
    (void)event;
    faulty_by_address(weights, 3, nodes);
    for (int i = 0; i < 3; i++)
        *faulty_edit_units_strength(timeline, (uint32_t)i) = (uint16_t)nodes[i]->number;
    return KIFU_OK;
}

kifu_result faulty_do_e_hash_by_address(kifu_timeline *timeline, const faulty_state *state,
                                        const faulty_e_hash_by_address *event)
{
    static const float weights[3] = {0};
    const faulty_node *nodes[FAULTY_NODES], *buckets[FAULTY_NODES] = {NULL};
    (void)event;
    faulty_by_address(weights, 3, nodes);
    for (int i = 0; i < 3; i++)
        buckets[(uintptr_t)nodes[i] / sizeof *nodes[i] % FAULTY_NODES] = nodes[i];
    int64_t digits = 0;
    for (int i = 0; i < FAULTY_NODES; i++) {
        if (buckets[i])
            digits = digits * 10 + buckets[i]->number;
    }
    faulty_add(timeline, digits - state->total);
    return KIFU_OK;
}

kifu_result faulty_do_e_keep_event(kifu_timeline *timeline, const faulty_state *state, const faulty_e_keep_event *event)
{
    (void)state;
    faulty_now.event = event;
    faulty_add(timeline, event->amount);
    return KIFU_OK;
}

kifu_result faulty_do_e_use_kept_event(kifu_timeline *timeline, const faulty_state *state,
                                       const faulty_e_use_kept_event *event)
{
    (void)state;
    (void)event;
    faulty_add(timeline, faulty_now.event->amount);
    return KIFU_OK;
}

kifu_result faulty_do_e_keep_edit(kifu_timeline *timeline, const faulty_state *state, const faulty_e_keep_edit *event)
{
    (void)state;
    (void)event;
    faulty_now.edit = faulty_edit_total(timeline);
    *faulty_now.edit += 1;
    return KIFU_OK;
}

kifu_result faulty_do_e_use_kept_edit(kifu_timeline *timeline, const faulty_state *state,
                                      const faulty_e_use_kept_edit *event)
{
    (void)timeline;
    (void)state;
    (void)event;
    *faulty_now.edit += 1;
    return KIFU_OK;
}
