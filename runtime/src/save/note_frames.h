/// Notes in saves (schema/FORMAT.md, "Notes").
#ifndef KIFU_SRC_NOTE_FRAMES_H
#define KIFU_SRC_NOTE_FRAMES_H

#include "history/notes.h"
#include "save/saved.h"

/// A line on the way to the current one of the save.
typedef struct kifu__way {
    uint32_t line, from; ///< Where it begins, or a line further down, if that is before.
    uint32_t end;        ///< Up to there the way leads through it.
} kifu__way;

/// The part of a timeline that has its notes in saves. All but the first member is for a load.
typedef struct kifu__note_frames {
    kifu__part part;
    kifu__way *way; ///< Where the timeline keeps no lines.
    uint32_t way_count;
    uint32_t way_capacity;
    uint32_t next_up; ///< In a whole save: the next line on the way from the current one up; KIFU_NONE: there is none.
} kifu__note_frames;

/// Adds the notes of a timeline to a plan (write_notes.c).
void kifu__plan_notes(kifu__plan *plan, kifu__part *part, kifu__saving what);

#endif
