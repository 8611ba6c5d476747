/// What a test may do in the functions of PAny.
#ifndef HAZARD_HOOKS_H
#define HAZARD_HOOKS_H

#include "hazard.h"

enum { HAZARD_MOVES = 12 }; ///< The game ends after so many.

typedef struct hazard_hooks {
    void (*list)(kifu_timeline *timeline, int player, kifu_moves *moves); ///< NULL: no PAny is listed.
    kifu_verdict (*check)(kifu_timeline *timeline, hazard_p_any *any);    ///< NULL: it is accepted.
    kifu_result (*act)(kifu_timeline *timeline, const hazard_p_any *any); ///< NULL: it does nothing.
} hazard_hooks;

/// Of the running test.
extern hazard_hooks hazard_test;

/// Three players, player 0 begins, hidden numbers are dealt.
kifu_result hazard_begin(kifu_timeline *timeline, uint64_t seed);

#endif
