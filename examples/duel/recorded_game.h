/// A recorded game: the computer against itself, 50 moves, in which every card is played. After a change of the rules,
/// `DUEL_RECORD=1 test_duel_games` writes another one.
#ifndef RECORDED_GAME_H
#define RECORDED_GAME_H

#include <stdint.h>

enum { RECORDED_SEED = 3, RECORDED_WINNER = 1, RECORDED_EVENTS = 219 };

/// Hash of the state at the end.
#define RECORDED_HASH UINT64_C(0x59c3deed11462525)

/// The moves: `p12` plays card 12, `p12>41` at a target, `p5x7>41` giving up card 7; `a3,4>41` attacks with 3 and 4;
/// `e` ends the turn. Targets from 40 on are players.
static const char recorded_game[] =
    "p23 p20 e p3 e p24 p22 a20>40 e p4 p6 p0>6 e p26x20>6 p25 a22>40 e p2 p7 e p21 e p1 p10 "
    "p5 e p27>5 p28 a21>2 a22>2 e p8 p9 p11 e a21>8 a28>9 p29 a22>40 e p12 e p30>12 a21>40 "
    "a22>40 e e p31 a21>40 a22>40";

#endif
