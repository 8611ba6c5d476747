/// The Go Text Protocol, version 2 (Gunnar Farnebäck, 2002): a program that plays Go, for other programs. Besides the
/// protocol it knows list_stones, captures and is_legal, as GNU Go does; kifu-counting, kifu-redo and kifu-save;
/// kifu-mark, kifu-marked and kifu-score, which count what players have marked as dead, and not what the computer
/// thinks; and kifu-sgf, which prints the game with all its variations.
#ifndef GTP_H
#define GTP_H

#include <stdbool.h>
#include <stdio.h>

#include "game.h"

/// An engine. Zero it; `gtp_begin` begins its first game.
typedef struct gtp {
    kifu_timeline *timeline;
    go_terms terms;  ///< Of the next game.
    uint32_t tries;  ///< For a move: see kifu_thinking. 0: 1,000.
    uint64_t moves;  ///< How many it has made: each gets other random numbers.
    char error[320]; ///< Why the last command failed.
} gtp;

/// Begins an empty game of 19 lines. Errors: those of `kifu_create` and `kifu_run`.
kifu_result gtp_begin(gtp *gtp);

/// Obeys one line, which it takes apart, and writes the answer to `out`. Returns false after `quit`.
bool gtp_obey(gtp *gtp, char *line, FILE *out);

/// Frees the game.
void gtp_end(gtp *gtp);

#endif
