// Lines, as records, by number, so that each comes behind the one from which it branches off. In a log file, those that
// have changed since the last commit.
//
// A save has the hash at a line's end, for which it executes at most 4,096 events of each line, once; without it a
// reader has the hashes along the line.

#include <stdlib.h>

#include "core/go.h"
#include "history/lines.h"
#include "save/saved.h"
#include "save/write_commit.h"

kifu__branch *kifu__line_branch(const kifu_timeline *timeline, uint32_t number)
{
    const kifu__lines *lines = kifu__lines_of(timeline);
    return number < lines->count ? lines->items[number].branch : NULL;
}

// A file that was begun before the game kept lines has line 0.
static bool is_in_file(const kifu__commit *commit, const kifu__line *line)
{
    return commit->stream->begun && (line->in_file || (line->branch && line->branch->file_end != KIFU_NONE));
}

// Those that have changed, and the current one. Ascending. NULL without memory.
static uint32_t *list_changed(kifu__commit *commit, const kifu__lines *lines, uint32_t *count)
{
    *count = 1;
    for (uint32_t at = lines->touched; at; at = lines->items[at - 1].next_touched)
        ++*count;
    uint32_t *ids = (uint32_t *)kifu__new(&commit->plan->timeline->memory, *count * sizeof *ids);
    *count = 0;
    if (!ids) {
        kifu__plan_fail(commit->plan, KIFU_NO_MEMORY);
        return NULL;
    }
    if (!lines->items[lines->current].touched)
        ids[(*count)++] = lines->current;
    for (uint32_t at = lines->touched; at; at = lines->items[at - 1].next_touched)
        ids[(*count)++] = at - 1;
    qsort(ids, *count, sizeof *ids, kifu__by_number);
    return ids;
}

// All of them in a new file.
static void add_lines(kifu__commit *commit, const kifu__lines *lines)
{
    const bool begun = commit->stream->begun;
    uint32_t count = lines->listed_count;
    uint32_t *changed = begun ? list_changed(commit, lines, &count) : NULL;
    const uint32_t *ids = begun ? changed : lines->listed;
    if (!begun)
        commit->stream->next = 1;
    else if (lines->given_up < commit->stream->next) {
        kifu__add_record(commit, KIFU__RETURNED, 1, &lines->given_up);
        commit->stream->next = lines->given_up;
        commit->line = KIFU_NONE; // The reader may have stood there.
    }
    for (uint32_t i = count; i-- > 0;) {
        const kifu__line *line = &lines->items[ids[i]];
        if (line->branch || !is_in_file(commit, line))
            continue;
        kifu__add_record(commit, KIFU__DELETED, 1, &ids[i]);
        commit->line = KIFU_NONE;
    }
    for (uint32_t i = 0; i < count && !commit->plan->result; i++) {
        const kifu__line *line = &lines->items[ids[i]];
        const bool first = line->parent == ids[i] && !ids[i];
        if (!line->branch)
            continue;
        if (!is_in_file(commit, line) && !first)
            kifu__commit_branch(commit, ids[i], line->parent, line->from);
        kifu__commit_events(commit, line->branch);
    }
    kifu__free(&commit->plan->timeline->memory, changed);
}

static void add_left(kifu__commit *commit, const kifu__lines *lines, uint32_t id)
{
    const kifu__line *line = &lines->items[id];
    const uint32_t left[] = {id, line->left};
    const uint32_t known = commit->stream->begun && line->in_file ? line->file_left : 0;
    if (line->branch && id != lines->current && line->left != known)
        kifu__add_record(commit, KIFU__LEFT, 2, left);
}

// The main line, the number of the next one, and whether the last one has only begun.
static void add_end(kifu__commit *commit, const kifu__lines *lines)
{
    kifu__stream *stream = commit->stream;
    const uint32_t tree[] = {lines->main, lines->count};
    const uint32_t main = stream->begun ? stream->main : lines->listed[0];
    if (lines->main != main || stream->next != lines->count)
        kifu__add_record(commit, KIFU__TREE, 2, tree);
    stream->main = lines->main;
    stream->next = lines->count;
    const bool changed = commit->any;
    const bool beginning = lines->begun && lines->items[lines->count - 1].branch;
    if (beginning)
        kifu__add_record(commit, KIFU__BEGUN, 1, &lines->before_last);
    commit->any = changed || beginning != stream->beginning;
    stream->beginning = beginning;
}

static void add_tree(kifu__commit *commit, const kifu__lines *lines)
{
    const bool anew = !commit->stream->begun;
    for (uint32_t i = 0; i < lines->listed_count && anew && !commit->plan->result; i++) {
        add_left(commit, lines, lines->listed[i]);
        kifu__commit_all_kept(commit, lines->items[lines->listed[i]].branch, 0, KIFU_NONE);
    }
    for (uint32_t at = lines->touched; at && !anew; at = lines->items[at - 1].next_touched)
        add_left(commit, lines, at - 1);
    add_end(commit, lines);
}

// --- In a whole save -------------------------------------------------------------------------------------------------

// The state at a line's end is executed anew for its hash, where that is unknown, unless that takes more events.
enum { MOST_REPLAYED = 4096 };

