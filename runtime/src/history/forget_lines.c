// What becomes of the lines when the past is forgotten.
//
// Lines that branch off before the root are deleted, not refused: the rest of an ancestor of the current line cannot be
// deleted by a call, so a refusal could never be lifted. The line that has the root becomes the first one; its number
// stays, and it is its own parent.

#include "history/lines.h"

// The line of a line's path that has the root.
static uint32_t line_at_root(const kifu__lines *lines, uint32_t id, uint32_t root)
{
    return kifu__owner(lines->items[id].branch, root, NULL)->number;
}

// The line of which the root is a part becomes the first one. Those that branch off before go, and so does the rest of
// those from which it branched off itself.
void kifu__lines_forget(kifu_timeline *timeline, kifu__part *part, uint32_t root)
{
    kifu__lines *lines = (kifu__lines *)(void *)part;
    if (!lines->count) // They could not be kept without memory.
        return;
    const uint32_t first = line_at_root(lines, lines->current, root);
    if (line_at_root(lines, lines->main, root) != first) // No other ancestor of it stays.
        lines->main = first;
    for (uint32_t i = lines->listed_count; i-- > 0;) { // What branches off goes before that from which it does.
        const uint32_t id = lines->listed[i];
        kifu__line *line = &lines->items[id];
        if (line_at_root(lines, id, root) != first)
            kifu__line_delete(timeline, lines, id);
        else if (line->left < root) // It is left there now.
            line->left = root;
    }
    kifu__lines_list(lines);
    if (lines->items[first].from < root) {
        if (first == lines->current)
            kifu__line_begun(timeline, lines, false);
        lines->items[first].from = root;
    }
    lines->items[first].parent = first;
    kifu__lines_link(lines);
}
