/// Upcasting: what comes from outside, out of a save or as bytes, and is of a superseded type, becomes an event of the
/// type that supersedes it.
#ifndef KIFU_SRC_UPCAST_H
#define KIFU_SRC_UPCAST_H

#include "core/timeline.h"
#include "wire/table.h"

/// Zeroed, it owns nothing.
struct kifu__upcaster {
    const kifu_timeline *timeline; ///< Whose events they are.
    uint64_t offset;               ///< The segment at hand: where it is in the file,
    uint32_t first;                ///< the number of its first event,
    bool pending;                  ///< whether its events wait,
    bool alone;                    ///< or it is one event from elsewhere, without a number,
    kifu_error *error;             ///< and where to say what is wrong with them.
    kifu_timeline *stage;          ///< Where the game's upcast functions submit; NULL until one is called.
    kifu_rules rules;              ///< Of the stage: the game's, with the rules version of the old events.
    uint32_t upcast;               ///< The lowest number of an event that was upcast, plus 1; 0: none was.
};

/// What the rules of a game with superseded types name (`kifu_rules.upcasting`), so that no other game links it.
struct kifu__upcasting {
    /// Whether a verified segment of the compiled layout has an event that is superseded, or that times one.
    bool (*is_needed)(const kifu_rules *rules, const kifu__segment *segment);
    /// Lets `upcaster` replace superseded events when the verified segment in `buffer`, which `segment` describes, is
    /// converted.
    void (*begin)(kifu__upcaster *upcaster, const kifu_timeline *timeline, const kifu__segment *segment, bool pending,
                  kifu__buffer *buffer);
    void (*end)(kifu__upcaster *upcaster);
};

#endif
