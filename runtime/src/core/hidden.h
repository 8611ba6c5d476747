/// Hidden branches: what happens while a transaction, a search or a try is open, where events lie behind the place. No
/// save has them.
#ifndef KIFU_SRC_HIDDEN_H
#define KIFU_SRC_HIDDEN_H

#include "core/timeline.h"

/// Stays where it is while it is the current one. Zeroed: it was never begun.
typedef struct kifu__hidden {
    kifu__branch branch;
    kifu__branch *left; ///< The branch that was the current one before; NULL: it is not begun.
} kifu__hidden;

/// Behind the first `from` events of the path, a hidden branch is the current one: what lies there stays as it is.
void kifu__hidden_begin(kifu_timeline *timeline, kifu__hidden *hidden, uint32_t from);

/// Ends it, which is the current one, with no more events executed than there were where it began: its events are
/// gone, and the branch that was left is the current one again.
void kifu__hidden_drop(kifu_timeline *timeline, kifu__hidden *hidden);

/// Ends it: its events take the place of those behind the place where it began, in the branch that was left, where
/// there is room for them.
void kifu__hidden_join(kifu_timeline *timeline, kifu__hidden *hidden);

#endif
