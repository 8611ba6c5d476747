/// A recorded game: the computer against itself.
#ifndef RECORDED_GAME_H
#define RECORDED_GAME_H

#include <stdint.h>

enum { RECORDED_SEED = 10, RECORDED_WINNER = 0, RECORDED_EVENTS = 0 };

/// Hash of the state at the end.
#define RECORDED_HASH UINT64_C(0)

/// The moves: `p12` plays card 12, `p12>41` at a target, `p5x7>41` giving up card 7; `a3,4>41` attacks with 3 and 4;
/// `e` ends the turn. Targets from 40 on are players.
static const char recorded_game[] = "e";

#endif
