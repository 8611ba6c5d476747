/// Lines, as records.
#ifndef KIFU_SRC_LINE_RECORDS_H
#define KIFU_SRC_LINE_RECORDS_H

#include "history/lines.h"
#include "save/saved.h"

// --- As in `kifu__saved` ---------------------------------------------------------------------------------------------

void kifu__plan_lines(kifu__plan *plan, kifu__saving what);
bool kifu__follow_lines(kifu__commits *commits);
void kifu__lines_followed(const kifu__commits *commits);
kifu__branch *kifu__line_branch(const kifu_timeline *timeline, uint32_t number);

// --- For those who read them -----------------------------------------------------------------------------------------

/// Makes numbers up to `id` known, also of what begins at them. False without memory.
bool kifu__reach_line(kifu__commits *commits, kifu__lines *lines, uint32_t id);

/// As `kifu__commits.last_fork`.
uint32_t kifu__last_fork(kifu__commits *commits, uint32_t line);

/// Whether all has happened that follows from the input that began the last line; and the line before that.
void kifu__settle_read_lines(const kifu__commits *commits, kifu__lines *lines);

// --- For a follower (follow_lines.c) ---------------------------------------------------------------------------------

/// Before a line changes, or begins at a number that is known. False without memory.
bool kifu__keep_line(kifu__commits *commits, kifu__lines *lines, uint32_t id);

/// A line has begun, of which nothing was executed.
void kifu__enlist_line(const kifu__commits *commits, kifu__lines *lines, uint32_t id);

/// Numbers of lines were returned: the stream of a follower says that of those that it has said.
void kifu__forget_touched(kifu__lines *lines);

#endif
