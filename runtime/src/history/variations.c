// Variations: the calls that go to lines and change the tree. Which events are in the log is the business of lines.c.

#include <kifu/variations.h>

#include "core/stand.h"
#include "history/lines.h"
#include "history/seek.h"
#include "history/undo.h"

// --- Going -----------------------------------------------------------------------------------------------------------

// Whether the call is allowed now; `*lines` is NULL if there is only one line.
static kifu_result require_line(kifu_timeline *timeline, const char *call, uint32_t line, kifu__lines **lines)
{
    kifu_result result = kifu__require_outside(timeline, call);
    if (!result)
        result = kifu__require_present(timeline, call);
    if (result)
        return result;
    *lines = kifu__lines_of(timeline);
    if (*lines ? line >= (*lines)->count || !(*lines)->items[line].branch : line)
        return kifu__error(&timeline->error, KIFU_MISUSE, "%s: there is no line %u (kifu_line_at lists the lines)",
                           call, (unsigned)line);
    return KIFU_OK;
}

// The place after the first `count` events of a path, or if that is inside a chain, the end of the chain.
static uint32_t end_of_chain(const kifu_timeline *timeline, kifu__branch *path, uint32_t count)
{
    uint32_t end = count;
    const kifu__segment *segment = NULL;
    while (count < path->end && count > timeline->log.begin) {
        if (!segment || count == end)
            segment = kifu__path_segment(path, count, &end);
        if (!(segment->marks[count - segment->first].flags & KIFU_CONTINUE_UNDO))
            break;
        count++;
    }
    return count;
}

// kifu_can_undo has set an error about an undo: rewords it.
static kifu_result refuse_way(kifu_timeline *timeline, uint32_t count)
{
    const kifu_error why = timeline->error;
    const bool passed = why.result == KIFU_NOT_UNDOABLE;
    const char *reason = passed ? kifu_error_reason(&why) : kifu_result_text(KIFU_NOT_UNDOABLE);
    kifu__error_of_event(
        &timeline->error, KIFU_NOT_UNDOABLE, why.event,
        "kifu_go_to: the way back to after %u events leads past event %u (%s), which may not be undone; "
        "`force` goes there all the same: %s",
        (unsigned)count, (unsigned)why.event, kifu__name_of(timeline, why.event), reason);
    kifu__error_ends_in(&timeline->error, reason);
    return KIFU_NOT_UNDOABLE;
}

// Whether each chain behind event `count` may be undone.
static kifu_result require_undoable(kifu_timeline *timeline, uint32_t count)
{
    kifu__chains chains = kifu__chains_of(timeline);
    while (chains.executed > count) {
        const uint32_t length = kifu__chain_length(timeline, &chains, &timeline->error);
        if (!length)
            return refuse_way(timeline, count);
        chains.executed -= length;
    }
    return KIFU_OK;
}

// Goes to the place after the first `count` events of a line.
static kifu_result go_to_line(kifu_timeline *timeline, kifu__lines *lines, uint32_t line, uint32_t count, bool force)
{
    kifu__branch *left = timeline->log.branch, *branch = lines ? lines->items[line].branch : left;
    const uint32_t before = timeline->executed, shared = kifu__common(left, branch);
    const uint32_t to = end_of_chain(timeline, branch, count), least = to < shared ? to : shared;
    const uint32_t back = least < before ? least : before;
    if (to == before && branch == left)
        return KIFU_OK; // It is there.
    if (back == before && (timeline->inputs.count || timeline->consequences.count))
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "kifu_go_to: an input waits, and the way leads on from there; run it or drop it first");
    kifu_result result = force ? KIFU_OK : require_undoable(timeline, back);
    if (!result && (!kifu__make_room_for_kept(timeline, branch, to) || (back < before && !kifu__store_kept(timeline))))
        result = kifu__error(&timeline->error, KIFU_NO_MEMORY,
                             "out of memory for the way to line %u; nothing was undone", (unsigned)line);
    if (result)
        return result;
    result = kifu__stand(timeline, branch, back, KIFU__NOTIFY);
    if (!result && lines)
        result = kifu__line_check(timeline, lines, line, KIFU_NONE, NULL);
    if (!result)
        result = kifu__stand(timeline, branch, to, KIFU__NOTIFY);
    if (result)
        result = kifu__stand_again(timeline, left, before, result);
    // It went on from there. Otherwise what is kept there is dropped.
    if (timeline->executed <= back && back < before)
        kifu__drop_kept(timeline, back);
    else if (timeline->executed > back && kifu__make_room_for_kept(timeline, timeline->log.branch, timeline->executed))
        kifu__restore_kept(timeline); // Without room, where the way back has ended, it is kept there still.
    return result;
}

