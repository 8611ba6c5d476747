// Faults: what depends on what was left by somebody before.

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"

static int64_t sum_of(const unsigned char *bytes, size_t size)
{
    int64_t sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += bytes[i];
    return sum;
}

kifu_result faulty_do_e_padding_left(kifu_timeline *timeline, const faulty_state *state,
                                     const faulty_e_padding_left *event)
{
    (void)state;
    (void)event;
    faulty_unit unit;
    memset(&unit, ++faulty_now.left, sizeof unit); // as memory that was used before
    unit.strength = 3;
    unit.mood = FAULTY_MOOD_ANGRY;
    memset(unit.place, 1, sizeof unit.place);
    unit.energy = 0.5F;
    *faulty_edit_units(timeline, 2) = unit;
    return KIFU_OK;
}

kifu_result faulty_do_e_stack_left(kifu_timeline *timeline, const faulty_state *state, const faulty_e_stack_left *event)
{
    (void)state;
    (void)event;
    unsigned char
        room[2000]; // Of which the far end is where no call between two events gets to, and kifu__scribble does.
    faulty_leave(room, sizeof room);
    faulty_add(timeline, sum_of(room, 64));
    return KIFU_OK;
}

kifu_result faulty_do_e_heap_left(kifu_timeline *timeline, const faulty_state *state, const faulty_e_heap_left *event)
{
    (void)state;
    (void)event;
    const size_t size = faulty_now.large ? 768 : 200;
    unsigned char *block = malloc(size);
    if (!block)
        return KIFU_NO_MEMORY;
    faulty_leave(block, size);
    int64_t sum = sum_of(block + 100, size - 100);
    free(block);
    faulty_add(timeline, sum);
    return KIFU_OK;
}

kifu_result faulty_do_e_errno_left(kifu_timeline *timeline, const faulty_state *state, const faulty_e_errno_left *event)
{
    (void)state;
    (void)event;
    long number = strtol("12", NULL, 10); // Nobody set errno to 0 before.
    faulty_add(timeline, errno == ERANGE ? 0 : number);
    return KIFU_OK;
}

kifu_result faulty_do_e_counter(kifu_timeline *timeline, const faulty_state *state, const faulty_e_counter *event)
{
    (void)state;
    (void)event;
    faulty_add(timeline, ++faulty_now.counter);
    return KIFU_OK;
}

kifu_result faulty_do_e_first_time(kifu_timeline *timeline, const faulty_state *state, const faulty_e_first_time *event)
{
    (void)state;
    (void)event;
    if (!faulty_now.known)
        faulty_add(timeline, 100);
    faulty_now.known = true;
    faulty_add(timeline, 1);
    return KIFU_OK;
}

kifu_result faulty_do_e_stale_cache(kifu_timeline *timeline, const faulty_state *state,
                                    const faulty_e_stale_cache *event)
{
    (void)event;
    if (!faulty_now.cached) {
        faulty_now.cached = true;
        faulty_now.cache = state->total * 2;
    }
    faulty_add(timeline, faulty_now.cache);
    return KIFU_OK;
}
