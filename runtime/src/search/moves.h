/// Candidates: moves that the game lists, before their checks are called.
#ifndef KIFU_SRC_MOVES_H
#define KIFU_SRC_MOVES_H

#include "core/timeline.h"

/// Lists candidates in `moves`.
kifu_result kifu__list_candidates(kifu_timeline *timeline, int player, kifu_moves *moves);

/// KIFU_OK: the candidate is legal, and if it is `*plain`, its check leaves it as it is. KIFU_REJECTED: it is not
/// legal. Otherwise `timeline->error` says what failed.
kifu_result kifu__ask_candidate(kifu_timeline *timeline, kifu_moves *moves, uint32_t index, bool *plain);

/// Removes a candidate; the last one takes its place.
void kifu__drop_candidate(kifu_moves *moves, uint32_t index);

#endif
