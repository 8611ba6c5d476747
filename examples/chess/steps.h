/// Steps on the board that do not run over its edge: a board of ten by twelve around the one of eight by eight.
#ifndef STEPS_H
#define STEPS_H

#include <stdint.h>

#include "position.h"

enum { NORTH = 10, SOUTH = -10, EAST = 1, WEST = -1 };

/// A square's place on the larger board.
static inline int32_t step_from(uint32_t square)
{
    return (int32_t)(square + 21 + 2 * (square >> 3));
}

/// The square at a place of the larger board; NO_SQUARE beyond the edge.
static inline uint32_t step_to(int32_t place)
{
    // clang-format off
    static const uint8_t squares[120] = {
        64, 64, 64, 64, 64, 64, 64, 64, 64, 64,
        64, 64, 64, 64, 64, 64, 64, 64, 64, 64,
        64,  0,  1,  2,  3,  4,  5,  6,  7, 64,
        64,  8,  9, 10, 11, 12, 13, 14, 15, 64,
        64, 16, 17, 18, 19, 20, 21, 22, 23, 64,
        64, 24, 25, 26, 27, 28, 29, 30, 31, 64,
        64, 32, 33, 34, 35, 36, 37, 38, 39, 64,
        64, 40, 41, 42, 43, 44, 45, 46, 47, 64,
        64, 48, 49, 50, 51, 52, 53, 54, 55, 64,
        64, 56, 57, 58, 59, 60, 61, 62, 63, 64,
        64, 64, 64, 64, 64, 64, 64, 64, 64, 64,
        64, 64, 64, 64, 64, 64, 64, 64, 64, 64,
    };
    // clang-format on
    return squares[place];
}

/// How pieces go: rooks in the first four directions, bishops in the others, queens and kings in all.
static const int8_t directions[8] = {NORTH, EAST, SOUTH, WEST, NORTH + EAST, SOUTH + EAST, SOUTH + WEST, NORTH + WEST};
static const int8_t knight_steps[8] = {2 * NORTH + EAST, NORTH + 2 * EAST, SOUTH + 2 * EAST, 2 * SOUTH + EAST,
                                       2 * SOUTH + WEST, SOUTH + 2 * WEST, NORTH + 2 * WEST, 2 * NORTH + WEST};

/// Towards the other side's first rank.
static inline int32_t step_forward(chess_side side)
{
    return side == CHESS_SIDE_WHITE ? NORTH : SOUTH;
}

#endif
