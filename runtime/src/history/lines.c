// Lines: where each begins, and which one is the current.

#include "history/lines.h"

#include "core/stand.h"
#include "history/hashes.h"

static const kifu__part_table lines_table;

kifu__lines *kifu__lines_of(const kifu_timeline *timeline)
{
    kifu__lines *lines = (kifu__lines *)(void *)kifu__part_of(timeline, &lines_table);
    return lines && lines->count ? lines : NULL; // They could not be kept without memory.
}

kifu__line kifu__line_as_it_is(const kifu_timeline *timeline, uint32_t number)
{
    const kifu__lines *lines = kifu__lines_of(timeline);
    return lines && number < lines->count ? lines->items[number] : (kifu__line){.branch = NULL};
}

void kifu__line_leave_as(const kifu_timeline *timeline, uint32_t number, const kifu__line *was)
{
    kifu__line *line = was->branch ? &kifu__lines_of(timeline)->items[number] : NULL;
    if (!line)
        return;
    line->left = was->left;
    line->tip_hash = was->tip_hash;
    line->tip_sought = was->tip_sought;
}

// --- Beginning a line ------------------------------------------------------------------------------------------------

// Room for so many lines. False without memory, with nothing changed.
static bool reserve_lines(kifu_timeline *timeline, kifu__lines *lines, uint64_t count)
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

kifu__branch *kifu__branch_new(const kifu_timeline *timeline, uint32_t number, kifu__branch *path, uint32_t from)
{
    kifu__branch *branch = (kifu__branch *)kifu__new(&timeline->memory, sizeof *branch);
    if (!branch)
        return NULL;
    *branch = (kifu__branch){.number = number};
    kifu__branch_begin(branch, path, from);
    return branch;
}

// Behind the place, on the current path. False without memory.
static bool add_new_line(kifu_timeline *timeline, kifu__lines *lines)
{
    const uint32_t id = lines->count;
    kifu__branch *branch = reserve_lines(timeline, lines, (uint64_t)id + 1)
                               ? kifu__branch_new(timeline, id, timeline->log.branch, timeline->executed)
                               : NULL;
    if (!branch)
        return false;
    lines->listed[lines->listed_count++] = id;
    lines->items[lines->count++] =
        (kifu__line){.branch = branch, .parent = branch->parent->number, .from = branch->from};
    return true;
}

bool kifu__lines_reach(kifu_timeline *timeline, kifu__lines *lines, uint32_t id)
{
    if (id >= lines->count && !reserve_lines(timeline, lines, (uint64_t)id + 1))
        return false;
    while (lines->count <= id)
        lines->items[lines->count++] = (kifu__line){.branch = NULL};
    return true;
}

void kifu__lines_list(kifu__lines *lines)
{
    lines->listed_count = 0;
    for (uint32_t id = 0; id < lines->count; id++) {
        if (lines->items[id].branch)
            lines->listed[lines->listed_count++] = id;
    }
}

// Links each branch to that of its line's parent, after lines have changed; all lines are listed.
static void link_branches(kifu__lines *lines)
{
    for (uint32_t i = 0; i < lines->listed_count; i++) {
        const kifu__line *line = &lines->items[lines->listed[i]];
        line->branch->number = lines->listed[i];
        line->branch->from = line->from;
        if (line->parent != lines->listed[i]) {
            kifu__branch_link(line->branch, lines->items[line->parent].branch);
            continue;
        }
        line->branch->parent = NULL;
        line->branch->far = line->branch;
        line->branch->depth = 0;
    }
}

void kifu__line_delete(kifu_timeline *timeline, kifu__lines *lines, uint32_t id)
{
    kifu__line *line = &lines->items[id];
    if (!line->branch)
        return;
    kifu__branch_free(timeline, line->branch);
    if (line->branch != &timeline->log.first)
        kifu__free(&timeline->memory, line->branch);
    line->branch = NULL;
}

void kifu__line_lose(kifu_timeline *timeline, kifu__lines *lines, uint32_t id)
{
    const kifu__branch *branch = lines->items[id].branch;
    if (branch && kifu__has_handler(timeline, loses))
        timeline->dispatch->lose(timeline, branch, branch->from);
    kifu__line_delete(timeline, lines, id);
}

// The last one goes, before anything has happened in it.
static void drop_last_line(kifu_timeline *timeline, kifu__lines *lines)
{
    const kifu__line *last = &lines->items[lines->count - 1];
    kifu__line_untouch(lines, lines->count - 1);
    if (last->in_file)
        lines->given_up = lines->count - 1;
    ++timeline->tree.changes;
    lines->count--;
    lines->listed_count--;
    if (lines->linked > lines->count) { // As the last one.
        lines->items[last->parent].child = last->sibling;
        lines->linked = lines->count;
    }
}

