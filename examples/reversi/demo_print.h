/// Showing files, boards and events as plain text, for the demo.
#ifndef DEMO_PRINT_H
#define DEMO_PRINT_H

#include "reversi.h"

/// Prints the lines of a file from the first that contains `from` to the next that contains `to`, with the `///`
/// comment above; false when they are not there.
bool print_passage(const char *path, const char *from, const char *to);

/// Prints the lines that only one of two files has, leaving out `//` comments: `-` of the old, `+` of the new.
bool print_difference(const char *old_path, const char *new_path);

/// Prints the board, and `aside` (lines) beside it.
void print_board(const reversi_state *state, const char *aside);

/// Prints an event of the log: its number, name, fields, player and cause.
void print_event(const kifu_event *event);

#endif
