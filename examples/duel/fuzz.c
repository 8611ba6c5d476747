/// What random games of Duel begin with: see kifu_fuzz.h. The moves are those that the game lists.
#include "game.h"
#include "kifu_fuzz.h"
#include "triggers.h"

static void begin(kifu_timeline *timeline, kifu_rng *rng)
{
    uint64_t seed = kifu_rng_next(rng);
    (void)duel_begin(timeline, &seed);
}

static void add_triggers(kifu_options *options)
{
    options->observers = duel_triggers;
}

const kifu_fuzz_hooks duel_fuzz_hooks = {.begin = begin, .options = add_triggers};
