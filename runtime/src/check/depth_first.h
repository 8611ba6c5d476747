/// The tree of lines, stretch by stretch, depth first, each with the state before it.
#ifndef KIFU_SRC_DEPTH_FIRST_H
#define KIFU_SRC_DEPTH_FIRST_H

#include "history/lines.h"

/// A place where lines part, from which some stretches still have to be executed.
typedef struct kifu__parting {
    unsigned char *state;
    uint32_t first, next; ///< Stretches that follow: the last one to be executed, and the next.
} kifu__parting;

typedef struct kifu__depth_first {
    kifu_timeline *timeline;
    unsigned char *state;    ///< The caller's: it executes each stretch on it.
    uint32_t at;             ///< The stretch to be executed; KIFU_NONE: all were.
    kifu_stretch *stretches; ///< All of them.
    uint64_t event_count;    ///< Of all.
    kifu__parting *partings;
    uint32_t parting_count, parting_capacity, parting_made;
} kifu__depth_first;

/// Begins before the first event, from `timeline` and `state` on, zeroed. `lines` NULL: with the current path alone.
/// KIFU_NO_MEMORY. In any case the caller calls kifu__depth_first_end.
kifu_result kifu__depth_first_begin(kifu__depth_first *first, const kifu__lines *lines);

/// The stretch was executed: moves on to the next, with the state before it. KIFU_NO_MEMORY.
kifu_result kifu__depth_first_next(kifu__depth_first *first);

void kifu__depth_first_end(kifu__depth_first *first);

#endif
