/// Reversi once more, written differently and without Kifu: what the example is compared with.
#ifndef TESTS_PLAIN_REVERSI_H
#define TESTS_PLAIN_REVERSI_H

#include <stdbool.h>
#include <stdint.h>

/// A position. Copying it is how it is undone.
typedef struct plain {
    char cells[10][10]; ///< '.', 'X' black, 'O' white, and a rim of '#'; [row][column], 1 to 8.
    char mover;         ///< 'X' or 'O'.
    bool over;
    bool passed; ///< The last move was followed by a pass.
    char resigned;
} plain;

plain plain_begin(void);

/// Puts down a disc of the mover on a square from 0 (a1) to 63 (h8), with all that follows; false: not legal,
/// unchanged.
bool plain_place(plain *position, int square);

/// Games of exactly `depth` moves, a pass being one; a game that ends earlier counts once.
uint64_t plain_perft(const plain *position, int depth);

#endif
