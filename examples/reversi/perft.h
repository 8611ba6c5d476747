/// Counts games: the usual proof that rules, do and undo are right.
#ifndef PERFT_H
#define PERFT_H

#include "reversi.h"

/// The number of different games of exactly `depth` moves from here, a pass being a move; a game that ends earlier
/// counts as one. Every move is made by submit and run, and taken back by undo. `*result` gets the first failure.
uint64_t reversi_perft(kifu_timeline *timeline, uint32_t depth, kifu_result *result);

#endif
