/// Moving the timeline to another place, anywhere in the tree. All such moves are made here.
#ifndef KIFU_SRC_STAND_H
#define KIFU_SRC_STAND_H

#include "core/go.h"

/// Goes to the place after the first `count` events of the path to `branch`: undoes events to where that path parts
/// from the current one, and then executes those along it. Results and `how` are those of `kifu__go`, which moves along
/// the current path. When a Do fails in going back, the game ends before that event, on the path to `branch`.
kifu_result kifu__stand(kifu_timeline *timeline, kifu__branch *branch, uint32_t count, unsigned how);

/// Returns to a place, from which a move has failed with `result`: if need be without a journal. Returns that, with the
/// error that is there; or if a Do fails on the way, what `kifu__stand` does.
kifu_result kifu__stand_again(kifu_timeline *timeline, kifu__branch *branch, uint32_t count, kifu_result result);

/// Makes `branch` the current one: the log is then its path. At most the events common to both paths may be executed.
void kifu__enter(kifu_timeline *timeline, kifu__branch *branch);

#endif
