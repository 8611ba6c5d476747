/// Random numbers of which the key of a position is made: each piece on each square has one (Zobrist's method). A move
/// changes the key by the numbers of what it changes.
#ifndef KEYS_H
#define KEYS_H

#include "position.h"

/// By piece and square. What is no piece has other uses: row 0 is zero, row 7 is for en passant, row 8 for the rest.
extern const uint64_t key_numbers[16][SQUARES];

static inline uint64_t key_of(chess_piece piece, uint32_t square)
{
    return key_numbers[piece][square];
}

static inline uint64_t key_of_en_passant(uint32_t square)
{
    return square == NO_SQUARE ? 0 : key_numbers[7][square];
}

static inline uint64_t key_of_castling(chess_castling castling)
{
    return key_numbers[8][castling];
}

/// Black is to move.
static inline uint64_t key_of_turn(void)
{
    return key_numbers[8][16];
}

#endif