kifu_result kifu_go_to(kifu_timeline *timeline, uint32_t line, uint32_t count, bool force)
{
    kifu__lines *lines;
    kifu_result result = require_line(timeline, "kifu_go_to", line, &lines);
    if (result)
        return result;
    const uint32_t end = lines ? lines->items[line].branch->end : timeline->log.branch->end;
    const uint32_t old_line = lines ? lines->current : 0, old_count = timeline->executed;
    if (count == KIFU_WHERE_LEFT)
        count = line == old_line ? old_count : lines->items[line].left;
    if (count > end)
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "kifu_go_to: after %u events of line %u, which has only %u, those of its ancestors included",
                           (unsigned)count, (unsigned)line, (unsigned)end);
    result = kifu__require_past(timeline, "kifu_go_to", count, &timeline->error);
    if (result)
        return result;
    timeline->delay = 0;
    if (kifu__has_handler(timeline, called))
        timeline->dispatch->called(timeline, KIFU__CALL_OTHER, NULL, 0);
    const bool leaves = line != old_line, at_end = old_count == timeline->log.branch->end;
    const uint64_t hash = leaves && at_end ? kifu_state_hash(timeline) : 0;
    result = go_to_line(timeline, lines, line, count, force);
    if (!result && leaves) {
        kifu__line *old = &lines->items[old_line];
        old->left = old_count;
        old->tip_hash = old->unchecked ? old->tip_hash : hash;
    }
    kifu__changed(timeline);
    return kifu__show_anew(timeline, result);
}

// --- Changing the tree -----------------------------------------------------------------------------------------------

kifu_result kifu_promote_line(kifu_timeline *timeline, uint32_t line)
{
    kifu__lines *lines;
    kifu_result result = require_line(timeline, "kifu_promote_line", line, &lines);
    if (!result && lines) {
        timeline->tree.changes += line != lines->main;
        lines->main = line;
        kifu__line_begun(timeline, lines, lines->begun);
    }
    return result;
}

// Lines are linked to their parents when one is deleted, so that it and what branches off are found at once.
static void link_lines(kifu__lines *lines)
{
    for (; lines->linked < lines->count; lines->linked++) {
        kifu__line *line = &lines->items[lines->linked];
        line->child = 0;
        if (!line->branch || line->parent == lines->linked)
            continue;
        line->sibling = lines->items[line->parent].child;
        lines->items[line->parent].child = lines->linked;
    }
}

// After line `id`, the next of those that branch off from `top`, and from them; KIFU_NONE: there are no more.
static uint32_t next_below(const kifu__lines *lines, uint32_t id, uint32_t top)
{
    uint32_t next = lines->items[id].child;
    for (;;) {
        while (next && !lines->items[next].branch)
            next = lines->items[next].sibling;
        if (next)
            return next;
        if (id == top)
            return KIFU_NONE;
        next = lines->items[id].sibling;
        id = lines->items[id].parent;
    }
}

// So many were deleted, of which `first` has the smallest number.
static void unlist(kifu__lines *lines, uint32_t first, uint32_t count)
{
    const uint32_t up_to = kifu__count_up_to(lines->listed, sizeof *lines->listed, lines->listed_count, first);
    uint32_t kept = up_to - 1, next = kept;
    for (; count; next++) {
        if (!lines->items[lines->listed[next]].branch)
            count--;
        else
            lines->listed[kept++] = lines->listed[next];
    }
    memmove(&lines->listed[kept], &lines->listed[next], (lines->listed_count - next) * sizeof *lines->listed);
    lines->listed_count -= next - kept;
}

kifu_result kifu_delete_line(kifu_timeline *timeline, uint32_t line)
{
    kifu__lines *lines;
    kifu_result result = require_line(timeline, "kifu_delete_line", line, &lines);
    if (result)
        return result;
    const kifu__branch *gone = lines ? lines->items[line].branch : NULL;
    if (!lines || kifu__leads_through(lines->items[lines->current].branch, gone))
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "kifu_delete_line: line %u is the current one, or leads to it: go to another one first",
                           (unsigned)line);
    if (kifu__leads_through(lines->items[lines->main].branch, gone))
        lines->main = lines->items[line].parent;
    link_lines(lines);
    uint32_t count = 0;
    for (uint32_t id = line, next; id != KIFU_NONE; id = next) {
        next = next_below(lines, id, line);
        kifu__line_lose(timeline, lines, id);
        kifu__line_changed(timeline, lines, id);
        count++;
    }
    unlist(lines, line, count);
    if (!lines->items[lines->before_last].branch)
        lines->before_last = lines->items[lines->current].parent;
    return KIFU_OK;
}
