/// What random games of Dungeon begin with, and what a likely input is: see kifu_fuzz.h.
#include "ai.h"
#include "game.h"
#include "kifu_fuzz.h"
#include "kinds.h"
#include "map.h"

static void begin(kifu_timeline *timeline, kifu_rng *rng)
{
    uint64_t seed = kifu_rng_next(rng);
    (void)dungeon_begin(timeline, &seed);
}

// The fuzzer runs each input by itself, so the turn loop is played here: an actor with energy acts and then spends it;
// when nobody has any, a game turn begins.
static bool input(kifu_timeline *timeline, kifu_rng *rng)
{
    static const char commands[] = "ykuhljbnykuhljbn.g>12345678";
    const dungeon_state *state = dungeon_get_state(timeline);
    kifu_handle actor = KIFU_NO_HANDLE;
    while ((actor = dungeon_next_actors(state, actor))) {
        if (dungeon_get_actors(state, actor)->actor.energy < KIFU_USUAL_COST || kifu_rng_below(rng, 3) == 0)
            continue;
        if (kifu_rng_below(rng, 2))
            return dungeon_submit_e_spend_energy(timeline, actor, KIFU_USUAL_COST) != 0;
        if (actor != state->hero)
            return map_hero(state) && dungeon_decide(NULL, timeline, state, actor, kifu_rng_below(rng, 3));
        return dungeon_submit_command(timeline, commands[kifu_rng_below(rng, sizeof commands - 1)], false) != 0;
    }
    return dungeon_submit_e_begin_turn(timeline) != 0;
}

const kifu_fuzz_hooks dungeon_fuzz_hooks = {.begin = begin, .input = input, .prepare = dungeon_prepare};
