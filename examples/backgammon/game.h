/// The beginning of every game, and a computer player.
#ifndef GAME_H
#define GAME_H

#include "backgammon.h"

/// Two players, the checkers, the first dice. `seed` NULL: chance decides. Results as `kifu_run`.
kifu_result backgammon_begin(kifu_timeline *timeline, const uint64_t *seed);

/// For `kifu_play_best`. It rolls, and plays one checker at a time.
extern const kifu_bot backgammon_bot;

#endif
