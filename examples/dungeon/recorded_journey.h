/// A recorded game with actions of several turns: the commands of game.h.
#ifndef RECORDED_JOURNEY_H
#define RECORDED_JOURNEY_H

#include <stdint.h>

enum { RECORDED_JOURNEY_SEED = 4, RECORDED_JOURNEY_EVENTS = 4247 };

/// Hash of the state at the end.
#define RECORDED_JOURNEY_HASH UINT64_C(0x34bb2083236fd62a)

static const char recorded_journey[] =
    "x3xx...u.x.y......yyKxx...xky.kBx..h23.x.yx........yyyyx......bbbxJ.x.nNxx4.x.u.uuhhuhR.hRx..xxxw>R."
    "Kx..y.xhhhhhh1hRxxuuullRx..yyy.kx.....l..........nxyhhhuuhhhhhhhRx..yyy.x....hxuuyk..nnnnRx..jjxw>R."
    "....uu...u.x.uuux..nnnn.nR..nnnR.nnRn.R..nx.x";

#endif
