/// Names of points and players, as the Go Text Protocol (GTP) and the Smart Game Format (SGF) write them.
#ifndef POINTS_H
#define POINTS_H

#include <stddef.h>

#include "board.h"

enum { POINT_LENGTH = 4 };

/// "D4": a column without I, and a row from below. NO_POINT is "pass".
void point_write(const go_terms *terms, uint32_t point, char text[POINT_LENGTH + 1]);

/// Reads what `point_write` writes, in any case; MOST_POINTS + 1 if it is neither a point of this board nor "pass".
uint32_t point_read(const go_terms *terms, const char *text);

/// "dd": column and row from the upper left. NO_POINT, a pass, is "".
void point_write_sgf(const go_terms *terms, uint32_t point, char text[POINT_LENGTH + 1]);

/// Reads what `point_write_sgf` writes, and "tt" for a pass on boards up to 19 lines; MOST_POINTS + 1 if it is wrong.
uint32_t point_read_sgf(const go_terms *terms, const char *text, size_t length);

enum { WRONG_POINT = MOST_POINTS + 1 };

#endif
