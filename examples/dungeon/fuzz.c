/// What random games of Dungeon begin with, and what a likely input is: see kifu_fuzz.h.
#include "ai.h"
#include "game.h"
#include "hooks.h"
#include "kifu_fuzz.h"
#include "kinds.h"
#include "map.h"

static void begin(kifu_timeline *timeline, kifu_rng *rng)
{
    uint64_t seed = kifu_rng_next(rng);
    (void)dungeon_begin(timeline, &seed);
}

static kifu_ticket input(kifu_timeline *timeline, kifu_rng *rng)
{
    static const char commands[] = "ykuhljbnykuhljbn.g>12345678YKUHLBJNRxxxw";
    return dungeon_submit_command(timeline, commands[kifu_rng_below(rng, sizeof commands - 1)], false);
}

static void add_hooks(kifu_options *options)
{
    options->observers = dungeon_hooks;
}

const kifu_fuzz_hooks dungeon_fuzz_hooks = {
    .begin = begin,
    .input = input,
    .decide = dungeon_decide,
    .options = add_hooks,
};
