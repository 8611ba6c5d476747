/// What the rules of Go say of a board. Plain functions: the Do functions, the view and the computer all ask here.
#ifndef BOARD_H
#define BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "go.h"

enum {
    MOST_LINES = 19,
    LEAST_LINES = 9,
    MOST_POINTS = 361,
    NO_POINT = 361,
    MOST_PLAYS = GO_KEYS_COUNT - 1 ///< In one game: real ones have 300.
};

/// Some points, in no order.
typedef struct points {
    uint32_t count;
    uint16_t items[MOST_POINTS];
} points;

static inline go_stone other_stone(go_stone stone)
{
    return stone ^ 3;
}

static inline uint32_t point_count(const go_terms *terms)
{
    return (uint32_t)terms->size * terms->size;
}

/// The points beside a point, in `beside`; returns how many they are.
uint32_t board_beside(const go_terms *terms, uint32_t point, uint16_t beside[4]);

/// All connected points of the same content as `point`, itself included, in `chain`. Returns whether another point than
/// `without` beside them is empty: a liberty. `without` may be NO_POINT.
bool board_chain(const go_terms *terms, const go_stone *board, uint32_t point, uint32_t without, points *chain);

/// The stones that a new stone on the empty point `point` would capture, in `captured`. Returns whether the new stone
/// would have a liberty then: if not, it would be suicide.
bool board_capture(const go_terms *terms, const go_stone *board, go_stone stone, uint32_t point, points *captured);

/// The number of a stone on a point (Zobrist's method): a position is the XOR of the numbers of its stones. The bits of
/// KEY_TURNS are 0.
uint64_t stone_key(go_stone stone, uint32_t point);

/// The bits of a position's number that say who was to move there: GO_STONE_BLACK, GO_STONE_WHITE, or both, after a
/// pass.
#define KEY_TURNS UINT64_C(3)

#endif
