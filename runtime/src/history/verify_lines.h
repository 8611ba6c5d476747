/// Verifying the lines besides the current one: each event of the tree is executed once, from where its line branches
/// off.
#ifndef KIFU_SRC_VERIFY_LINES_H
#define KIFU_SRC_VERIFY_LINES_H

#include "history/lines.h"

/// The way to where the state is: its events are looked at as if they were the log. Of the last stretch, the hashes.
/// The last segment may go on with events of another line, up to where the next stretch brings its own.
typedef struct kifu__view {
    kifu__segment *segments;
    uint32_t segment_count, segment_capacity;
    kifu__checkpoint *hashes;
    uint32_t hash_count, hash_capacity;
} kifu__view;

/// A state at which lines part, of which some still have to be executed.
typedef struct kifu__parting {
    unsigned char *state;
    uint32_t way;         ///< How many segments the view had.
    uint32_t first, next; ///< Stretches that follow: the last one to be executed, and the next.
} kifu__parting;

/// What else there is while the current line is executed.
typedef struct kifu__others {
    kifu_timeline *timeline;
    const kifu__lines *lines;
    kifu_stretch *stretches;
    uint32_t at;   ///< The stretch of the current line that is being executed.
    uint32_t fork; ///< Its end, where the current line shall stop next; KIFU_NONE: no more.

    unsigned char *now, *good; ///< States.
    kifu__parting *partings;
    uint32_t parting_count, parting_capacity, parting_made;
    kifu__view view;
    uint32_t viewed; ///< So many events of the current line it begins with.
    uint32_t untold; ///< So many events were executed since somebody was told.

    kifu_result result;   ///< The first thing that is wrong: KIFU_DIVERGED, or that this could not be found out.
    uint32_t line, count; ///< In this line, before or after so many events,
    bool failed;          ///< because a Do failed.

    kifu__log log; ///< What the timeline has instead while another line is shown.
    kifu__checkpoint *checkpoints;
    kifu__journal journal;
    uint32_t checkpoint_count, keyframe_count, executed;
} kifu__others;

/// How a verification deals with them: `kifu__lines.others`, so that only programs with lines link it.
typedef struct kifu__others_calls {
    /// From `timeline` and `lines` on, zeroed. KIFU_NO_MEMORY. In any case the caller calls `end`.
    kifu_result (*begin)(kifu__others *others);
    void (*end)(kifu__others *others);

    /// The current line has been executed up to `fork`, or to its end: now what branches off there. Nothing any more
    /// after something was found to be wrong.
    void (*run)(kifu__others *others, uint32_t count, const unsigned char *state);

    /// Shows the timeline as if the line with what is wrong was the current one, and hides it again. KIFU_NO_MEMORY.
    kifu_result (*show)(kifu__others *others);
    void (*hide)(kifu__others *others);
} kifu__others_calls;

extern const kifu__others_calls kifu__verify_lines;

#endif
