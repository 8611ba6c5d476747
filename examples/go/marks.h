/// Markup of a step, as notes keep it (sgf_notes.h), by point.
#ifndef MARKS_H
#define MARKS_H

#include "board.h"

enum { MARK_LABEL = 4 };

typedef struct marks {
    /// 'T' triangle, 'S' square, 'C' circle, 'X' cross, 's' selected, 'b' or 'w' territory, 'L' label, '-' dimmed; 0:
    /// none.
    char signs[MOST_POINTS];
    char labels[MOST_POINTS][MARK_LABEL]; ///< At most so many bytes of the text, with a NUL.
    char lines[60];                       ///< Arrows and lines: "D4-F6 C3-C9".
} marks;

/// Reads the markup at an event of the current line.
void marks_read(const kifu_timeline *timeline, uint32_t event, marks *marks);

/// The next mark for a point at the last step: triangle, square, circle, cross, a letter, none. Results as
/// `kifu_set_note`.
kifu_result marks_change(kifu_timeline *timeline, uint32_t point);

#endif