// Events lie behind the place: what comes now begins a new line.
static bool branch_lines(kifu_timeline *timeline, kifu__part *part)
{
    kifu__lines *lines = (kifu__lines *)(void *)part;
    const uint32_t left = lines->current;
    const bool is_loaded = kifu__is_stamped(timeline);
    if (timeline->transactions.open || !lines->count) // It leaves no lines, or they could not be kept without memory.
        return kifu__redo_drop(timeline), true;
    if (!add_new_line(timeline, lines))
        return false;
    kifu__enter(timeline, lines->items[lines->count - 1].branch);
    lines->items[left].left = timeline->executed;
    kifu__line_changed(timeline, lines, lines->current);
    lines->before_last = left;
    kifu__line_begun(timeline, lines, true);
    if (kifu__has_handler(timeline, cut))
        timeline->dispatch->cut(timeline);
    if (is_loaded) // A line that begins, or goes before anything has happened in it, is nothing for a log file.
        kifu__stamp_again(timeline);
    return true;
}

// --- Entering a line that is there -----------------------------------------------------------------------------------

// It is left, or entered: what was known of its end need not be so any more.
static void forget_tip(kifu__line *line)
{
    if (!line->unchecked)
        line->tip_hash = 0;
    line->tip_sought = false;
}

// Marks the lines that are left and entered. The way to a hidden branch leaves none.
static void leave(kifu_timeline *timeline, kifu__part *part, const kifu__branch *to)
{
    kifu__lines *lines = (kifu__lines *)(void *)part;
    if (to->number >= KIFU__HIDDEN || to->number == lines->current)
        return;
    ++timeline->tree.changes;
    if (lines->current < lines->count) // A commit that a follower reads may have returned its number.
        kifu__line_touch(lines, lines->current);
    forget_tip(&lines->items[lines->current]);
    forget_tip(&lines->items[to->number]);
    lines->current = to->number;
    kifu__line_begun(timeline, lines, lines->begun);
}

// The game is in a line that it has not compared to its end, or that leads to other states than those in the save.
static void go_on_in(kifu_timeline *timeline, kifu__lines *lines, kifu_result result, uint32_t compared, bool all)
{
    const bool differs = result == KIFU_DIVERGED || result == KIFU_FAILED;
    kifu__line *entered = &lines->items[lines->current];
    entered->tip_hash = 0; // The game goes on in it: its end may be another one then.
    if (!differs && all)   // Without memory, or cancelled: it is compared by redo, or when it is entered again.
        return;
    // What the save said of it is no more about this line, nor about those whose events it has there.
    kifu__forget_hashes(entered->branch, compared);
    for (const kifu__branch *branch = entered->branch; branch->from > compared; branch = branch->parent)
        lines->items[branch->parent->number].tip_hash = 0;
    timeline->tree.hashes++;
    entered->unchecked = entered->unchecked && !differs;
    if (differs && timeline->executed < entered->branch->end) // Else all of it has happened by the rules of today.
        kifu__fault(timeline, result, "%s", timeline->error.message);
}

// The new line goes. In its place `to`, which has its events, is entered, or the line that was left last, if that has
// them, too.
static void enter_instead(kifu_timeline *timeline, kifu__lines *lines, uint32_t to)
{
    const uint32_t fresh = lines->current, from = lines->items[fresh].from, before = lines->before_last;
    const bool is_loaded = timeline->executed == from && kifu__is_stamped(timeline);
    if (lines->items[before].branch &&
        kifu__common(lines->items[before].branch, lines->items[to].branch) >= timeline->executed)
        to = before;
    kifu__line *entered = &lines->items[to];
    const kifu_error error = timeline->error;
    uint32_t compared = from;
    bool all = true;
    kifu_result result = timeline->due.compare ? kifu__line_agrees(timeline, lines, to, &compared, &all) : KIFU_OK;
    entered->unchecked = entered->unchecked || !all;
    kifu__enter(timeline, entered->branch);
    for (kifu__part *part = timeline->parts; part; part = part->next) {
        if (part->table->merges)
            part->table->merges(timeline, part, fresh, to);
    }
    kifu__line_delete(timeline, lines, fresh);
    drop_last_line(timeline, lines);
    if (lines->main == lines->count)
        lines->main = lines->current;
    if (!result)
        result = kifu__line_check(timeline, lines, to, all ? KIFU_NONE : compared, &compared);
    if (!result && !all && timeline->options.reset) // What was played cannot be compared.
        result = KIFU_CANCELLED;
    if (result)
        go_on_in(timeline, lines, result, compared, all);
    timeline->error = error;
    for (uint32_t place = from + 1; place <= timeline->executed; place++)
        kifu__drop_kept(timeline, place); // What waits now goes on waiting.
    kifu__find_due(timeline);
    kifu__changed(timeline);
    if (is_loaded)
        kifu__stamp_again(timeline);
}