// Executes up to the end of a line, beside the game.
static kifu_result find_line_hash(kifu_timeline *timeline, const kifu__line *line, uint64_t *hash)
{
    const uint32_t end = line->branch->end;
    unsigned char *state = (unsigned char *)kifu__new(&timeline->memory, kifu__state_room(timeline->rules));
    if (!state)
        return KIFU_NO_MEMORY;
    const uint32_t first = kifu__known_state(timeline, line->branch, end, state);
    kifu_result result = KIFU_OK;
    if (end - first <= MOST_REPLAYED) {
        const kifu_error error = timeline->error;
        result = kifu__replay_into(timeline, line->branch, state, first, end);
        if (!result)
            *hash = kifu__hash_state(state, timeline->rules->state_size);
        else if (result != KIFU_NO_MEMORY) { // The hash stays unknown.
            timeline->error = error;
            result = KIFU_OK;
        }
    }
    kifu__free(&timeline->memory, state);
    return result;
}

// Finds the hash of the state at the end of a line that is not the current one, if it is unknown.
static kifu_result know_hash(kifu_timeline *timeline, kifu__lines *lines, uint32_t id)
{
    kifu__line *line = &lines->items[id];
    const uint32_t end = line->branch->end;
    if (line->tip_hash || line->tip_sought || line->unchecked || timeline->options.reset ||
        end <= kifu__line_at(lines, id))
        return KIFU_OK;
    const kifu__checkpoint *last = kifu__next_checkpoint(line->branch, end - 1);
    if (last) {
        line->tip_hash = last->hash;
        return KIFU_OK;
    }
    const kifu_result result = find_line_hash(timeline, line, &line->tip_hash);
    line->tip_sought = !result;
    return result;
}

// Of the hashes of a line that is not the current one: the schema and the rules by which they were found, if these are
// not those of the header, and the hash of its end.
static void add_tip(kifu__commit *commit, const kifu__line *line, uint32_t id, uint32_t at)
{
    const kifu_rules *rules = commit->plan->timeline->rules;
    const uint64_t fingerprint = line->unchecked ? line->fingerprint : rules->fingerprint;
    const uint32_t version = line->unchecked ? line->rules_version : rules->rules_version;
    const bool others = fingerprint != rules->fingerprint || version != rules->rules_version;
    if (!line->tip_hash && !(others && kifu__next_checkpoint(line->branch, at)))
        return;
    kifu__begin_record(commit);
    kifu__add_number(&commit->body, id);
    kifu__add_bytes(commit, &line->tip_hash, sizeof line->tip_hash);
    kifu__add_bytes(commit, &fingerprint, sizeof fingerprint);
    kifu__add_number(&commit->body, version);
    kifu__end_record(commit, KIFU__TIP);
}

// What the path of the current line does not have of a line.
static void add_line_record(kifu__commit *commit, kifu__lines *lines, uint32_t id)
{
    const kifu__line *line = &lines->items[id];
    kifu__branch *branch = line->branch;
    const uint32_t at = kifu__line_at(lines, id);
    kifu__plan_fail(commit->plan, know_hash(commit->plan->timeline, lines, id));
    if (commit->plan->result)
        return;
    if (!kifu__leads_through(lines->items[lines->current].branch, branch))
        kifu__commit_branch(commit, id, line->parent, line->from);
    if (line->unchecked && !line->fingerprint) // Hashes that are of no version compare to nothing.
        branch->checkpoint_count = kifu__checkpoints_up_to(branch, at);
    if (branch->end > at) {
        kifu__commit_stand(commit, id, at);
        kifu__commit_range(commit, branch, at, branch->end);
    }
    kifu__commit_all_kept(commit, branch, at + 1, KIFU_NONE);
    add_left(commit, lines, id);
    add_tip(commit, line, id, at);
}

static void add_rest(kifu__commit *commit, kifu__lines *lines)
{
    for (uint32_t i = 0; i < lines->listed_count && !commit->plan->result; i++) {
        if (lines->listed[i] == lines->current)
            continue;
        add_line_record(commit, lines, lines->listed[i]);
        kifu__commit_pause(commit);
    }
    if (!commit->plan->result)
        add_end(commit, lines);
}

// --- All of it -------------------------------------------------------------------------------------------------------

// The file has what there is.
static void remember_lines(kifu__lines *lines, bool anew)
{
    for (uint32_t id = 0; id < lines->count && anew; id++)
        kifu__line_touch(lines, id);
    kifu__line_touch(lines, lines->current);
    while (lines->touched) {
        kifu__line *line = &lines->items[lines->touched - 1];
        kifu__line_untouch(lines, lines->touched - 1);
        line->in_file = line->branch != NULL;
        line->file_left = line == &lines->items[lines->current] ? KIFU_NONE : line->left; // It was not said.
        if (line->branch)
            kifu__branch_is_recorded(line->branch);
    }
    lines->given_up = KIFU_NONE;
}

void kifu__plan_lines(kifu__plan *plan, kifu__saving what)
{
    kifu__lines *lines = kifu__lines_of(plan->timeline);
    if (what == KIFU__LOG_WRITTEN)
        remember_lines(lines, plan->all);
    else if (what == KIFU__WHOLE_SAVE)
        add_rest(plan->commit, lines);
    else if (what == KIFU__LOG_LINES)
        add_lines(plan->commit, lines);
    else if (what == KIFU__LOG_APPEND)
        add_tree(plan->commit, lines);
}
