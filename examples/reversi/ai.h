/// A simple computer player.
#ifndef AI_H
#define AI_H

#include "reversi.h"

/// Finds a move for the player whose turn it is, who must have one, looking `depth` moves ahead (1 or more). The
/// timeline is only looked at: the search plays on a fork of it. The same position and depth give
/// the same move. Errors: those of `kifu_fork`, `kifu_begin` and `kifu_run`, with `error` set;
/// KIFU_MISUSE when nobody can move.
KIFU_WARN_UNUSED kifu_result reversi_ai_move(kifu_timeline *timeline, uint32_t depth, uint32_t *square,
                                             kifu_error *error);

#endif
