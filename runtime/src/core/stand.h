/// Standing at another place: the one way to it, wherever it lies in the tree.
#ifndef KIFU_SRC_STAND_H
#define KIFU_SRC_STAND_H

#include "core/go.h"

/// Goes to after the first `count` events of the path to `branch`: back to where that path parts from the current one,
/// and then along it. Along the current path it is `kifu__go`, whose results and `how` these are. When a Do fails on
/// the way back, the game ends before that event, on the path to `branch`.
kifu_result kifu__stand(kifu_timeline *timeline, kifu__branch *branch, uint32_t count, unsigned how);

/// Another branch becomes the current one: the log is its path. No more events are executed than both paths have.
void kifu__enter(kifu_timeline *timeline, kifu__branch *branch);

#endif
