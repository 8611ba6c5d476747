/// What random games of Crazy Eights begin with: see kifu_fuzz.h. The moves are those that the game lists.
#include "game.h"
#include "kifu_fuzz.h"

static void begin(kifu_timeline *timeline, kifu_rng *rng)
{
    const unsigned players = 2 + kifu_rng_below(rng, 3);
    uint64_t seed = kifu_rng_next(rng);
    (void)eights_begin(timeline, players, &seed); // a game can be refused as well as an input
}

const kifu_fuzz_hooks eights_fuzz_hooks = {.begin = begin};
