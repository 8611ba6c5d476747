/// The beginning of every game, and its result.
#ifndef GAME_H
#define GAME_H

#include "chess.h"
#include "fault.h"

/// How a game begins. Every member may be zero, but for `white`.
typedef struct chess_setup {
    int white;            ///< Number of the player who has white, 0 or 1; KIFU_BY_LOT: lots are drawn.
    const char *fen;      ///< The position; NULL: as always.
    const uint64_t *seed; ///< Of the lots; NULL: they are really drawn.
} chess_setup;

/// Two players, the pieces set up: starts a game on an empty timeline, or a new one behind the old. Results as
/// `kifu_run`; KIFU_REJECTED with `fault` (may be NULL) where `fen` is wrong: nothing has happened then.
kifu_result chess_begin(kifu_timeline *timeline, const chess_setup *setup, fault *fault);

/// "1-0", "0-1", "1/2-1/2", or "*" where the game goes on.
const char *chess_result(const chess_state *state);

/// The end in words, "White is mated."; "" where the game goes on.
const char *chess_end_in_words(const chess_state *state);

#endif
