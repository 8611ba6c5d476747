/// What the rules of chess say of a position. Plain functions: the Do functions, the view and the computer all ask
/// here.
#ifndef POSITION_H
#define POSITION_H

#include <stdbool.h>
#include <stdint.h>

#include "chess.h"

enum {
    SQUARES = 64,
    NO_SQUARE = 64,
    MOST_MOVES = 256 ///< More than any position has: 218 are the most known.
};

/// A move. The king's move stands for a castling.
typedef struct chess_move {
    uint8_t from, to;
    chess_kind promotion; ///< CHESS_KIND_NONE, but for a pawn that reaches the last rank.
} chess_move;

static inline chess_kind kind_of(chess_piece piece)
{
    return piece & 7;
}

/// Whose piece it is; not for CHESS_PIECE_NONE.
static inline chess_side side_of(chess_piece piece)
{
    return piece >> 3;
}

static inline chess_piece piece_of(chess_side side, chess_kind kind)
{
    return (chess_piece)(side << 3 | kind);
}

static inline chess_side other_side(chess_side side)
{
    return side ^ 1;
}

/// 0 to 7, for the files a to h.
static inline uint8_t file_of(uint32_t square)
{
    return square & 7;
}

/// 0 to 7, for the ranks 1 to 8.
static inline uint8_t rank_of(uint32_t square)
{
    return (uint8_t)(square >> 3);
}

/// Whose move it is.
static inline chess_side position_to_move(const chess_position *position)
{
    return position->clocks.half_moves & 1;
}

/// Whether a piece of `side` attacks a square.
bool position_attacks(const chess_piece *board, chess_side side, uint32_t square);

/// Whether a piece of `side` attacks a square along the line from there to, or over, another square.
bool position_attacks_over(const chess_piece *board, chess_side side, uint32_t square, uint32_t over);

/// Whether the king of `side` is in check.
static inline bool position_in_check(const chess_position *position, chess_side side)
{
    return position_attacks(position->board, other_side(side), position->clocks.kings[side]);
}

/// A number that is equal for positions that are the same by the laws: the same pieces on the same squares, the same
/// player to move, the same castlings and captures en passant allowed.
uint64_t position_key(const chess_position *position);

/// Whether neither side can ever give mate: a king, or a king and a knight or bishops on squares of one colour, against
/// a king or bishops on the same colour.
bool position_is_dead(const chess_position *position);

/// Writes the name of a square, "e4", and a NUL.
void square_name(uint32_t square, char *name);

/// The square named at the start of `name`, or NO_SQUARE.
uint32_t square_named(const char *name);

#endif
