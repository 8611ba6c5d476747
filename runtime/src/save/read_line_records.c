// Lines, from the records of a commit.

#include "save/line_records.h"
#include "save/reversal.h"

bool kifu__is_line(const kifu__lines *lines, uint32_t id)
{
    return id < lines->count && !lines->items[id].deleted;
}

// False without memory.
bool kifu__reach_line(kifu__commits *commits, kifu__lines *lines, uint32_t id)
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

uint32_t kifu__last_fork(kifu__commits *commits, uint32_t line)
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
    const kifu__line *above = kifu__is_line(lines, parent) ? &lines->items[parent] : NULL;
    const bool first = !commits->back && id == parent && lines->count == 1 &&
                       timeline->log.first.end == timeline->log.begin && from == timeline->log.begin;
    const bool behind = above && (from > above->from || (from == above->from && above->parent == parent));
    if (commits->back && kifu__is_line(lines, id))
        return kifu__parted(commits, lines->items[id].from);
    if (id >= KIFU__HIDDEN || kifu__is_line(lines, id) ||
        (!first && (id < parent || !behind || from > above->branch->end)))
        return kifu__bad_record(commits, "branches off from events that are not there");
    kifu__branch *branch = NULL;
    if (commits->back && !kifu__keep_line(commits, lines, id))
        return kifu__commit_failed(commits, KIFU_NO_MEMORY);
    if (!kifu__reach_line(commits, lines, id) || (!first && !(branch = kifu__branch_new(timeline, id, from))))
        return kifu__not_loaded(reader->error, commits->frame->offset, KIFU_NO_MEMORY);
    commits->line = id;
    commits->count = from;
    commits->forks[id] = (kifu__forks){.count = 0};
    commits->last_fork = kifu__last_fork;
    if (first) {
        renumber(timeline, lines, id);
        commits->branch = &timeline->log.first;
        return KIFU_OK;
    }
    kifu__branch_begin(branch, lines->items[parent].branch, from);
    const kifu__line *was = &lines->items[id];
    lines->items[id] = (kifu__line){.branch = branch,
                                    .parent = parent,
                                    .from = from,
                                    .touched = was->touched,
                                    .next_touched = was->next_touched,
                                    .in_file = was->in_file};
    if (commits->back)
        kifu__enlist_line(commits, lines, id);
    kifu__forks *forks = &commits->forks[parent];
    forks->most = forks->count++ && forks->most > from ? forks->most : from;
    commits->branch = branch;
    return KIFU_OK;
}

static kifu_result end_of(kifu__commits *commits, kifu__lines *lines, uint32_t id)
{
    kifu_timeline *timeline = commits->reader->timeline;
    if (commits->back && !kifu__is_line(lines, id))
        return kifu__parted(commits, KIFU_NONE);
    if (!kifu__is_line(lines, id) || lines->items[id].parent == id ||
        (id < commits->fork_count && commits->forks[id].count))
        return kifu__bad_record(commits, "deletes a line that is not there, or from which another one branches off");
    if (commits->back && !kifu__keep_line(commits, lines, id))
        return kifu__commit_failed(commits, KIFU_NO_MEMORY);
    if (lines->items[id].branch == commits->branch)
        commits->branch = NULL;
    if (commits->game == id)
        commits->game = KIFU_NONE;
    kifu__read_into(commits, &timeline->log.first);
    commits->forks[lines->items[id].parent].count--;
    if (commits->back) {
        commits->back->lines = true;
        commits->back->calls->set_aside(commits->back, lines->items[id].branch);
        lines->items[id].branch = NULL;
        lines->items[id].deleted = true;
    } else
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
    if (commits->back)
        kifu__forget_touched(lines);
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
        if (!kifu__is_line(lines, id) || other > lines->items[id].branch->end)
            return kifu__bad_record(commits, "is of events that are not there");
        if (commits->back && !kifu__keep_line(commits, lines, id))
            return kifu__commit_failed(commits, KIFU_NO_MEMORY);
        lines->items[id].left = other;
        return KIFU_OK;
    case KIFU__TREE:
        if (!kifu__is_line(lines, id) || other < lines->count || other >= KIFU__HIDDEN)
            return kifu__bad_record(commits, "names a line that is not there");
        lines->main = id;
        return kifu__reach_line(commits, lines, other - 1)
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

// Not all may have happened that follows from the input that began the last line.
void kifu__settle_read_lines(const kifu__commits *commits, kifu__lines *lines)
{
    kifu_timeline *timeline = commits->reader->timeline;
    const uint32_t last = lines->count - 1, before = commits->before_last;
    kifu__line_settled(timeline);
    lines->before_last = lines->items[lines->current].parent;
    if (!commits->beginning || !kifu__is_line(lines, last))
        return;
    lines->before_last = kifu__is_line(lines, before) && before != last ? before : lines->items[last].parent;
    kifu__line_begun(timeline);
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
    kifu__settle_read_lines(commits, lines);
}
