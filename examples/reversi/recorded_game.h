/// A recorded game: the computer against itself, 60 moves and two passes, won by two discs.
#ifndef RECORDED_GAME_H
#define RECORDED_GAME_H

#include <stdint.h>

enum {
    RECORDED_SEED = 1,
    RECORDED_MOVES = 60,
    RECORDED_BLACK = 33,
    RECORDED_WHITE = 31,
    RECORDED_V1_MOVES = 40 ///< As many of them are in v1/game.kifu, and one more that was taken back.
};

/// Hash of the state at the end.
#define RECORDED_HASH UINT64_C(0xa5b7580002632a45)

/// The moves, three characters each. Passes are not written: the rules know them.
static const char recorded_game[] = "f5 d6 c7 f3 d3 c6 f4 c8 c5 e6 f7 f6 d7 e3 g4 "
                                    "g3 h3 e8 g5 h5 h6 h4 g6 e7 d8 f8 b5 c4 b4 a3 "
                                    "b6 c3 c2 c1 b3 a2 b7 a4 a5 b2 d2 a8 a1 d1 e2 "
                                    "a6 g7 h8 g8 b8 a7 e1 f1 g1 f2 h7 h2 g2 h1 b1";

#endif
