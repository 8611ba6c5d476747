// Lines, for a follower: how they were before a commit, and what it makes of them.

#include "history/lines.h"
#include "save/reversal.h"
#include "save/saved.h"

// --- One line --------------------------------------------------------------------------------------------------------

// How a line was, for a follower. There may be another one from before the commit, if this is of when it went: lines
// go before those from which they branch off, and come back after them.
typedef struct line_before {
    kifu__before before;
    uint32_t id;
    bool went; // Its branch is aside.
    kifu__line line;
} line_before;

static void bring_line_back(kifu_timeline *timeline, kifu__before *before)
{
    const line_before *was = (const line_before *)(void *)before;
    kifu__lines *lines = kifu__lines_of(timeline);
    kifu__line *line = &lines->items[was->id];
    if (line->branch && line->branch != was->line.branch)
        kifu__line_lose(timeline, lines, was->id);
    if (was->went) {
        kifu__move_notes(timeline, was->line.branch->number, 0, was->id);
        was->line.branch->number = was->id;
        if (was->line.parent != was->id)
            kifu__branch_link(was->line.branch, lines->items[was->line.parent].branch);
    }
    const uint32_t next = line->next_touched, back = line->touched_next;
    *line = was->line;
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
    if (!was->went)
        return;
    if (kifu__has_handler(timeline, loses))
        timeline->dispatch->lose(timeline, branch, branch->from);
    kifu__branch_free(timeline, branch);
    if (branch != &timeline->log.first)
        kifu__free(&timeline->memory, branch);
}

bool kifu__keep_line(kifu__commits *commits, kifu__lines *lines, uint32_t id, bool goes)
{
    kifu__line *line = &lines->items[id];
    if (line->kept && !goes)
        return true;
    line_before *was = (line_before *)(void *)commits->back->calls->remember(commits->back, sizeof *was);
    if (!was)
        return false;
    was->id = id;
    was->went = goes;
    was->line = *line;
    was->before.bring_back = bring_line_back;
    was->before.drop = drop_followed_line;
    line->kept = true;
    kifu__line_touch(lines, id);
    return true;
}

// The stream of a follower says that numbers from `first` on are returned, of those that it has said. This is one.
static void forget_touched(kifu__lines *lines, uint32_t id, uint32_t first)
{
    if (lines->items[id].in_file && first < lines->given_up)
        lines->given_up = first;
    kifu__line_untouch(lines, id);
}

// --- All of them -----------------------------------------------------------------------------------------------------

// The lines as a whole, before a commit. Those with numbers from `first` on, below `end`, may have gone, or begun anew;
// 0: none has.
typedef struct lines_before {
    kifu__before before;
    kifu__lines lines;
    uint32_t first, end;
} lines_before;

void kifu__relist_line(const kifu__commits *commits, uint32_t id)
{
    lines_before *was = (lines_before *)(void *)commits->back->lines;
    if (id >= was->lines.count)
        return;
    was->first = was->end && was->first < id ? was->first : id;
    was->end = was->end > id ? was->end : id + 1;
}

// The lines of these numbers are listed as they are now.
static void list_again(kifu__lines *lines, uint32_t first, uint32_t end)
{
    uint32_t *listed = lines->listed, count = 0;
    const uint32_t low = first ? kifu__count_up_to(listed, sizeof *listed, lines->listed_count, first - 1) : 0,
                   high = end ? kifu__count_up_to(listed, sizeof *listed, lines->listed_count, end - 1) : low;
    end = end < lines->count ? end : lines->count;
    for (uint32_t id = first; id < end; id++)
        count += lines->items[id].branch != NULL;
    if (low + count != high)
        memmove(&listed[low + count], &listed[high], (lines->listed_count - high) * sizeof *listed);
    lines->listed_count += low + count - high;
    for (uint32_t id = first, at = low; id < end; id++) {
        if (lines->items[id].branch)
            listed[at++] = id;
    }
}

static void relist_changed(kifu__lines *lines, const lines_before *was)
{
    list_again(lines, was->first, was->end);
    list_again(lines, was->lines.count, KIFU_NONE);
}

static void bring_lines_back(kifu_timeline *timeline, kifu__before *before)
{
    const lines_before *was = (const lines_before *)(void *)before;
    kifu__lines *lines = kifu__lines_of(timeline);
    while (lines->count > was->lines.count)
        forget_touched(lines, --lines->count, was->lines.count);
    lines->count = was->lines.count;
    lines->current = was->lines.current;
    lines->before_last = was->lines.before_last;
    lines->main = was->lines.main;
    kifu__line_begun(timeline, lines, was->lines.begun);
    lines->unplayed = was->lines.unplayed; // The branches may come back after this.
    relist_changed(lines, was);
}

// The index and the links of lines, from when these numbers were those of others.
static void forget_index(kifu_timeline *timeline, kifu__lines *lines, uint32_t first)
{
    if (first >= lines->indexed && first >= lines->linked)
        return;
    kifu__free(&timeline->memory, lines->buckets);
    lines->buckets = NULL;
    lines->bucket_count = lines->indexed = lines->linked = 0;
}

void kifu__enlist_line(const kifu__commits *commits, kifu__lines *lines, uint32_t id)
{
    lines->items[id].unchecked = lines->items[id].comparable = true;
    kifu__relist_line(commits, id);
    forget_index(commits->reader->timeline, lines, id);
}

void kifu__return_line(const kifu__commits *commits, kifu__lines *lines, uint32_t id, uint32_t first)
{
    forget_touched(lines, id, first);
    forget_index(commits->reader->timeline, lines, id);
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
    commits->back->lines = &was->before;
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

// The game may stand yet where a line has gone.
void kifu__lines_were_read(const kifu__commits *commits)
{
    kifu__lines *lines = kifu__lines_of(commits->reader->timeline);
    relist_changed(lines, (const lines_before *)(void *)commits->back->lines);
    while (!lines->items[lines->main].branch && lines->main)
        lines->main = lines->items[lines->main].parent;
    if (!lines->items[lines->main].branch)
        lines->main = lines->listed[0];
    if (!lines->items[lines->current].branch)
        lines->current = lines->listed[0];
}

void kifu__lines_followed(const kifu__commits *commits)
{
    kifu_timeline *timeline = commits->reader->timeline;
    kifu__lines *lines = kifu__lines_of(timeline);
    for (const kifu__before *before = commits->back->first; before; before = before->next) {
        if (before->branch)
            change_line(lines, before->branch);
    }
    lines->current = timeline->log.branch->number;
    lines->items[lines->current].unchecked = false;
    kifu__settle_read_lines(commits, lines);
    kifu__line_touch(lines, lines->current);
    timeline->tree.changes++;
}