// Something was played in a line that is not the main one, where that makes it so.
static void promote_played(kifu_timeline *timeline, kifu__lines *lines)
{
    if (lines->unplayed >= lines->items[lines->current].branch->end)
        return;
    lines->main = lines->current;
    kifu__line_begun(timeline, lines, lines->begun);
}

// The events that follow from the input with which a new line begins have happened.
static void settle_lines(kifu_timeline *timeline, kifu__part *part)
{
    kifu__lines *lines = (kifu__lines *)(void *)part;
    if (timeline->transactions.open || timeline->core.tries || timeline->past.shown ||
        timeline->core.phase != KIFU__IDLE)
        return;
    promote_played(timeline, lines);
    if (!lines->begun || timeline->consequences.count)
        return;
    kifu__line_begun(timeline, lines, false);
    const kifu__line *fresh = &lines->items[lines->current];
    uint32_t same = KIFU_NONE;
    // Else it was undone, or left, before it was all there; or all before it was forgotten.
    if (!kifu__has_redo(timeline) && lines->current + 1 == lines->count && fresh->parent != lines->current)
        same = timeline->executed == fresh->from ? lines->before_last // The event failed.
                                                 : kifu__line_same(timeline, lines);
    if (same != KIFU_NONE)
        enter_instead(timeline, lines, same);
}

// --- Forgetting the past ---------------------------------------------------------------------------------------------

// The line of a line's path that has the root.
static uint32_t line_at_root(const kifu__lines *lines, uint32_t id, uint32_t root)
{
    return kifu__owner(lines->items[id].branch, root, NULL)->number;
}

// The line of which the root is a part becomes the first one: its number stays, and it is its own parent. Those that
// branch off before are deleted, and so is the rest of those from which it branched off itself. Not refused: the rest
// of an ancestor of the current line cannot be deleted by a call, so a refusal could never be lifted.
static void forget_lines(kifu_timeline *timeline, kifu__part *part, uint32_t root)
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
    const uint32_t before = lines->listed_count;
    kifu__lines_list(lines);
    timeline->tree.changes += lines->listed_count < before;
    if (lines->items[first].from < root) {
        if (first == lines->current)
            kifu__line_begun(timeline, lines, false);
        lines->items[first].from = root;
    }
    lines->items[first].parent = first;
    link_branches(lines);
}

// --- The part --------------------------------------------------------------------------------------------------------

static void free_lines(kifu_timeline *timeline, kifu__part *part)
{
    kifu__lines *lines = (kifu__lines *)(void *)part;
    for (uint32_t i = 0; i < lines->count; i++)
        kifu__line_delete(timeline, lines, i);
    kifu__free(&timeline->memory, lines->items);
    kifu__free(&timeline->memory, lines->listed);
    kifu__free(&timeline->memory, lines->buckets);
}

static void lines_exchanged(kifu_timeline *timeline, kifu__part *part, const kifu__branch *was)
{
    kifu__lines *lines = (kifu__lines *)(void *)part;
    for (uint32_t i = 0; i < lines->count; i++) {
        kifu__line *line = &lines->items[i];
        if (line->branch == was)
            line->branch = &timeline->log.first;
        if (line->branch)
            line->branch->followed = line->branch->end;
    }
    link_branches(lines);
}

static const kifu__part_table lines_table = {
    .size = sizeof(kifu__lines),
    .order = KIFU__LINES,
    .forgets = forget_lines,
    .branches = branch_lines,
    .settles = settle_lines,
    .freed = free_lines,
    .leaves = leave,
    .exchanged = lines_exchanged,
};

kifu_result kifu__lines_begin(kifu_timeline *timeline, const kifu__part_table *saved)
{
    kifu__lines *lines = (kifu__lines *)(void *)kifu__attach(timeline, &lines_table);
    if (lines && lines->count)
        return KIFU_OK;
    if (!lines || !reserve_lines(timeline, lines, 1) || (saved && !kifu__attach(timeline, saved)))
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for variations");
    lines->items[lines->count++] = (kifu__line){.branch = &timeline->log.first, .from = timeline->log.begin};
    lines->listed[lines->listed_count++] = 0;
    lines->given_up = KIFU_NONE;
    lines->draw = kifu__lines_draw;
    return KIFU_OK;
}

void kifu__lines_end(kifu_timeline *timeline, const kifu__part_table *saved)
{
    for (kifu__part **at = &timeline->parts, *part; (part = *at) != NULL;) {
        if (part->table != &lines_table && part->table != saved) {
            at = &part->next;
            continue;
        }
        *at = part->next;
        if (part->table == &lines_table) {
            kifu__lines *lines = (kifu__lines *)(void *)part;
            if (lines->count)
                lines->items[0].branch = NULL; // Its events stay.
            free_lines(timeline, part);
        }
        kifu__free(&timeline->memory, part);
    }
    timeline->handlers &= ~(KIFU__HANDLER(branches) | KIFU__HANDLER(settles)); // No other part has these.
    kifu__changed(timeline);
}
