/// Where a game begins that has no past before: the root of its log, and the events before it that timers still need.
///
/// Such an event is copied out of its segment, since a segment of 4,096 events would stay for one of them. Forks share
/// whole segments, because they are made often and live shortly.
#ifndef KIFU_SRC_ROOT_H
#define KIFU_SRC_ROOT_H

#include "core/timeline.h"

/// Events that timers refer to, each in a segment by itself, ascending by number.
typedef struct kifu__timed_events {
    kifu__segment *segments; ///< With room behind them for all segments of the first branch.
    uint32_t count;
    uint32_t capacity;
} kifu__timed_events;

/// The log of a new timeline begins with event number `root`, behind `state`, which is the timeline's now.
void kifu__begin_at_root(kifu_timeline *timeline, uint32_t root, unsigned char *state);

/// Copies those before number `root` to which timers in `state` refer. A timer that refers to no event of the log is
/// left out. KIFU_NO_MEMORY, KIFU_TOO_LARGE: nothing is left of them.
kifu_result kifu__take_timed(const kifu_timeline *timeline, const unsigned char *state, uint32_t root,
                             kifu__timed_events *timed);

void kifu__free_timed(const kifu_timeline *timeline, kifu__timed_events *timed);

/// One event of a segment as a segment of its own, to which nothing is appended. KIFU_NO_MEMORY, KIFU_TOO_LARGE.
kifu_result kifu__single_event(const kifu_timeline *timeline, const kifu__segment *segment, uint32_t slot,
                               kifu__segment *single);

/// They come to the front of the first branch, in place of its first `dropped` segments, which are freed; the branch's
/// they are now.
void kifu__put_in_front(kifu_timeline *timeline, kifu__timed_events *timed, uint32_t dropped);

/// The numbers of the events before number `root` to which timers in `state` refer, ascending, each once; none in a
/// game without timers. The caller frees `*events`. False without memory: some may be listed then.
bool kifu__list_timed(const kifu_timeline *timeline, const unsigned char *state, uint32_t root, uint32_t **events,
                      uint32_t *count);

/// The segment with an event to which a timer refers; NULL: there is none.
const kifu__segment *kifu__timed_segment(const kifu_timeline *timeline, uint32_t event);

#endif
