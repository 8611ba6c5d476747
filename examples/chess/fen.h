/// Positions as text: FEN, as in the PGN standard, 16.1.
#ifndef FEN_H
#define FEN_H

#include "fault.h"
#include "position.h"

enum { FEN_LENGTH = 96 }; ///< The longest, and its NUL.

/// The beginning of a game.
extern const char fen_start[];

/// Reads a position. What follows whose turn it is may be absent. False: the text is wrong, or nobody may play such a
/// position; `fault` says why, and at which column. An en passant square where no pawn may capture is left out. So is a
/// castling whose king or rook is not where it began; then `fault` says so, and its line is not 0, as it is where
/// nothing is worth a word.
bool fen_read(const char *text, chess_position *position, fault *fault);

/// Writes a position, and a NUL; `text` has room for FEN_LENGTH.
void fen_write(const chess_position *position, char *text);

#endif
