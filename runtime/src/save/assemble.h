/// Converts between lines in files and branches. Whole saves and JSON have all events of the current line in one log,
/// and of each other line the events that are not in this log. A load makes branches of them when it has read all.
#ifndef KIFU_SRC_ASSEMBLE_H
#define KIFU_SRC_ASSEMBLE_H

#include "history/lines.h"

/// Before: the first branch of the timeline has all events of line `current`; other lines have branches with their
/// events from `at` on, and the lines say where they begin. After: each line has its branch, and `current` is the
/// current one. Lines that the save does not have are deleted. KIFU_NO_MEMORY, KIFU_TOO_LARGE: the timeline can only be
/// destroyed.
kifu_result kifu__assemble(kifu_timeline *timeline, kifu__lines *lines, uint32_t current);

/// The reverse: the first branch gets all events of the current line, and there is no other line. False: out of memory.
bool kifu__flatten(kifu_timeline *timeline, kifu__lines *lines);

#endif
