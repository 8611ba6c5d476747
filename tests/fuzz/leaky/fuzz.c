#include "kifu_fuzz.h"
#include "leaky.h"

static void begin(kifu_timeline *timeline, kifu_rng *rng)
{
    const kifu_e_initialize_args initialize = {.has_seed = true, .seed = kifu_rng_next(rng)};
    leaky_submit_e_reset_game(timeline);
    leaky_submit_e_add_player(timeline, 0, 0);
    leaky_submit_e_add_player(timeline, 1, 0);
    leaky_submit_e_initialize(timeline, &initialize);
    leaky_submit_e_deal(timeline);
    leaky_submit_e_start_round(timeline);
}

const kifu_fuzz_hooks leaky_fuzz_hooks = {.begin = begin};
