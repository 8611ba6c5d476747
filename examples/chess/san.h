/// Moves as text: SAN, "Nf3", as in the PGN standard, 8.2.3.
#ifndef SAN_H
#define SAN_H

#include "fault.h"
#include "position.h"

enum {
    SAN_LENGTH = 8, ///< The longest, "Qa1xb2+", and its NUL.
    SAN_PLAIN = 24  ///< Room for `san_plain`.
};

/// Writes a word with the signs of a keyboard: "-" for all dashes, "x" for "×", letters for figurines, "1/2" for "½".
/// False: it is too long for a move.
bool san_plain(const char *text, size_t length, char *plain);

/// Reads a legal move of a position from the first `length` characters of `text`. More is accepted than is written:
/// "0-0", "O–O" with dashes of any length, "Ng1f3", "g1f3", "e2e4", "e8Q", "♘f3", and any of "+#!?" at the end. False:
/// `fault` says why, and at which column.
bool san_read(const chess_position *position, const char *text, size_t length, chess_move *move, fault *fault);

/// Writes a legal move of a position, and a NUL; `text` has room for SAN_LENGTH.
void san_write(const chess_position *position, chess_move move, char *text);

#endif
