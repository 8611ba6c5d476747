/// Undo chains, on the way back along a path.
#ifndef KIFU_SRC_UNDO_H
#define KIFU_SRC_UNDO_H

#include "core/timeline.h"

/// An iterator over chains, from the last to the first: the next one ends before event number `executed`.
typedef struct kifu__chains {
    uint32_t executed;
    kifu__branch *owner;          ///< Of the last event that was searched for; NULL: none was.
    const kifu__segment *segment; ///< Of the last event that was looked at; NULL: none was, nor was it near the place.
} kifu__chains;

/// Begins at the place.
static inline kifu__chains kifu__chains_of(const kifu_timeline *timeline)
{
    return (kifu__chains){timeline->executed, NULL, kifu__log_near(&timeline->log, timeline->executed - 1)};
}

/// How many events the next chain has. 0: it may not be undone; `error` says why.
uint32_t kifu__chain_length(const kifu_timeline *timeline, kifu__chains *chains, kifu_error *error);

/// Where a redo from the place after `count` events stops: at the first place behind it from which no chain goes on,
/// where something waits, or where the events end.
uint32_t kifu__redo_stop(const kifu_timeline *timeline, uint32_t count);

#endif
