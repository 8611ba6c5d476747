// The way from line to line: up to a common ancestor and down again, with what redo could bring back.
//
// A line on the way keeps the moments of its own events. Those before them are carried along, so that each moment is
// moved as often as it passes from one line to another.

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

// --- What redo could bring back --------------------------------------------------------------------------------------

// Those behind the last one have memory still, which goes.
static void trim(kifu__redo *redo, const kifu__memory *memory)
{
    while (redo->made > redo->count)
        kifu__kept_free(&redo->items[--redo->made], memory);
}

// A line takes those up to `end` behind its own. False without memory.
static bool take(const kifu_timeline *timeline, kifu__redo *own, kifu__carried *carried, uint32_t end)
{
    const uint32_t count = end - carried->first;
    trim(own, &timeline->memory);
    if (!count)
        return true;
    kifu__kept *items = (kifu__kept *)kifu__grow(&timeline->memory, own->items, &own->capacity,
                                                 (uint64_t)own->count + count, sizeof *items);
    if (!items)
        return false;
    memcpy(&items[own->count], &carried->items[carried->first], count * sizeof *items);
    own->items = items;
    own->made = own->count += count;
    carried->first = end;
    return true;
}

// How many moments the lines have from `low` up to `high`, which does not count.
static uint64_t count_between(const kifu__lines *lines, uint32_t low, uint32_t high)
{
    uint64_t count = 0;
    for (; low != high; low = lines->items[low].parent)
        count += lines->items[low].redo.count;
    return count;
}

// Of its own moments and of those that are carried, a line keeps those behind event `at`: they come first. False
// without memory, with nothing lost.
static bool share_out(const kifu_timeline *timeline, kifu__redo *own, kifu__carried *carried, uint32_t at)
{
    uint32_t end = carried->first;
    while (end < carried->room && carried->items[end].executed > at)
        end++;
    if (!take(timeline, own, carried, end))
        return false;
    while (own->count && own->items[own->count - 1].executed <= at)
        carried->items[--carried->first] = own->items[--own->count];
    own->made = own->count;
    return true;
}

// --- The log ---------------------------------------------------------------------------------------------------------

// Room for the segments of a line, which may never have been there. False without memory.
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
    return true;
}

// --- The way ---------------------------------------------------------------------------------------------------------

// To the parent of the current line, to a line of which it is the parent, or to one that begins where it does. False
// without memory.
static bool step(kifu_timeline *timeline, kifu__lines *lines, uint32_t to, kifu__carried *carried)
{
    kifu__line *old = &lines->items[lines->current], *next = &lines->items[to];
    const uint32_t at = next->parent == lines->current ? next->from : old->from;
    kifu__line_changed(timeline, lines, lines->current);
    if (!make_room(timeline, next) || !share_out(timeline, &old->redo, carried, at) ||
        !kifu__line_set_aside(timeline, old, at))
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
        good = step(timeline, lines, next, &lines->carried);
    }
    return good && take(timeline, &items[to].redo, &lines->carried, lines->carried.room);
}

// Room for all moments on the way to a line. False without memory.
static bool begin_carrying(const kifu_timeline *timeline, kifu__lines *lines, uint32_t to)
{
    kifu__carried *carried = &lines->carried;
    uint32_t shared;
    const uint32_t common = kifu__line_common(lines, lines->current, to, &shared);
    const uint64_t others = count_between(lines, lines->current, common) + count_between(lines, to, common);
    kifu__kept *items =
        (kifu__kept *)kifu__grow(&timeline->memory, carried->items, &carried->room,
                                 others + lines->items[common].redo.count + timeline->redo.count, sizeof *items);
    if (!items)
        return false;
    *carried = (kifu__carried){.items = items, .room = carried->room, .first = carried->room};
    return true;
}

// On the way back, there is room for everything: each line and the log had it before.
bool kifu__way_begin(kifu_timeline *timeline, kifu__lines *lines, uint32_t to)
{
    const uint32_t from = lines->current;
    if (!begin_carrying(timeline, lines, to))
        return false;
    if (from == to)
        return true;
    lines->items[from].redo = timeline->redo;
    const bool good = follow(timeline, lines, to);
    if (!good)
        (void)follow(timeline, lines, from);
    timeline->redo = lines->items[lines->current].redo;
    lines->items[lines->current].redo = (kifu__redo){0};
    return good;
}

void kifu__way_end(kifu_timeline *timeline, kifu__lines *lines)
{
    kifu__free(&timeline->memory, lines->carried.items);
    lines->carried = (kifu__carried){0};
}

bool kifu__line_enter(kifu_timeline *timeline, kifu__lines *lines, uint32_t to)
{
    const bool good = lines->current == to || kifu__way_begin(timeline, lines, to);
    kifu__way_end(timeline, lines);
    return good;
}
