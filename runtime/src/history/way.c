// The way from line to line: up to a common ancestor and down again.

#include <stddef.h>

#include "history/lines.h"

// The line with the larger number is no ancestor of the other one: the way leads up from it.
uint32_t kifu__line_common(const kifu__lines *lines, uint32_t a, uint32_t b, uint32_t *shared)
{
    *shared = KIFU_NONE;
    while (a != b) {
        uint32_t *larger = a > b ? &a : &b;
        const kifu__line *line = &lines->items[*larger];
        *shared = line->from < *shared ? line->from : *shared;
        *larger = line->parent;
    }
    return a;
}

// --- The log ---------------------------------------------------------------------------------------------------------

// Nothing needs none: there may never have been any.
static bool has_room(kifu__queue *queue, const kifu__queue *kept, const kifu__memory *memory)
{
    return !kept->count || kifu__queue_room(queue, memory, 0, kept->tail);
}

// Room for the segments of a line, which may never have been there, and for what waits in it. False without memory.
static bool make_room(kifu_timeline *timeline, const kifu__line *line)
{
    kifu__log *log = &timeline->log;
    const ptrdiff_t open = log->open ? log->open - log->segments : -1;
    kifu__segment *segments =
        (kifu__segment *)kifu__grow(&log->memory, log->segments, &log->segment_capacity,
                                    (uint64_t)log->segment_count + line->tail.segment_count, sizeof *segments);
    if (!segments)
        return false;
    log->segments = segments;
    log->open = open < 0 ? NULL : &segments[open];
    bool good = true;
    for (const kifu__kept *kept = line->kept; kept && good; kept = kept->next)
        good = has_room(&timeline->consequences, &kept->consequences, &log->memory) &&
               has_room(&timeline->inputs, &kept->inputs, &log->memory);
    return good;
}

// --- The way ---------------------------------------------------------------------------------------------------------

// To the parent of the current line, to a line of which it is the parent, or to one that begins where it does. False
// without memory.
static bool step(kifu_timeline *timeline, kifu__lines *lines, uint32_t to)
{
    kifu__line *old = &lines->items[lines->current], *next = &lines->items[to];
    const uint32_t at = next->parent == lines->current ? next->from : old->from;
    kifu__line_changed(timeline, lines, lines->current);
    if (!make_room(timeline, next) || !kifu__line_set_aside(timeline, old, at))
        return false;
    if (!old->unchecked && lines->tip == old->tail.event_count)
        old->tip_hash = lines->tip_hash;
    lines->tip = KIFU_NONE;
    kifu__line_bring_back(timeline, next);
    lines->current = to;
    return true;
}

static bool follow(kifu_timeline *timeline, kifu__lines *lines, uint32_t to)
{
    kifu__line *items = lines->items;
    uint32_t shared;
    const uint32_t common = kifu__line_common(lines, lines->current, to, &shared);
    for (uint32_t id = to; id != common; id = items[id].parent)
        items[items[id].parent].down = id;
    bool good = true, up = lines->current != common;
    while (good && lines->current != to) {
        const kifu__line *line = &items[lines->current];
        uint32_t next = up ? line->parent : line->down;
        up = up && next != common;
        if (line->parent == common && next == common && to != common && items[items[common].down].from == line->from)
            next = items[common].down; // The common ancestor stays as it is.
        good = step(timeline, lines, next);
    }
    return good;
}

// On the way back, there is room for everything: each line and the log had it before.
bool kifu__line_enter(kifu_timeline *timeline, kifu__lines *lines, uint32_t to)
{
    const uint32_t from = lines->current;
    const bool good = follow(timeline, lines, to);
    if (!good)
        (void)follow(timeline, lines, from);
    return good;
}
