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

// --- Writing ---------------------------------------------------------------------------------------------------------

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

// --- Reading ---------------------------------------------------------------------------------------------------------

static bool is_line(const kifu__lines *lines, uint32_t id)
{
    return id < lines->count && !lines->items[id].deleted;
}

// False without memory.
static bool reach(kifu__commits *commits, kifu__lines *lines, uint32_t id)
{
    kifu_timeline *timeline = commits->reader->timeline;
    kifu__forks *forks = (kifu__forks *)kifu__grow(&timeline->memory, commits->forks, &commits->fork_capacity,
                                                   (uint64_t)id + 1, sizeof *forks);
    if (!forks || !kifu__lines_reach(timeline, lines, id))
        return false;
    commits->forks = forks;
    while (commits->fork_count <= id)
        forks[commits->fork_count++] = (kifu__forks){.count = 0};
    return true;
}

// The first line has another number than 0.
static void renumber(kifu_timeline *timeline, kifu__lines *lines, uint32_t id)
{
    lines->items[id] = lines->items[0];
    lines->items[id].parent = id;
    lines->items[id].from = timeline->log.begin;
    lines->items[id].deleted = false;
    lines->items[id].branch->number = id;
    lines->items[0] = (kifu__line){.deleted = true};
    lines->current = lines->main = id;
}

static uint32_t last_fork(kifu__commits *commits, uint32_t line)
{
    const kifu__lines *lines = kifu__lines_of(commits->reader->timeline);
    uint32_t most = 0;
    for (uint32_t id = line + 1; id < lines->count; id++) {
        const kifu__line *other = &lines->items[id];
        if (!other->deleted && other->parent == line && other->from > most)
            most = other->from;
    }
    return most;
}

static kifu_result begin_line(kifu__commits *commits, kifu__lines *lines, uint32_t id, uint32_t parent, uint32_t from)
{
    kifu__reader *reader = commits->reader;
    kifu_timeline *timeline = reader->timeline;
    const kifu__line *above = is_line(lines, parent) ? &lines->items[parent] : NULL;
    const bool first = id == parent && lines->count == 1 && timeline->log.first.end == timeline->log.begin &&
                       from == timeline->log.begin;
    const bool behind = above && (from > above->from || (from == above->from && above->parent == parent));
    if (id >= KIFU__HIDDEN || is_line(lines, id) || (!first && (id < parent || !behind || from > above->branch->end)))
        return kifu__bad_record(commits, "branches off from events that are not there");
    kifu__branch *branch = NULL;
    if (!reach(commits, lines, id) || (!first && !(branch = kifu__branch_new(timeline, id, from))))
        return kifu__not_loaded(reader->error, commits->frame->offset, KIFU_NO_MEMORY);
    commits->line = id;
    commits->count = from;
    commits->forks[id] = (kifu__forks){.count = 0};
    commits->last_fork = last_fork;
    if (first) {
        renumber(timeline, lines, id);
        commits->branch = &timeline->log.first;
        return KIFU_OK;
    }
    kifu__branch_begin(branch, lines->items[parent].branch, from);
    lines->items[id] = (kifu__line){.branch = branch, .parent = parent, .from = from};
    kifu__forks *forks = &commits->forks[parent];
    forks->most = forks->count++ && forks->most > from ? forks->most : from;
    commits->branch = branch;
    return KIFU_OK;
}

static kifu_result end_of(kifu__commits *commits, kifu__lines *lines, uint32_t id)
{
    kifu_timeline *timeline = commits->reader->timeline;
    if (!is_line(lines, id) || lines->items[id].parent == id || (id < commits->fork_count && commits->forks[id].count))
        return kifu__bad_record(commits, "deletes a line that is not there, or from which another one branches off");
    if (lines->items[id].branch == commits->branch)
        commits->branch = NULL;
    if (commits->game == id)
        commits->game = KIFU_NONE;
    kifu__read_into(commits, &timeline->log.first);
    commits->forks[lines->items[id].parent].count--;
    kifu__line_lose(timeline, lines, id);
    return KIFU_OK;
}

static kifu_result return_lines(kifu__commits *commits, kifu__lines *lines, uint32_t first)
{
    kifu_result result = KIFU_OK;
    if (!first || first > lines->count)
        return kifu__bad_record(commits, "returns a number that was not given");
    while (lines->count > first && !result) {
        if (!lines->items[lines->count - 1].deleted)
            result = end_of(commits, lines, lines->count - 1);
        lines->count -= !result;
    }
    return result;
}

kifu_result kifu__line_record(kifu__commits *commits, kifu__part *part, kifu__bytes *body, bool *taken)
{
    (void)part;
    kifu_timeline *timeline = commits->reader->timeline;
    kifu__lines *lines = kifu__lines_of(timeline);
    if (commits->kind < KIFU__BRANCH || commits->kind > KIFU__BEGUN)
        return KIFU_OK;
    *taken = true;
    const uint32_t id = kifu__take_number(body), other = body->at < body->end ? kifu__take_number(body) : 0;
    const uint32_t from = commits->kind == KIFU__BRANCH ? kifu__take_number(body) : 0;
    if (!body->good)
        return KIFU_OK;
    switch (commits->kind) {
    case KIFU__BRANCH:
        return begin_line(commits, lines, id, other, from);
    case KIFU__RETURNED:
        return return_lines(commits, lines, id);
    case KIFU__DELETED:
        return end_of(commits, lines, id);
    case KIFU__LEFT:
        if (!is_line(lines, id) || other > lines->items[id].branch->end)
            return kifu__bad_record(commits, "is of events that are not there");
        lines->items[id].left = other;
        return KIFU_OK;
    case KIFU__TREE:
        if (!is_line(lines, id) || other < lines->count || other >= KIFU__HIDDEN)
            return kifu__bad_record(commits, "names a line that is not there");
        lines->main = id;
        return reach(commits, lines, other - 1)
                   ? KIFU_OK
                   : kifu__not_loaded(commits->reader->error, commits->frame->offset, KIFU_NO_MEMORY);
    default:
        commits->beginning = true;
        commits->before_last = id;
        return KIFU_OK;
    }
}

// Nothing of it was executed: its hashes are compared when it is entered.
static void end_line(const kifu__reader *reader, kifu__lines *lines, uint32_t id)
{
    kifu__line *line = &lines->items[id];
    line->unchecked = id != lines->current;
    line->comparable = reader->comparable && !reader->allows;
    line->fingerprint = reader->header->fingerprint;
    line->rules_version = reader->header->rules_version;
    if (!line->comparable)
        line->branch->checkpoint_count = kifu__checkpoints_up_to(line->branch, kifu__line_at(lines, id));
}

void kifu__end_line_records(kifu__reader *reader)
{
    kifu_timeline *timeline = reader->timeline;
    const kifu__commits *commits = &reader->commits;
    kifu__lines *lines = kifu__lines_of(timeline);
    lines->current = commits->line;
    lines->entered = timeline->log.branch->end;
    for (uint32_t id = 0; id < lines->count; id++) {
        if (!lines->items[id].deleted)
            end_line(reader, lines, id);
    }
    while (lines->items[lines->main].deleted && lines->main)
        lines->main = lines->items[lines->main].parent;
    kifu__lines_list(lines);
    lines->before_last = lines->items[lines->current].parent;
    if (!commits->beginning || lines->current + 1 != lines->count)
        return;
    if (is_line(lines, commits->before_last) && commits->before_last != lines->current)
        lines->before_last = commits->before_last;
    kifu__line_begun(timeline);
}
