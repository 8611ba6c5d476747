/// Hidden branches: they have the events of an open transaction, search or try, if events lie behind the place where it
/// began. No save has them.
#ifndef KIFU_SRC_HIDDEN_H
#define KIFU_SRC_HIDDEN_H

#include "core/timeline.h"

/// Must not move in memory while it is the current branch. Zeroed: not begun.
typedef struct kifu__hidden {
    kifu__branch branch;
    kifu__branch *left; ///< The branch that was current before; NULL: not begun.
} kifu__hidden;

/// Begins a hidden branch after the first `from` events of the path, and makes it the current one. The events behind
/// that place stay as they are.
void kifu__hidden_begin(kifu_timeline *timeline, kifu__hidden *hidden, uint32_t from);

/// Frees the events of the hidden branch, and makes the branch that was left the current one again. The hidden branch
/// must be the current one, and none of its events executed.
void kifu__hidden_drop(kifu_timeline *timeline, kifu__hidden *hidden);

/// Moves its events to the branch that was left, where they replace those behind the place where it began. The branch
/// has room for them. It becomes the current one again.
void kifu__hidden_join(kifu_timeline *timeline, kifu__hidden *hidden);

#endif
