/// Matches between two levels of the computer: is the higher one the better one?
#ifndef MATCH_H
#define MATCH_H

#include "reversi.h"

/// How a match ended, for the first of two levels.
typedef struct match_score {
    uint32_t won, drawn, lost; ///< Games.
} match_score;

/// Plays `pairs` times two games between the levels `first` and `second`. Both games of a pair begin with the same
/// moves, drawn by lot, and each level has black once. The same seed plays the same games. An error is in `*error`.
kifu_result match_play(uint32_t first, uint32_t second, uint32_t pairs, uint64_t seed, match_score *score,
                       kifu_error *error);

#endif
