// Variations: the calls that go to lines and change the tree. Which events are in the log is the business of lines.c.

#include <kifu/variations.h>

#include "core/go.h"
#include "history/lines.h"

// --- Going -----------------------------------------------------------------------------------------------------------

// Whether the call is allowed now; `*lines` is NULL if there is only one line.
static kifu_result require(kifu_timeline *timeline, const char *call, uint32_t line, kifu__lines **lines)
{
    kifu_result result = kifu__require_calm(timeline, call);
    if (!result)
        result = kifu__require_present(timeline, call);
    if (result)
        return result;
    *lines = kifu__lines_of(timeline);
    if (timeline->open)
        return kifu__error(&timeline->error, KIFU_MISUSE, "%s inside a transaction: commit it or roll it back first",
                           call);
    if (*lines ? line >= (*lines)->count || (*lines)->items[line].deleted : line)
        return kifu__error(&timeline->error, KIFU_MISUSE, "%s: there is no line %u (kifu_line_at lists the lines)",
                           call, (unsigned)line);
    return KIFU_OK;
}

static bool goes_on(const kifu_timeline *timeline, uint32_t event)
{
    return event < timeline->log.branch->end && event > timeline->log.begin &&
           kifu__log_mark(&timeline->log, event)->flags & KIFU_CONTINUE_UNDO;
}

static uint32_t end_of_chain(const kifu_timeline *timeline, uint32_t count)
{
    while (goes_on(timeline, count))
        count++;
    return count;
}

// `kifu_can_undo` has said why, about an undo.
static kifu_result refuse_way(kifu_timeline *timeline, uint32_t count)
{
    const kifu_error why = timeline->error;
    const bool passed = why.result == KIFU_NOT_UNDOABLE;
    const char *reason = passed ? kifu_error_reason(&why) : kifu_result_text(KIFU_NOT_UNDOABLE);
    kifu__error_of_event(
        &timeline->error, KIFU_NOT_UNDOABLE, why.event,
        "kifu_go_to: the way back to after %u events leads past event %u (%s), which may not be undone; "
        "`anyway` goes there all the same: %s",
        (unsigned)count, (unsigned)why.event, kifu__name_of(timeline, why.event), reason);
    kifu__error_ends_in(&timeline->error, reason);
    return KIFU_NOT_UNDOABLE;
}

// Whether each chain behind event `count` may be undone.
static kifu_result require_undoable(kifu_timeline *timeline, uint32_t count)
{
    const uint32_t before = timeline->executed;
    kifu_result result = KIFU_OK;
    while (timeline->executed > count && !result) {
        const uint32_t chain = kifu_can_undo(timeline, &timeline->error);
        timeline->executed -= chain;
        result = chain ? KIFU_OK : refuse_way(timeline, count);
    }
    timeline->executed = before;
    return result;
}

// Forward, if need be without a journal.
static kifu_result go_again(kifu_timeline *timeline, uint32_t count)
{
    kifu_result result = kifu__go(timeline, count, KIFU__TOLD);
    if (result != KIFU_NO_MEMORY)
        return result;
    result = kifu__go(timeline, count, KIFU__SILENT);
    kifu__moved(timeline, KIFU__JUMPED);
    return result;
}

// A way: `back` to where it turns, and then along another line.
typedef struct way {
    uint32_t line, count;
    uint32_t back;
    uint32_t from, before; // It begins in this line, after so many events.
} way;

// The way has failed: the game goes to where it was, or ends before an event that fails, of which the error tells.
static kifu_result return_from(kifu_timeline *timeline, kifu__lines *lines, const way *way, kifu_result result)
{
    const kifu_error error = timeline->error;
    kifu_result worse = KIFU_OK;
    if (timeline->executed > way->back)
        worse = kifu__go(timeline, way->back, KIFU__TOLD);
    if (lines && lines->current != way->from)
        kifu__line_enter(timeline, lines, way->from);
    if (!worse && timeline->executed < way->before)
        worse = go_again(timeline, way->before);
    if (way->back < way->before) // Else what waited waits still.
        kifu__take_up(timeline);
    if (!worse)
        timeline->error = error;
    return worse ? worse : result;
}

static kifu_result go_way(kifu_timeline *timeline, kifu__lines *lines, const way *way)
{
    kifu_result result = KIFU_OK;
    if (way->back < way->before)
        result = kifu__go(timeline, way->back, KIFU__TOLD);
    if (!result && lines && way->line != way->from)
        kifu__line_enter(timeline, lines, way->line);
    if (!result && lines)
        result = kifu__line_check(timeline, lines, way->line);
    const uint32_t end = result ? 0 : end_of_chain(timeline, way->count);
    if (!result && !kifu__make_room_for_kept(timeline, end))
        result =
            kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for the way to line %u", (unsigned)way->line);
    if (!result && end > timeline->executed)
        result = kifu__go(timeline, end, KIFU__TOLD);
    return result;
}

