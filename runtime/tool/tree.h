/// A drawing of a tree of variations, for `kifu tree`.
#ifndef KIFU_TOOL_TREE_H
#define KIFU_TOOL_TREE_H

#include "tool/command.h"

typedef struct kifu__drawing {
    const kifu__line *line;
    kifu_timeline *timeline;
    kifu_stretch *stretches;
    bool *wanted; ///< Of each stretch: it is of the line that is asked for, or follows one that is.
    uint32_t count, line_count, executed;
    int number_width;
    const char **names; ///< Of each type of event by its id: without its namespace, if no other type is called so.
} kifu__drawing;

/// Prints a stretch: its row, and below it its moves and their notes (tree_moves.c).
void kifu__print_stretch(const kifu__drawing *drawing, uint32_t place);

#endif
