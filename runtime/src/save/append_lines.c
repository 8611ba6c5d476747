// Lines, in log files: those that have changed since the last append, one after the other, by number. The file goes to
// a line, or begins it; adds its new events; and undoes them as far as they were undone when the line was left. The
// current line is the last one to which it goes.

#include <stdlib.h>

#include "save/line_frames.h"

typedef struct appending {
    kifu__plan *plan;
    kifu__lines *lines;
    bool anew;   // The file has nothing yet.
    uint32_t at; // The line at whose end the file is; KIFU_NONE: it is elsewhere.
    uint32_t *ids;
    uint32_t count;
} appending;

static bool is_in_file(const appending *appending, const kifu__line *line)
{
    return !appending->anew && line->in_file;
}

// --- Frames ----------------------------------------------------------------------------------------------------------

static void add_line(appending *appending, uint32_t id, uint32_t flags, uint32_t next)
{
    kifu__plan *plan = appending->plan;
    const kifu__line *line = &appending->lines->items[id];
    const kifu__save_line fields = {.id = id,
                                    .parent = line->parent,
                                    .from = line->from,
                                    .flags = flags | KIFU__LOGGED_LINE,
                                    .next = next,
                                    .left = flags & KIFU__LEFT_LINE ? line->left : 0};
    kifu__blob payload = kifu__payload_begin(plan, &kifu__save_line_table, &fields);
    if (kifu__payload_end(plan, &kifu__save_line_table, &payload))
        kifu__plan_add(plan, KIFU__FRAME_LINE, payload.bytes, payload.size, true);
}

static void add_go(appending *appending, uint32_t id, uint32_t count)
{
    kifu__plan *plan = appending->plan;
    const kifu__save_go go = {.line = id, .count = count};
    kifu__blob payload = kifu__payload_begin(plan, &kifu__save_go_table, &go);
    appending->at = id;
    if (kifu__payload_end(plan, &kifu__save_go_table, &payload))
        kifu__plan_add(plan, KIFU__FRAME_GO, payload.bytes, payload.size, true);
}

// --- The events of a line --------------------------------------------------------------------------------------------

// Its events from number `first` on.
static void add_events(appending *appending, uint32_t id, uint32_t first)
{
    kifu__plan *plan = appending->plan;
    kifu__written written = {.begun = true, .events = first, .executed = first};
    plan->path = appending->lines->items[id].branch;
    kifu__plan_log(plan, &written);
    plan->path = NULL;
}

static void add_changes(appending *appending, uint32_t id)
{
    kifu__lines *lines = appending->lines;
    const kifu__line *line = &lines->items[id];
    const bool known = is_in_file(appending, line), first = appending->anew && line->parent == id;
    const uint32_t end = kifu__line_end(line);
    const uint32_t from = known ? line->file_end : line->from;
    if (id == lines->current && known && from == end)
        return; // The file goes there in the end.
    if (known)
        add_go(appending, id, from);
    else if (!first || id)
        add_line(appending, id, 0, 0);
    appending->at = id;
    if (end > from)
        add_events(appending, id, from);
}

// Where it was left, and what waits behind the place where the current line leaves it, in place of what the file has:
// it has all its events.
static void add_kept(appending *appending, uint32_t id)
{
    kifu__plan *plan = appending->plan;
    const kifu__line *line = &appending->lines->items[id];
    kifu__written written = {.begun = true, .executed = kifu__line_end(line)};
    add_line(appending, id, KIFU__LEFT_LINE | KIFU__UNDONE_LINE, 0);
    const uint32_t first = plan->count;
    plan->path = line->branch;
    plan->least = kifu__line_at(appending->lines, id) + 1;
    kifu__plan_kept(plan, &written, 0);
    plan->path = NULL;
    plan->least = 0;
    for (uint32_t i = first; i < plan->count; i++)
        plan->pieces[i].kind += KIFU__OF_LINE;
}

// --- Which lines -----------------------------------------------------------------------------------------------------

static int by_number(const void *a, const void *b)
{
    const uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    return (one > other) - (one < other);
}

// The current one, and those that have changed; all in a new file. Ascending. False without memory.
static bool list_lines(appending *appending)
{
    const kifu__lines *lines = appending->lines;
    const kifu__memory *memory = &appending->plan->timeline->memory;
    uint32_t count = appending->anew ? lines->listed_count : 1;
    for (uint32_t at = lines->touched; at && !appending->anew; at = lines->items[at - 1].next_touched)
        count++;
    uint32_t *ids = (uint32_t *)kifu__new(memory, count * sizeof *ids);
    if (!ids)
        return false;
    appending->ids = ids;
    appending->count = appending->anew ? count : 0;
    if (appending->anew)
        memcpy(ids, lines->listed, count * sizeof *ids);
    else if (!lines->items[lines->current].touched)
        ids[appending->count++] = lines->current;
    for (uint32_t at = lines->touched; at && !appending->anew; at = lines->items[at - 1].next_touched)
        ids[appending->count++] = at - 1;
    qsort(ids, appending->count, sizeof *ids, by_number);
    return true;
}

