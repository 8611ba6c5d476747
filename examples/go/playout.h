/// Games that are played to their end by lot, many of them: who owns each point then. So a computer finds out which
/// stones live and who is ahead, without a rule about life and death.
#ifndef PLAYOUT_H
#define PLAYOUT_H

#include "fast_board.h"

typedef struct playouts {
    uint32_t games;
    int32_t black[MOST_POINTS]; ///< For each point, how many games black had it in the end, less those that white had.
} playouts;

/// A random number below `below`.
uint32_t draw(uint64_t *random, uint32_t below);

/// Plays a game to its end. Each move is written behind `*count` others, if there is room for MOST_MOVES of them.
enum { MOST_MOVES = 4 * MOST_POINTS };
void playout_play(fast_board *board, const go_terms *terms, uint64_t *random, uint16_t *moves, uint32_t *count);

/// By how much black is ahead on a board on which nobody can move any more, in half points.
int32_t playout_lead(const fast_board *board, const go_terms *terms);

/// A move beside the last one, as games by lot play it: it takes or saves a chain, or has a good shape. 0: none.
uint32_t playout_answer(const fast_board *board, uint64_t *random);

/// What a stone of who is to move would have on a cell: empty points beside it, and more for chains that live longer,
/// or that it captures. 0 and 1: it gives itself up.
uint32_t playout_room(const fast_board *board, uint32_t at);

/// Plays `games` from a position on. The same position and seed play the same games.
void playouts_play(const go_state *state, uint32_t games, uint64_t seed, playouts *played);

/// Whether the stone on a point is dead by what was played: the other colour had the point in most games.
bool playouts_dead(const playouts *played, const go_state *state, uint32_t point);

#endif
