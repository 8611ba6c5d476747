// Lines, for a follower: how they were before a commit, and what it makes of them.

#include "history/lines.h"
#include "save/reversal.h"
#include "save/saved.h"

// --- One line --------------------------------------------------------------------------------------------------------

// How a line was, for a follower.
typedef struct line_before {
    kifu__before before;
    uint32_t id;
    kifu__line line;
} line_before;

static void bring_line_back(kifu_timeline *timeline, kifu__before *before)
{
    const line_before *was = (const line_before *)(void *)before;
    kifu__lines *lines = kifu__lines_of(timeline);
    kifu__line *line = &lines->items[was->id];
    if (line->branch && line->branch != was->line.branch)
        kifu__line_lose(timeline, lines, was->id);
    if (was->line.branch && was->line.branch->number != was->id) { // It was aside.
        kifu__move_notes(timeline, was->line.branch->number, 0, was->id);
        was->line.branch->number = was->id;
        if (was->line.parent != was->id)
            kifu__branch_link(was->line.branch, lines->items[was->line.parent].branch);
    }
    const bool touched = line->touched;
    const uint32_t next = line->next_touched, back = line->touched_next;
    *line = was->line;
    line->touched = touched;
    line->next_touched = next;
    line->touched_next = back;
}

static void drop_followed_line(kifu_timeline *timeline, kifu__before *before)
{
    const line_before *was = (const line_before *)(void *)before;
    kifu__lines *lines = kifu__lines_of(timeline);
    kifu__branch *branch = was->line.branch;
    if (was->id < lines->count)
        lines->items[was->id].kept = false;
    if (!branch || branch->number == was->id)
        return;
    if (kifu__has_handler(timeline, loses))
        timeline->dispatch->lose(timeline, branch, branch->from);
    kifu__branch_free(timeline, branch);
    if (branch != &timeline->log.first)
        kifu__free(&timeline->memory, branch);
}

bool kifu__keep_line(kifu__commits *commits, kifu__lines *lines, uint32_t id)
{
    kifu__line *line = &lines->items[id];
    if (line->kept)
        return true;
    line_before *was = (line_before *)(void *)commits->back->calls->remember(commits->back, sizeof *was);
    if (!was)
        return false;
    was->id = id;
    was->line = *line;
    was->before.bring_back = bring_line_back;
    was->before.drop = drop_followed_line;
    line->kept = true;
    kifu__line_touch(lines, id);
    return true;
}

void kifu__enlist_line(const kifu__commits *commits, kifu__lines *lines, uint32_t id)
{
    lines->items[id].unchecked = lines->items[id].comparable = true;
    commits->back->lines |= id + 1 < lines->count;
    if (!commits->back->lines) // Else all are listed anew: the list may have this number already.
        lines->listed[lines->listed_count++] = id;
}

void kifu__forget_touched(kifu__lines *lines, uint32_t id, uint32_t first)
{
    if (lines->items[id].in_file && first < lines->given_up)
        lines->given_up = first;
    kifu__line_untouch(lines, id);
}

// --- All of them -----------------------------------------------------------------------------------------------------

// The lines as a whole, before a commit.
typedef struct lines_before {
    kifu__before before;
    kifu__lines lines;
} lines_before;

static void forget_index(kifu_timeline *timeline, kifu__lines *lines)
{
    kifu__free(&timeline->memory, lines->buckets);
    lines->buckets = NULL;
    lines->bucket_count = lines->indexed = lines->linked = 0;
    kifu__lines_list(lines);
}

static void bring_lines_back(kifu_timeline *timeline, kifu__before *before)
{
    const lines_before *was = (const lines_before *)(void *)before;
    kifu__lines *lines = kifu__lines_of(timeline);
    while (lines->count > was->lines.count)
        kifu__forget_touched(lines, --lines->count, was->lines.count);
    lines->count = was->lines.count;
    lines->current = was->lines.current;
    lines->before_last = was->lines.before_last;
    lines->main = was->lines.main;
    kifu__line_begun(timeline, lines, was->lines.begun);
    lines->unplayed = was->lines.unplayed; // The branches may come back after this.
    forget_index(timeline, lines);
}

// How many lines begin at others, and where.
static bool count_forks(kifu__commits *commits, kifu__lines *lines)
{
    if (!kifu__reach_line(commits, lines, lines->count - 1))
        return false;
    for (uint32_t id = 0; id < lines->count; id++)
        commits->forks[id] = (kifu__forks){.count = 0};
    commits->heap_count = 0;
    for (uint32_t id = 0; id < lines->count; id++) {
        if (lines->items[id].branch && lines->items[id].parent != id)
            kifu__add_fork(commits, lines, id);
    }
    commits->find_last_fork = kifu__find_last_fork;
    return true;
}

bool kifu__follow_lines(kifu__commits *commits)
{
    kifu_timeline *timeline = commits->reader->timeline;
    kifu__lines *lines = kifu__lines_of(timeline);
    lines_before *was = (lines_before *)(void *)commits->back->calls->remember(commits->back, sizeof *was);
    if (!was || (!commits->fork_count && !count_forks(commits, lines)))
        return false;
    was->lines = *lines;
    was->before.bring_back = bring_lines_back;
    return true;
}

// What was known of a line's end need not be so any more, and a log file has something else of it.
static void change_line(kifu__lines *lines, const kifu__branch *branch)
{
    if (branch->number >= lines->count || lines->items[branch->number].branch != branch)
        return;
    lines->items[branch->number].tip_hash = 0;
    lines->items[branch->number].tip_sought = false;
    kifu__line_touch(lines, branch->number);
}

void kifu__lines_followed(const kifu__commits *commits)
{
    kifu_timeline *timeline = commits->reader->timeline;
    kifu__lines *lines = kifu__lines_of(timeline);
    for (const kifu__before *before = commits->back->first; before; before = before->next) {
        if (before->branch)
            change_line(lines, before->branch);
    }
    if (commits->back->lines)
        forget_index(timeline, lines);
    lines->current = timeline->log.branch->number;
    lines->items[lines->current].unchecked = false;
    while (!lines->items[lines->main].branch && lines->main)
        lines->main = lines->items[lines->main].parent;
    kifu__settle_read_lines(commits, lines);
    kifu__line_touch(lines, lines->current);
    timeline->tree.changes++;
}
