/// Verifying the lines besides the current one: each event of the tree is executed once, from where its line branches
/// off.
#ifndef KIFU_SRC_VERIFY_LINES_H
#define KIFU_SRC_VERIFY_LINES_H

#include "history/lines.h"

/// A state at which lines part, of which some still have to be executed.
typedef struct kifu__parting {
    unsigned char *state;
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
    uint32_t done;   ///< So many events of the current line were executed.
    uint32_t untold; ///< So many events were executed since the last call of the progress function.

    kifu_result result;   ///< The first thing that is wrong: KIFU_DIVERGED, or that this could not be found out.
    uint32_t line, count; ///< In this line, before or after so many events.
} kifu__others;

/// How a verification deals with them: `kifu__lines.others`, so that only programs with lines link it.
typedef struct kifu__others_calls {
    /// From `timeline` and `lines` on, zeroed. KIFU_NO_MEMORY. In any case the caller calls `end`.
    kifu_result (*begin)(kifu__others *others);
    void (*end)(kifu__others *others);

    /// The current line has been executed up to `fork`, or to its end: now what branches off there. Nothing any more
    /// after something was found to be wrong.
    void (*run)(kifu__others *others, uint32_t count, const unsigned char *state);
} kifu__others_calls;

extern const kifu__others_calls kifu__verify_lines;

#endif
