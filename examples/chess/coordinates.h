/// Moves as UCI writes them: "e2e4", "e7e8q", and "e1g1" for a castling.
#ifndef COORDINATES_H
#define COORDINATES_H

#include <stddef.h>

#include "position.h"

enum { COORDINATES_LENGTH = 6 }; ///< The longest, and its NUL.

/// Reads a move; false: this is none. Whether it is legal, `move_fault` knows.
bool coordinates_read(const char *text, size_t length, chess_move *move);

/// Writes a move, and a NUL; `text` has room for COORDINATES_LENGTH.
void coordinates_write(chess_move move, char *text);

#endif
