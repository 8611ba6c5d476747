/// What a position is worth.
#ifndef EVALUATE_H
#define EVALUATE_H

#include "position.h"

/// For the side to move, in hundredths of a pawn.
int evaluate(const chess_position *position);

/// Of a kind of piece, in hundredths of a pawn.
extern const int evaluate_worth[7];

#endif
