/// Watching the log: a part that remembers numbers of events learns which of these events were dropped from the log.
#ifndef KIFU_SRC_WATCH_H
#define KIFU_SRC_WATCH_H

#include "core/timeline.h"

/// Stays where it is as long as the timeline lives.
typedef struct kifu__watcher {
    struct kifu__watcher *next;
    uint32_t cut; ///< Events from this number on were dropped since it was asked last; KIFU_NONE: none were.
} kifu__watcher;

/// From now on it watches.
void kifu__watch(kifu_timeline *timeline, kifu__watcher *watcher);

/// The lowest number from which events were dropped since this was asked last; KIFU_NONE: none were.
uint32_t kifu__ask_watcher(kifu_timeline *timeline, kifu__watcher *watcher);

#endif
