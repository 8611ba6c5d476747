/// What the part that keeps notes must hear of the events at which they hang. `timeline->notes` is NULL in a timeline
/// without notes.
#ifndef KIFU_SRC_NOTE_CALLS_H
#define KIFU_SRC_NOTE_CALLS_H

#include <kifu/kifu.h>

/// Events from a number on that the log says are dropped are dropped (`kifu__log.cut_at`), unless somebody brings them
/// back. So whoever sets events aside calls `settle` before, and `ignore` afterwards.
typedef struct kifu__note_calls {
    /// Events that were dropped by now are gone, with their notes.
    void (*settle)(kifu_timeline *timeline);
    /// Those that were dropped since are not.
    void (*ignore)(kifu_timeline *timeline);
    /// The events of the current line behind the executed ones are set aside at `place`, which has none yet,
    void (*set_aside)(kifu_timeline *timeline, uint32_t place);
    /// are brought back from there, instead of those behind the executed ones,
    void (*bring_back)(kifu_timeline *timeline, uint32_t place);
    /// or are gone.
    void (*drop_aside)(kifu_timeline *timeline, uint32_t place);
    /// A line is gone.
    void (*drop_line)(kifu_timeline *timeline, uint32_t line);
    /// A line is gone because `to` has the same events, up to the executed ones.
    void (*enter)(kifu_timeline *timeline, uint32_t line, uint32_t to);
    /// A fork has the first `count` events of the current line. False without memory.
    bool (*copy)(const kifu_timeline *timeline, uint32_t count, kifu_timeline *fork);
    /// kifu_next_note: who writes notes links none of this into a program without them.
    bool (*next)(const kifu_timeline *timeline, kifu_note *note);
} kifu__note_calls;

/// `kifu__tell_notes(timeline, settle(timeline))`
#define kifu__tell_notes(timeline, ...)                                                                                \
    do {                                                                                                               \
        if ((timeline)->notes)                                                                                         \
            (timeline)->notes->__VA_ARGS__;                                                                            \
    } while (0)

#endif
