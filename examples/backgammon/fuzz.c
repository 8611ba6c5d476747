/// What random games of backgammon begin with: see kifu_fuzz.h. The moves are those that the game lists.
#include "game.h"
#include "kifu_fuzz.h"

static void begin(kifu_timeline *timeline, kifu_rng *rng)
{
    uint64_t seed = kifu_rng_next(rng);
    (void)backgammon_begin(timeline, &seed); // a game can be refused as well as an input
}

const kifu_fuzz_hooks backgammon_fuzz_hooks = {.begin = begin};
