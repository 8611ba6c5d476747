/// Lists of moves: what their generated functions call.
#ifndef KIFU_DETAIL_MOVES_H
#define KIFU_DETAIL_MOVES_H

#include "../moves.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One more move is about to be added. Returns the timeline to submit it to.
static inline kifu_timeline *kifu__add(kifu_moves *moves)
{
    moves->added++;
    return moves->timeline;
}

#ifdef __cplusplus
}
#endif

#endif
