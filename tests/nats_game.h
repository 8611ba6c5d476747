/// How the tests of kifu/nats.h begin a game of Nim.
#ifndef NATS_GAME_H
#define NATS_GAME_H

#include <kifu/kifu.h>
#include <time.h>

#include "nim.h"

static inline kifu_result begin_nim(void *context, kifu_timeline *timeline, uint32_t seats)
{
    const uint16_t stones[] = {9, 9, 9, 9};
    const kifu_e_initialize_args initialize = kifu_e_initialize_defaults();
    (void)context;
    nim_submit_e_reset_game(timeline);
    for (uint32_t i = 0; i < seats; i++)
        nim_submit_e_add_player(timeline, (uint8_t)i, KIFU_RED);
    nim_submit_e_initialize(timeline, &initialize);
    nim_submit_e_deal(timeline, stones, 4);
    nim_submit_e_start_round(timeline);
    return kifu_run(timeline);
}

static inline void kifu_nats_rest(unsigned ms)
{
    nanosleep(&(struct timespec){ms / 1000, (long)(ms % 1000) * 1000000}, NULL);
}

#endif
