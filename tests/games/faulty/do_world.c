// Faults: what depends on the world outside of the game.

#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "world.h"

static int64_t clock_now(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

kifu_result faulty_do_e_clock(kifu_timeline *timeline, const faulty_state *state, const faulty_e_clock *event)
{
    (void)state;
    (void)event;
    int64_t start = clock_now(), now = start;
    while (now == start) // a clock may be coarse
        now = clock_now();
    faulty_add(timeline, now);
    return KIFU_OK;
}

kifu_result faulty_do_e_day(kifu_timeline *timeline, const faulty_state *state, const faulty_e_day *event)
{
    (void)state;
    (void)event;
    faulty_add(timeline, faulty_now.day == 24 ? 5 : 0); // a Christmas present
    return KIFU_OK;
}

kifu_result faulty_do_e_library_random(kifu_timeline *timeline, const faulty_state *state,
                                       const faulty_e_library_random *event)
{
    (void)state;
    (void)event;
    int64_t number = rand();
    faulty_add(timeline, number * RAND_MAX + rand());
    return KIFU_OK;
}

kifu_result faulty_do_e_environment(kifu_timeline *timeline, const faulty_state *state,
                                    const faulty_e_environment *event)
{
    (void)state;
    (void)event;
    const char *level = getenv("FAULTY_LEVEL");
    faulty_add(timeline, level ? strtol(level, NULL, 10) : 1);
    return KIFU_OK;
}

kifu_result faulty_do_e_thread(kifu_timeline *timeline, const faulty_state *state, const faulty_e_thread *event)
{
    (void)state;
    (void)event;
    faulty_add(timeline, (int64_t)((uintptr_t)&errno & 0xffffffff)); // Each thread has its own.
    return KIFU_OK;
}

kifu_result faulty_do_e_process(kifu_timeline *timeline, const faulty_state *state, const faulty_e_process *event)
{
    (void)state;
    (void)event;
    faulty_add(timeline, getpid());
    return KIFU_OK;
}

kifu_result faulty_do_e_user_data(kifu_timeline *timeline, const faulty_state *state, const faulty_e_user_data *event)
{
    (void)state;
    (void)event;
    const int *difficulty = kifu_user(timeline);
    faulty_add(timeline, *difficulty);
    return KIFU_OK;
}

kifu_result faulty_do_e_rounding(kifu_timeline *timeline, const faulty_state *state, const faulty_e_rounding *event)
{
    (void)state;
    (void)event;
    volatile double one = 1, three = 3; // divided when it runs
    *faulty_edit_ratio(timeline) = one / three;
    return KIFU_OK;
}

kifu_result faulty_do_e_locale(kifu_timeline *timeline, const faulty_state *state, const faulty_e_locale *event)
{
    (void)state;
    (void)event;
    faulty_add(timeline, (int64_t)MB_CUR_MAX);
    return KIFU_OK;
}

kifu_result faulty_do_e_view_told(kifu_timeline *timeline, const faulty_state *state, const faulty_e_view_told *event)
{
    (void)state;
    (void)event;
    faulty_add(timeline, faulty_now.shown);
    return KIFU_OK;
}
