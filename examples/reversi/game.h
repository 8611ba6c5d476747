/// The beginning and the end of every game.
#ifndef GAME_H
#define GAME_H

#include "reversi.h"

/// Two players, lots drawn for black, four discs: starts a game on an empty timeline, or a new one behind the old.
/// `seed` NULL: lots are really drawn. Results as `kifu_run`.
kifu_result reversi_begin(kifu_timeline *timeline, const uint64_t *seed);

/// Who won a game that is over: the colour with more discs, or the one that did not resign. REVERSI_DISC_NONE: a draw.
reversi_disc reversi_winner(const reversi_state *state);

#endif