// To a line, after its first `count` events.
static kifu_result go(kifu_timeline *timeline, kifu__lines *lines, uint32_t line, uint32_t count, bool anyway)
{
    uint32_t shared = KIFU_NONE;
    if (lines)
        shared = kifu__common(timeline->log.branch, lines->items[line].branch);
    const uint32_t least = count < shared ? count : shared;
    const uint32_t chain = least < shared ? end_of_chain(timeline, least) : least;
    const uint32_t turn = chain < shared ? chain : shared; // Lines may part inside a chain.
    way way = {
        .line = line,
        .count = count,
        .back = turn < timeline->executed ? turn : timeline->executed,
        .from = lines ? lines->current : 0,
        .before = timeline->executed,
    };
    if (way.back == way.before && count == way.back && lines && line == way.from)
        return KIFU_OK; // It is there.
    if (way.back == way.before && (timeline->inputs.count || timeline->consequences.count))
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "kifu_go_to: an input waits, and the way leads on from there; run it or drop it first");
    kifu_result result = anyway ? KIFU_OK : require_undoable(timeline, way.back);
    if (!result && way.back < way.before && !kifu__put_away(timeline))
        result = kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory; nothing was undone");
    if (result)
        return result;
    result = go_way(timeline, lines, &way);
    if (result)
        result = return_from(timeline, lines, &way, result);
    else if (timeline->executed > way.back)
        kifu__take_up(timeline);
    else if (way.back < way.before)
        kifu__drop_kept(timeline, way.back);
    return result;
}

kifu_result kifu_go_to(kifu_timeline *timeline, uint32_t line, uint32_t count, bool anyway)
{
    kifu__lines *lines;
    kifu_result result = require(timeline, "kifu_go_to", line, &lines);
    if (result)
        return result;
    const uint32_t end = lines ? kifu__line_end(&lines->items[line]) : timeline->log.branch->end;
    const uint32_t old_line = lines ? lines->current : 0, old_count = timeline->executed;
    if (count == KIFU_WHERE_LEFT)
        count = line == old_line ? old_count : lines->items[line].left;
    if (count > end || count < timeline->log.begin)
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "kifu_go_to: after event %u of line %u, which has %u events with those before it",
                           (unsigned)count, (unsigned)line, (unsigned)end);
    timeline->delay = 0;
    if (kifu__hears(timeline, called))
        timeline->tell->called(timeline, KIFU__CALL_OTHER, NULL, 0);
    if (lines && line != old_line && old_count == timeline->log.branch->end) {
        lines->tip = old_count;
        lines->tip_hash = kifu_state_hash(timeline);
    }
    result = go(timeline, lines, line, count, anyway);
    if (lines)
        lines->tip = KIFU_NONE;
    if (!result && lines && line != old_line)
        lines->items[old_line].left = old_count;
    kifu__changed(timeline);
    return kifu__show_anew(timeline, result);
}

// --- Changing the tree -----------------------------------------------------------------------------------------------

kifu_result kifu_promote_line(kifu_timeline *timeline, uint32_t line)
{
    kifu__lines *lines;
    kifu_result result = require(timeline, "kifu_promote_line", line, &lines);
    if (!result && lines) {
        timeline->tree_changes += line != lines->main;
        lines->main = line;
    }
    return result;
}

// Lines are linked to their parents when one is deleted, so that it and what branches off are found at once.
static void link_lines(kifu__lines *lines)
{
    for (; lines->linked < lines->count; lines->linked++) {
        kifu__line *line = &lines->items[lines->linked];
        line->child = 0;
        if (line->deleted || line->parent == lines->linked)
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
        while (next && lines->items[next].deleted)
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
    uint32_t low = 0, high = lines->listed_count;
    while (lines->listed[low] != first) {
        const uint32_t middle = (low + high) / 2;
        if (lines->listed[middle] <= first)
            low = middle;
        else
            high = middle;
    }
    uint32_t kept = low, next = low;
    for (; count; next++) {
        if (lines->items[lines->listed[next]].deleted)
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
    kifu_result result = require(timeline, "kifu_delete_line", line, &lines);
    if (result)
        return result;
    bool has_current = !lines, has_main = false;
    if (lines)
        link_lines(lines);
    for (uint32_t id = line; lines && id != KIFU_NONE; id = next_below(lines, id, line)) {
        has_current |= id == lines->current;
        has_main |= id == lines->main;
    }
    if (has_current)
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "kifu_delete_line: line %u is the current one, or leads to it: go to another one first",
                           (unsigned)line);
    if (has_main)
        lines->main = lines->items[line].parent;
    uint32_t count = 0;
    for (uint32_t id = line, next; id != KIFU_NONE; id = next) {
        next = next_below(lines, id, line);
        kifu__line_lose(timeline, lines, id);
        kifu__line_changed(timeline, lines, id);
        count++;
    }
    unlist(lines, line, count);
    if (lines->items[lines->before_last].deleted)
        lines->before_last = lines->items[lines->current].parent;
    return KIFU_OK;
}
