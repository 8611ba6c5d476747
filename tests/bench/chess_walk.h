/// Ways through chess that the benchmark and the budgets compare: all moves of a position made and taken back, and a
/// game that is played. This header names none of the example's, since the examples' headers have the same names.
#ifndef BENCH_CHESS_WALK_H
#define BENCH_CHESS_WALK_H

#include <stdbool.h>
#include <stdint.h>

typedef struct chess_walk chess_walk;

/// How moves are made and taken back.
typedef enum chess_way {
    CHESS_TRIES,         ///< `chess_try_legal_p_move`
    CHESS_CHECKED_TRIES, ///< `chess_try_p_move`
    CHESS_SEARCHES,      ///< `kifu_begin` with KIFU_SEARCH
    CHESS_BY_HAND,
    CHESS_BLINDLY ///< By hand, and nobody asks whether the game has ended.
} chess_way;

/// Whether the example was built.
bool chess_is_there(void);

/// Kiwipete, for a perft of this depth.
chess_walk *chess_walk_open(uint32_t depth);
void chess_walk_close(chess_walk *walk);

/// Makes all moves up to the depth, and ends the program if there are not as many games as there should be.
void chess_perft(chess_walk *walk, chess_way way);

/// How many moves each of these makes.
uint32_t chess_perft_moves(const chess_walk *walk);

/// Plays a game from there, each move by one call of its play function, and returns how many moves it has. Once only.
uint32_t chess_play_directly(chess_walk *walk);

/// The same by hand: asks what the check asks, and makes the move.
uint32_t chess_play_by_hand(chess_walk *walk);

#endif
