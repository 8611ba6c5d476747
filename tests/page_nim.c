// How a random game of Nim begins; the moves are listed.

#include "kifu_fuzz.h"
#include "nim.h"

extern const kifu_fuzz_hooks nim_fuzz_hooks;

static void begin(kifu_timeline *timeline, kifu_rng *rng)
{
    const kifu_e_initialize_args initialize = {.has_seed = true, .seed = kifu_rng_next(rng)};
    nim_submit_e_reset_game(timeline);
    nim_submit_e_add_player(timeline, 0, 0xff0000);
    nim_submit_e_add_player(timeline, 1, 0x0000ff);
    nim_submit_e_initialize(timeline, &initialize);
    nim_submit_e_deal(timeline, (uint16_t[]){3, 4, 5, 7}, 4);
    nim_submit_e_start_round(timeline);
}

const kifu_fuzz_hooks nim_fuzz_hooks = {.begin = begin};
