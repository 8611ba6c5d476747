#include "save/assemble.h"

#include "save/regroup.h"

// Reserves room for more checkpoints. False: out of memory.
static bool make_room_for_hashes(const kifu_timeline *timeline, kifu__branch *branch, uint32_t count)
{
    kifu__checkpoint *all =
        (kifu__checkpoint *)kifu__grow(&timeline->memory, branch->checkpoints, &branch->checkpoint_capacity,
                                       (uint64_t)branch->checkpoint_count + count, sizeof *all);
    if (all)
        branch->checkpoints = all;
    return all != NULL;
}

// Moves the events of a branch from number `back->from` on to `back`, which has none.
static kifu_result split(kifu_timeline *timeline, kifu__branch *front, kifu__branch *back)
{
    const uint32_t at = back->from;
    uint32_t first = 0;
    while (first < front->segment_count && front->segments[first].first + front->segments[first].count <= at)
        first++;
    const uint32_t count = front->segment_count - first;
    kifu__segment *segments = (kifu__segment *)kifu__grow(&timeline->memory, NULL, &back->segment_capacity,
                                                          (uint64_t)count + 1, sizeof *segments);
    if (!segments)
        return KIFU_NO_MEMORY;
    back->segments = segments;
    if (count)
        memcpy(segments, front->segments + first, count * sizeof *segments);
    front->segment_count = first;
    if (count && segments[0].first < at) { // It has events of both.
        kifu__segment whole = segments[0];
        kifu_result result = kifu__copy_events(&timeline->log, &whole, at - whole.first, &segments[0]);
        front->segments[front->segment_count++] = whole;
        if (result) {
            kifu__log_close_gap(&timeline->log, front, 0, 0);
            return result;
        }
        segments[0].first = at;
        kifu__segment_truncate(&front->segments[first], at - whole.first);
    }
    back->segment_count = count;
    back->end = front->end;
    front->end = at;
    const uint32_t hashes = kifu__checkpoints_up_to(front, at);
    if (hashes < front->checkpoint_count && !make_room_for_hashes(timeline, back, front->checkpoint_count - hashes))
        return KIFU_NO_MEMORY;
    for (uint32_t i = hashes; i < front->checkpoint_count; i++)
        back->checkpoints[back->checkpoint_count++] = front->checkpoints[i];
    front->checkpoint_count = hashes;
    kifu__kept **link = &front->kept;
    while (*link && (*link)->executed > at)
        link = &(*link)->next;
    kifu__kept *before = *link;
    *link = NULL;
    back->kept = front->kept;
    front->kept = before;
    kifu__log_close_gap(&timeline->log, front, 0, 0);
    kifu__log_close_gap(&timeline->log, back, 0, 0);
    return KIFU_OK;
}

// Appends the rest of a line, from the place where the next one begins, to its events before.
static kifu_result add_tail(kifu_timeline *timeline, kifu__line *line, kifu__branch *front)
{
    kifu__branch *tail = line->branch;
    line->branch = front;
    if (!tail)
        return KIFU_OK;
    const bool good = kifu__branch_room(&timeline->log, front, tail->segment_count);
    if (good)
        kifu__branch_extend(timeline, front, tail);
    else
        kifu__branch_free(timeline, tail);
    kifu__free(&timeline->memory, tail);
    return good ? KIFU_OK : KIFU_NO_MEMORY;
}

kifu_result kifu__assemble(kifu_timeline *timeline, kifu__lines *lines, uint32_t current)
{
    kifu__branch *first = &timeline->log.first;
    kifu_result result = KIFU_OK;
    for (uint32_t id = 0; id < lines->count; id++) {
        kifu__line *line = &lines->items[id];
        if (line->branch == first)
            line->branch = NULL;
        if (!line->known || line->deleted)
            kifu__line_delete(timeline, lines, id);
        line->known = line->on_way = false;
    }
    for (uint32_t id = current, parent; !result; id = parent) {
        kifu__line *line = &lines->items[id];
        parent = line->parent;
        if (parent == id) {
            result = add_tail(timeline, line, first);
            break;
        }
        kifu__branch *branch = kifu__branch_new(timeline, id, line->from);
        if (!branch)
            return KIFU_NO_MEMORY;
        result = split(timeline, first, branch);
        const kifu_result added = add_tail(timeline, line, branch);
        result = result ? result : added;
    }
    if (result)
        return result;
    for (uint32_t id = 0; id < lines->count; id++) {
        kifu__line *line = &lines->items[id];
        if (!line->deleted && !line->branch && !(line->branch = kifu__branch_new(timeline, id, line->from)))
            return KIFU_NO_MEMORY;
    }
    kifu__lines_list(lines);
    kifu__lines_link(lines);
    lines->current = current;
    kifu__log_enter(&timeline->log, lines->items[current].branch);
    return KIFU_OK;
}

bool kifu__flatten(kifu_timeline *timeline, kifu__lines *lines)
{
    kifu__log *log = &timeline->log;
    while (log->branch->parent) {
        kifu__branch *branch = log->branch, *parent = branch->parent;
        if (!kifu__branch_room(log, parent, branch->segment_count))
            return false;
        kifu__log_enter(log, parent);
        kifu__branch_cut(timeline, parent, branch->from);
        kifu__branch_extend(timeline, parent, branch);
    }
    if (log->branch != &log->first) {
        kifu__branch *branch = log->branch;
        if (!kifu__branch_room(log, &log->first, branch->segment_count))
            return false;
        log->first.end = branch->from;
        kifu__log_enter(log, &log->first);
        kifu__branch_extend(timeline, &log->first, branch);
    }
    for (uint32_t id = 0; id < lines->count; id++) {
        if (lines->items[id].branch == &log->first)
            lines->items[id].branch = NULL;
        kifu__line_delete(timeline, lines, id);
    }
    log->first.number = 0;
    lines->count = 1;
    lines->current = lines->main = lines->before_last = lines->touched = 0;
    lines->items[0] = (kifu__line){.branch = &log->first, .from = log->begin};
    kifu__lines_list(lines);
    return true;
}
