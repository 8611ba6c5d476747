/// Moves: which there are, which are legal, and what each changes.
#ifndef MOVES_H
#define MOVES_H

#include "position.h"

/// What a move changes.
typedef struct change {
    chess_clocks clocks; ///< As they are after the move.
    uint64_t key;        ///< What the position's key changes by.
    uint8_t from, to;
    chess_piece piece; ///< What stands on `to` after the move.
    uint8_t emptied;   ///< Where a rook stood that castles, or a pawn captured en passant; or NO_SQUARE.
    uint8_t rook_to;   ///< Where the rook stands then; or NO_SQUARE.
} change;

/// All that a move changes, which must be one of `moves_of`.
change move_changes(const chess_position *position, chess_move move);

/// Makes the change. `position` may be a copy that is thrown away.
void move_apply(chess_position *position, const change *change);

/// Whether a move that has just been made gives check. It asks less than `position_in_check`.
bool move_gives_check(const chess_position *after, const change *change);

/// The moves of the piece on `from`, if it is of the side to move, without asking whether they leave its king in check;
/// returns how many. `moves` has room for 32.
uint32_t moves_from(const chess_position *position, uint32_t from, chess_move *moves);

/// The same for all pieces. `moves` has room for MOST_MOVES.
uint32_t moves_of(const chess_position *position, chess_move *moves);

/// Whether a move, one of `moves_of`, does not leave the own king in check.
bool move_is_safe(const chess_position *position, chess_move move);

/// The legal moves; returns how many. `moves` has room for MOST_MOVES.
uint32_t moves_legal(const chess_position *position, chess_move *moves);

/// NULL if a move is legal; otherwise why it is not.
const char *move_fault(const chess_position *position, chess_move move);

/// Whether there is a legal move, if the king of the side to move is `in_check`.
bool moves_exist(const chess_position *position, bool in_check);

#endif
