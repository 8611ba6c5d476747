/// Upcasting: while a save is loaded, each event of a superseded type becomes one of the type that supersedes it.
#ifndef KIFU_SRC_UPCAST_H
#define KIFU_SRC_UPCAST_H

#include "table.h"
#include "timeline_impl.h"

/// With `timeline`, and zeros otherwise, it is ready.
struct kifu__upcaster {
    const kifu_timeline *timeline; ///< Whose events they are.

    const kifu__buffer *buffer; ///< The segment at hand: where it is,
    uint32_t first;             ///< the number of its first event,
    bool pending;               ///< and whether its events wait.

    kifu_timeline *stage; ///< Where the game's upcast functions submit; NULL until one is called.
    kifu_rules rules;     ///< Of the stage: the game's, with the rules version of the old events.
};

/// Whether a verified segment of the compiled layout has an event that is superseded, or that times one.
bool kifu__is_superseded(const kifu_rules *rules, const kifu__segment *segment);

/// Turns to the segment in `buffer`, of which `segment` tells. NULL: this game has no superseded types.
kifu__upcaster *kifu__upcaster_for(kifu__upcaster *upcaster, const kifu__buffer *buffer, const kifu__segment *segment,
                                   bool pending);

void kifu__upcaster_close(kifu__upcaster *upcaster);

#endif