// What the current line has is in the file, and all of it is executed there.
static void say_current(appending *appending)
{
    kifu_timeline *timeline = appending->plan->timeline;
    kifu__written *written = appending->plan->written;
    const uint32_t end = timeline->log.branch->end;
    if (appending->at != appending->lines->current)
        add_go(appending, appending->lines->current, end);
    *written = (kifu__written){.begun = true,
                               .events = end,
                               .executed = end,
                               .vtables = written->vtables,
                               .line = appending->lines->current,
                               .kept = written->kept,
                               .kept_count = written->kept_count,
                               .notes = written->notes};
    timeline->log.branch->unchanged = KIFU_NONE;
    kifu__kept_at at = kifu__kept_along(timeline->log.branch, KIFU_NONE, timeline->log.keeps_from);
    for (; at.kept; kifu__kept_before(&at))
        at.kept->said = false; // The way there may have dropped some in the file.
}

static void append(appending *appending)
{
    kifu__lines *lines = appending->lines;
    kifu__plan *plan = appending->plan;
    bool moves = appending->anew || lines->current != lines->file_line;
    for (uint32_t i = 0; i < appending->count; i++) {
        const kifu__line *line = &lines->items[appending->ids[i]];
        moves |= line->touched && !line->deleted;
    }
    if (moves)
        kifu__plan_nothing(plan, plan->written);
    for (uint32_t i = 0; i < appending->count && moves && !appending->anew; i++) { // It may be gone.
        const kifu__line *line = &lines->items[appending->ids[i]];
        if (line->file_keeps && !line->deleted)
            add_line(appending, appending->ids[i], KIFU__LEFT_LINE | KIFU__UNDONE_LINE, 0);
    }
    for (uint32_t i = 0; i < appending->count && moves && !plan->result; i++) {
        if (!lines->items[appending->ids[i]].deleted)
            add_changes(appending, appending->ids[i]);
    }
    if (moves)
        say_current(appending);
    for (uint32_t i = 0; i < appending->count && !plan->result; i++) {
        const kifu__line *line = &lines->items[appending->ids[i]];
        if (line->deleted && is_in_file(appending, line))
            add_line(appending, appending->ids[i], KIFU__DELETED_LINE, 0);
        else if (moves && !line->deleted && appending->ids[i] != lines->current)
            add_kept(appending, appending->ids[i]);
    }
}

static void remember(kifu__lines *lines, bool anew)
{
    for (uint32_t id = 0; id < lines->count && anew; id++)
        kifu__line_touch(lines, id);
    kifu__line_touch(lines, lines->current);
    while (lines->touched) {
        kifu__line *line = &lines->items[lines->touched - 1];
        lines->touched = line->next_touched;
        line->touched = line->file_keeps = false;
        line->in_file = !line->deleted;
        if (line->deleted)
            continue;
        const uint32_t at = kifu__line_at(lines, (uint32_t)(line - lines->items));
        for (kifu__kept *kept = line->branch->kept; kept && kept->executed > at; kept = kept->next)
            kept->said = line->file_keeps = true;
        line->file_end = kifu__line_end(line);
    }
    lines->given_up = false;
    lines->file_line = lines->current;
    lines->file_main = lines->main;
}

void kifu__append_lines(kifu__plan *plan, kifu__lines *lines, kifu__saving what)
{
    kifu_timeline *timeline = plan->timeline;
    appending appending = {.plan = plan, .lines = lines, .anew = !plan->written->begun, .at = KIFU_NONE};
    if (what == KIFU__LOG_WRITTEN) {
        remember(lines, plan->version != 0);
        return;
    }
    const bool first = appending.anew, alone = lines->count == 1 && !lines->current;
    const kifu__line *current = &lines->items[lines->current];
    const uint32_t main = first ? lines->listed[0] : lines->file_main;
    const bool since = !first && lines->touched && !lines->items[lines->listed[0]].in_file; // They are kept since then.
    plan->anew |=
        !first && (since || lines->given_up || (current->in_file && current->file_end > timeline->log.branch->end));
    if (plan->anew || (first ? alone : !lines->touched && main == lines->main))
        return;
    if (first && timeline->log.begin)
        kifu__plan_root(plan);
    kifu__log_show(&timeline->log);
    if (!first && !lines->touched)
        add_line(&appending, lines->main, KIFU__MAIN_LINE, 0);
    else if (!list_lines(&appending))
        kifu__plan_fail(plan, KIFU_NO_MEMORY);
    else {
        append(&appending);
        const kifu__line *last = &lines->items[lines->count - 1]; // Its number is not given again.
        const bool moved = main != lines->main, gap = last->deleted && (first || (last->touched && !last->in_file));
        if (moved || gap)
            add_line(&appending, lines->main, KIFU__MAIN_LINE, lines->count);
    }
    kifu__free(&timeline->memory, appending.ids);
}
