/// Chess with moves that are made and taken back by hand: what the example's Do functions are compared with, in tests
/// and in the benchmark. The position, the moves and the end of a game are the example's.
#ifndef TESTS_PLAIN_CHESS_H
#define TESTS_PLAIN_CHESS_H

#include "moves.h"

/// What a move has changed.
typedef struct plain_taken {
    change change;
    chess_clocks clocks;
    uint64_t key;         ///< That lay where the new one lies.
    chess_piece piece;    ///< That stood on `from`.
    chess_piece captured; ///< On `to`.
    chess_piece emptied;
    chess_side offer, winner;
    chess_ending ending;
    uint8_t turn;
} plain_taken;

/// Makes a move; `judged`: and finds out whether the game has ended, as the Do of a move does.
void plain_make(chess_state *state, chess_move move, bool judged, plain_taken *taken);

/// Takes it back.
void plain_unmake(chess_state *state, const plain_taken *taken);

/// The number of games of exactly `depth` moves; `*made` grows by the moves that were made.
uint64_t plain_perft(chess_state *state, uint32_t depth, bool judged, uint64_t *made);

#endif
