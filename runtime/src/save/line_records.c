// Lines, as records of a log file: those that have changed since the last commit, by number, so that each comes behind
// the one from which it branches off.

#include <stdlib.h>

#include "save/line_frames.h"

kifu__branch *kifu__line_branch(const kifu_timeline *timeline, uint32_t number)
{
    const kifu__lines *lines = kifu__lines_of(timeline);
    if (!lines) // They could not be kept without memory.
        return number == timeline->log.branch->number ? timeline->log.branch : NULL;
    return number < lines->count && !lines->items[number].deleted ? lines->items[number].branch : NULL;
}

// A file that was begun before the game kept lines has line 0.
static bool is_in_file(const kifu__commit *commit, const kifu__line *line)
{
    return commit->stream->begun && (line->in_file || (line->branch && line->branch->file_end != KIFU_NONE));
}

static int by_number(const void *a, const void *b)
{
    const uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    return (one > other) - (one < other);
}

// Those that have changed, and the current one; all in a new file. Ascending. NULL without memory.
static uint32_t *list_lines(kifu__commit *commit, const kifu__lines *lines, uint32_t *count)
{
    const kifu__memory *memory = &commit->plan->timeline->memory;
    const bool anew = !commit->stream->begun;
    *count = anew ? lines->listed_count : 1;
    for (uint32_t at = lines->touched; at && !anew; at = lines->items[at - 1].next_touched)
        ++*count;
    uint32_t *ids = (uint32_t *)kifu__new(memory, *count * sizeof *ids);
    if (!ids) {
        kifu__plan_fail(commit->plan, KIFU_NO_MEMORY);
        return NULL;
    }
    if (anew) {
        memcpy(ids, lines->listed, *count * sizeof *ids);
        return ids;
    }
    *count = 0;
    if (!lines->items[lines->current].touched)
        ids[(*count)++] = lines->current;
    for (uint32_t at = lines->touched; at; at = lines->items[at - 1].next_touched)
        ids[(*count)++] = at - 1;
    qsort(ids, *count, sizeof *ids, by_number);
    return ids;
}

static void add_branch(kifu__commit *commit, const kifu__line *line, uint32_t id)
{
    const uint32_t numbers[] = {id, line->parent, line->from};
    kifu__add_record(commit, KIFU__BRANCH, 3, numbers);
    commit->line = id;
    commit->count = line->from;
    commit->stream->next = id + 1;
}

static void add_lines(kifu__commit *commit, const kifu__lines *lines)
{
    uint32_t count;
    uint32_t *ids = list_lines(commit, lines, &count);
    if (!commit->stream->begun)
        commit->stream->next = 1;
    if (commit->stream->begun && lines->given_up < commit->stream->next) {
        kifu__add_record(commit, KIFU__RETURNED, 1, &lines->given_up);
        commit->stream->next = lines->given_up;
        commit->line = KIFU_NONE; // The reader may have stood there.
    }
    for (uint32_t i = ids ? count : 0; i-- > 0;) {
        const kifu__line *line = &lines->items[ids[i]];
        if (!line->deleted || !is_in_file(commit, line))
            continue;
        kifu__add_record(commit, KIFU__DELETED, 1, &ids[i]);
        commit->line = KIFU_NONE;
    }
    for (uint32_t i = 0; ids && i < count && !commit->plan->result; i++) {
        const kifu__line *line = &lines->items[ids[i]];
        const bool first = line->parent == ids[i] && !ids[i];
        if (line->deleted)
            continue;
        if (!is_in_file(commit, line) && !first)
            add_branch(commit, line, ids[i]);
        kifu__commit_events(commit, line->branch);
    }
    kifu__free(&commit->plan->timeline->memory, ids);
}

static void add_left(kifu__commit *commit, const kifu__lines *lines, uint32_t id)
{
    const kifu__line *line = &lines->items[id];
    const uint32_t left[] = {id, line->left};
    const uint32_t known = commit->stream->begun && line->in_file ? line->file_left : 0;
    if (!line->deleted && id != lines->current && line->left != known)
        kifu__add_record(commit, KIFU__LEFT, 2, left);
}

static void add_tree(kifu__commit *commit, const kifu__lines *lines)
{
    kifu__stream *stream = commit->stream;
    const bool anew = !stream->begun;
    const uint32_t tree[] = {lines->main, lines->count};
    for (uint32_t i = 0; i < lines->listed_count && anew && !commit->plan->result; i++) {
        add_left(commit, lines, lines->listed[i]);
        kifu__commit_all_kept(commit, lines->items[lines->listed[i]].branch);
    }
    for (uint32_t at = lines->touched; at && !anew; at = lines->items[at - 1].next_touched)
        add_left(commit, lines, at - 1);
    if (anew ? lines->main != lines->listed[0] || stream->next != lines->count
             : lines->main != stream->main || stream->next != lines->count)
        kifu__add_record(commit, KIFU__TREE, 2, tree);
    stream->main = lines->main;
    stream->next = lines->count;
    const bool changed = commit->any, beginning = kifu__hears(commit->plan->timeline, settles);
    if (beginning)
        kifu__add_record(commit, KIFU__BEGUN, 1, &lines->before_last);
    commit->any = changed || beginning != stream->beginning;
    stream->beginning = beginning;
}

// The file has what there is.
static void remember(kifu__lines *lines, bool anew)
{
    for (uint32_t id = 0; id < lines->count && anew; id++)
        kifu__line_touch(lines, id);
    kifu__line_touch(lines, lines->current);
    while (lines->touched) {
        kifu__line *line = &lines->items[lines->touched - 1];
        lines->touched = line->next_touched;
        line->touched = false;
        line->in_file = !line->deleted;
        line->file_left = line == &lines->items[lines->current] ? KIFU_NONE : line->left; // It was not said.
        if (line->branch)
            kifu__branch_is_said(line->branch);
    }
    lines->given_up = KIFU_NONE;
    lines->anew = false;
}

void kifu__commit_lines(kifu__plan *plan, kifu__lines *lines, kifu__saving what)
{
    plan->anew |= lines->anew && plan->commit && plan->commit->stream->begun;
    if (what == KIFU__LOG_WRITTEN) {
        remember(lines, plan->version != 0);
        return;
    }
    if (what == KIFU__LOG_LINES && !plan->anew) {
        add_lines(plan->commit, lines);
        plan->commit->lines = true;
    } else if (what == KIFU__LOG_APPEND && !plan->anew)
        add_tree(plan->commit, lines);
}
