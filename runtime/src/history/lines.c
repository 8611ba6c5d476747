// Lines: where each begins, and which one is the current.

#include "history/lines.h"

#include "core/go.h"
#include "history/verify_lines.h"

static const kifu__part_table table;

static void settle(kifu_timeline *timeline);

kifu__lines *kifu__lines_of(const kifu_timeline *timeline)
{
    return timeline->branch ? (kifu__lines *)(void *)kifu__part_of(timeline, &table) : NULL;
}

// --- Beginning a line ------------------------------------------------------------------------------------------------

bool kifu__lines_room(kifu_timeline *timeline, kifu__lines *lines, uint64_t count)
{
    kifu__line *items =
        (kifu__line *)kifu__grow(&timeline->memory, lines->items, &lines->capacity, count, sizeof *items);
    if (items)
        lines->items = items;
    uint32_t *listed =
        (uint32_t *)kifu__grow(&timeline->memory, lines->listed, &lines->listed_capacity, count, sizeof *listed);
    if (listed)
        lines->listed = listed;
    return items && listed;
}

static bool add_line(kifu_timeline *timeline, kifu__lines *lines, uint32_t parent)
{
    if (!kifu__lines_room(timeline, lines, (uint64_t)lines->count + 1))
        return false;
    lines->listed[lines->listed_count++] = lines->count;
    lines->items[lines->count++] = (kifu__line){.parent = parent, .from = timeline->executed};
    return true;
}

bool kifu__lines_reach(kifu_timeline *timeline, kifu__lines *lines, uint32_t id)
{
    if (id >= lines->count && !kifu__lines_room(timeline, lines, (uint64_t)id + 1))
        return false;
    while (lines->count <= id)
        lines->items[lines->count++] = (kifu__line){.deleted = true};
    return true;
}

void kifu__lines_list(kifu__lines *lines)
{
    lines->listed_count = 0;
    for (uint32_t id = 0; id < lines->count; id++) {
        if (!lines->items[id].deleted)
            lines->listed[lines->listed_count++] = id;
    }
}

// The last one goes, before anything has happened in it.
static void drop_line(kifu_timeline *timeline, kifu__lines *lines)
{
    const kifu__line *last = &lines->items[lines->count - 1];
    uint32_t *place = &lines->touched;
    while (*place && *place != lines->count)
        place = &lines->items[*place - 1].next_touched;
    if (*place)
        *place = last->next_touched;
    lines->given_up |= last->in_file;
    lines->given_up_at = ++timeline->tree_changes;
    lines->count--;
    lines->listed_count--;
    if (lines->linked > lines->count) { // As the last one.
        lines->items[last->parent].child = last->sibling;
        lines->linked = lines->count;
    }
}

// What redo could bring back becomes the rest of its line, and what comes now begins a new one.
static bool branch(kifu_timeline *timeline)
{
    kifu__lines *lines = kifu__lines_of(timeline);
    const uint32_t left = lines->current;
    if (timeline->open) // It leaves no lines.
        return kifu__redo_drop(timeline), true;
    uint32_t from = left;
    while (timeline->executed < lines->items[from].from)
        from = lines->items[from].parent;
    // From a line's own events, or beside a line.
    const bool beside = lines->items[from].parent != from && timeline->executed == lines->items[from].from;
    const bool added =
        kifu__line_enter(timeline, lines, from) && add_line(timeline, lines, beside ? lines->items[from].parent : from);
    kifu__line *old = &lines->items[lines->current];
    if (!added || !kifu__line_set_aside(timeline, old, timeline->executed)) {
        if (added)
            drop_line(timeline, lines);
        (void)kifu__line_enter(timeline, lines, left); // There is room.
        return false;
    }
    lines->items[left].left = timeline->executed;
    kifu__line_changed(timeline, lines, left);
    kifu__line_changed(timeline, lines, (uint32_t)(old - lines->items));
    kifu__line_changed(timeline, lines, lines->count - 1);
    lines->current = lines->count - 1;
    lines->before_last = left;
    timeline->settle_line = settle;
    if (kifu__hears(timeline, cut))
        timeline->tell->cut(timeline);
    return true;
}

// --- Entering a line that is there -----------------------------------------------------------------------------------

// The new line goes. In its place `to`, which has its events, is entered, or the line that was left last, if that has
// them, too.
static void enter_instead(kifu_timeline *timeline, kifu__lines *lines, uint32_t to)
{
    const uint32_t fresh = lines->current, from = lines->items[fresh].from;
    uint32_t shared;
    kifu__line_common(lines, lines->before_last, to, &shared);
    if (shared >= timeline->executed && !lines->items[lines->before_last].deleted)
        to = lines->before_last;
    if (!kifu__line_enter(timeline, lines, to))
        return; // It stays a line of its own.
    kifu__tell_notes(timeline, enter(timeline, fresh, to));
    kifu__line_free(timeline, &lines->items[fresh]);
    drop_line(timeline, lines);
    if (lines->main == lines->count)
        lines->main = lines->current;
    if (kifu__line_check(timeline, lines, lines->current)) // Redo leads on, and compares nothing.
        kifu__fault(timeline, timeline->error.result, "%s", timeline->error.message);
    for (uint32_t place = from + 1; place <= timeline->executed; place++)
        kifu__drop_kept(timeline, place); // What waits now goes on waiting.
    kifu__find_due(timeline);
    kifu__changed(timeline);
}

// The events that follow from the input with which a new line begins have happened.
static void settle(kifu_timeline *timeline)
{
    if (timeline->open || timeline->core.tries || timeline->consequences.count || timeline->sought ||
        timeline->core.phase != KIFU__IDLE)
        return;
    kifu__lines *lines = kifu__lines_of(timeline);
    timeline->settle_line = NULL;
    const kifu__line *fresh = &lines->items[lines->current];
    uint32_t same = KIFU_NONE;
    // Else it was undone, or left, before it was all there; or all before it was forgotten.
    if (!kifu__has_redo(timeline) && lines->current + 1 == lines->count && fresh->parent != lines->current)
        same = timeline->executed == fresh->from ? lines->before_last // The event failed.
                                                 : kifu__line_same(timeline, lines);
    if (same != KIFU_NONE)
        enter_instead(timeline, lines, same);
}

void kifu__line_begun(kifu_timeline *timeline)
{
    timeline->settle_line = settle;
}

// --- The part --------------------------------------------------------------------------------------------------------

static void freed(kifu_timeline *timeline, kifu__part *part)
{
    kifu__lines *lines = (kifu__lines *)(void *)part;
    for (uint32_t i = 0; i < lines->count; i++)
        kifu__line_free(timeline, &lines->items[i]);
    kifu__free(&timeline->memory, lines->items);
    kifu__free(&timeline->memory, lines->listed);
    kifu__free(&timeline->memory, lines->files);
}

static const kifu__part_table table = {
    .size = sizeof(kifu__lines), .order = KIFU__LINES, .forgets = kifu__lines_forget, .freed = freed};

kifu_result kifu__lines_begin(kifu_timeline *timeline)
{
    kifu__lines *lines = (kifu__lines *)(void *)kifu__attach(timeline, &table);
    if (!lines || (!lines->count && !add_line(timeline, lines, 0)))
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for variations");
    lines->items[0].from = timeline->log.begin;
    lines->tip = KIFU_NONE;
    lines->others = &kifu__verify_lines;
    timeline->branch = branch;
    return KIFU_OK;
}
