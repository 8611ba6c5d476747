/// Backgammon once more, written differently and without Kifu: what the example is compared with.
///
/// A turn is a set of sequences here: all of them are found, and those that play the most dice are the legal ones.
#ifndef TESTS_PLAIN_BACKGAMMON_H
#define TESTS_PLAIN_BACKGAMMON_H

#include <stdbool.h>

/// Point 1 is at home for player 0, who moves down, and point 24 for player 1, who moves up. Player 0's checkers count
/// above 0, player 1's below. 25 is the bar of player 0, 0 that of player 1.
typedef struct plain {
    int points[26];
    int off[2];
    int dice[4], count; ///< Those that are left.
    int mover;
} plain;

plain plain_begin(void);

void plain_throw(plain *position, int first, int second);

/// Which moves the mover may begin with, by place (as the mover counts: 25 is the bar) and die. Returns how many dice
/// can be played.
int plain_moves(const plain *position, bool legal[26][7]);

/// Plays one checker; asks nothing. Returns whether it hits.
bool plain_play(plain *position, int place, int die);

/// Points of a game that the mover has won, or 0.
int plain_won(const plain *position);

#endif
