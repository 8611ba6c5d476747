/// Counts games: the usual proof that rules, do and undo are right.
#ifndef PERFT_H
#define PERFT_H

#include "moves.h"

/// The number of different games of exactly `depth` moves from here, as published tables count them. Every move happens
/// on the timeline, and is taken back. `*result` gets the first failure.
uint64_t chess_perft(kifu_timeline *timeline, uint32_t depth, kifu_result *result);

/// The same for each first move: `moves` and `counts` have room for MOST_MOVES; returns how many there are. `depth` is
/// at least 1.
uint32_t chess_divide(kifu_timeline *timeline, uint32_t depth, chess_move *moves, uint64_t *counts,
                      kifu_result *result);

#endif
