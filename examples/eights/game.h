/// The beginning of every game, and a computer player.
#ifndef GAME_H
#define GAME_H

#include "eights.h"

/// `players`: 2 to 4. `seed` NULL: chance decides. Results as `kifu_run`.
kifu_result eights_begin(kifu_timeline *timeline, unsigned players, const uint64_t *seed);

/// Plays one move of the current player, who looks at nothing but what this player sees. Results as `kifu_run`.
kifu_result eights_play(kifu_timeline *timeline);

#endif
