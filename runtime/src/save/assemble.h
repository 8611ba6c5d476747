/// Whole saves and JSON have the events of the current line as one log, and of another line those that this log does
/// not have: in a load, branches are made of them when all are there.
#ifndef KIFU_SRC_ASSEMBLE_H
#define KIFU_SRC_ASSEMBLE_H

#include "history/lines.h"

/// The first branch of the timeline has all events of line `current`; other lines have branches with their events from
/// `at` on, and where they begin is in the lines. Afterwards each line has its branch, and `current` is the current
/// one. Lines of which nothing is known are deleted. KIFU_NO_MEMORY, KIFU_TOO_LARGE: the timeline can only be
/// destroyed.
kifu_result kifu__assemble(kifu_timeline *timeline, kifu__lines *lines, uint32_t current);

/// The reverse: the first branch has all events of the current line, and there is no other line. False without memory.
bool kifu__flatten(kifu_timeline *timeline, kifu__lines *lines);

#endif
