// Lines, from the records of a commit; and the part of a timeline that has its lines in saves.

#include "history/lines.h"
#include "save/reversal.h"
#include "save/saved.h"
#include "wire/buffer.h"

static const char not_there[] = "branches off from events that are not there";

static bool is_line(const kifu__lines *lines, uint32_t id)
{
    return id < lines->count && lines->items[id].branch;
}

bool kifu__reach_line(kifu__commits *commits, kifu__lines *lines, uint32_t id)
{
    kifu_timeline *timeline = commits->reader->timeline;
    kifu__forks *forks = (kifu__forks *)kifu__grow(&timeline->memory, commits->forks, &commits->fork_capacity,
                                                   (uint64_t)id + 1, sizeof *forks);
    if (!forks)
        return false;
    commits->forks = forks;
    if (!kifu__lines_reach(timeline, lines, id))
        return false;
    while (commits->fork_count <= id)
        forks[commits->fork_count++] = (kifu__forks){.count = 0};
    return true;
}

// The first line has another number than 0.
static void renumber(kifu__lines *lines, uint32_t id)
{
    lines->items[id] = lines->items[0];
    lines->items[id].parent = id;
    lines->items[id].branch->number = id;
    lines->items[0] = (kifu__line){.branch = NULL};
}

// --- Lines that cannot be read ---------------------------------------------------------------------------------------

static void count_lost(const kifu__reader *reader, const kifu_error *why)
{
    if (!reader->left_out->lines++ && why)
        reader->left_out->why = *why;
}

// The line may have others on the way to where the game is: what it has before them stays.
static kifu_result lose_line(kifu__commits *commits, uint32_t line, uint32_t first, const kifu_error *why)
{
    kifu__lines *lines = kifu__lines_of(commits->reader->timeline);
    if (!kifu__reach_line(commits, lines, line))
        return kifu__commit_failed(commits, KIFU_NO_MEMORY);
    kifu__read_cut(commits, lines->items[line].branch, first);
    commits->forks[line].lost = true;
    if (commits->branch == lines->items[line].branch)
        commits->branch = NULL;
    count_lost(commits->reader, why);
    return KIFU_OK;
}

// --- Records ---------------------------------------------------------------------------------------------------------

static kifu_result begin_read_line(kifu__commits *commits, kifu__lines *lines, uint32_t id, uint32_t parent,
                                   uint32_t from)
{
    kifu__reader *reader = commits->reader;
    kifu_timeline *timeline = reader->timeline;
    const kifu__line *above = is_line(lines, parent) ? &lines->items[parent] : NULL;
    if (commits->back && is_line(lines, id))
        return kifu__parted(commits, lines->items[id].from);
    if (id >= KIFU__HIDDEN || is_line(lines, id))
        return kifu__bad_record(commits, not_there);
    // One that begins at such events has none, and goes in the end.
    const bool lost = above && parent < id && from > above->branch->end && kifu__is_lost(commits, parent);
    const uint32_t place = lost ? above->branch->end : from;
    const bool first = !commits->back && id == parent && lines->count == 1 &&
                       timeline->log.first.end == timeline->log.begin && from == timeline->log.begin;
    const bool behind = above && (from > above->from || (from == above->from && above->parent == parent));
    if (commits->is_log && !first && id < lines->count)
        return kifu__bad_record(commits, "begins a line with a number that was given before");
    if (!first && (id < parent || !behind || place > above->branch->end))
        return kifu__bad_record(commits, not_there);
    kifu__branch *branch = NULL;
    if (!kifu__reach_line(commits, lines, id) || (commits->back && !kifu__keep_line(commits, lines, id, false)) ||
        (!first && !(branch = kifu__branch_new(timeline, id, lines->items[parent].branch, place))))
        return kifu__commit_failed(commits, KIFU_NO_MEMORY);
    commits->line = id;
    commits->count = from;
    commits->find_last_fork = kifu__find_last_fork;
    commits->lose = lose_line;
    if (first) {
        renumber(lines, id);
        commits->branch = &timeline->log.first;
        return KIFU_OK;
    }
    const kifu__line *was = &lines->items[id];
    lines->items[id] = (kifu__line){.branch = branch,
                                    .parent = parent,
                                    .from = place,
                                    .fingerprint = reader->header->fingerprint,
                                    .rules_version = reader->header->rules_version,
                                    .next_touched = was->next_touched,
                                    .touched_next = was->touched_next,
                                    .in_file = was->in_file};
    if (commits->back)
        kifu__enlist_line(commits, lines, id);
    kifu__add_fork(commits, lines, id);
    commits->branch = lost ? NULL : branch;
    commits->forks[id].lost = lost;
    if (lost)
        count_lost(reader, NULL);
    return KIFU_OK;
}

static kifu_result end_of(kifu__commits *commits, kifu__lines *lines, uint32_t id)
{
    kifu_timeline *timeline = commits->reader->timeline;
    if (commits->back && !is_line(lines, id))
        return kifu__parted(commits, KIFU_NONE);
    if (!is_line(lines, id) || lines->items[id].parent == id || (id < commits->fork_count && commits->forks[id].count))
        return kifu__bad_record(commits, "deletes a line that is not there, or from which another one branches off");
    if (commits->back && !kifu__keep_line(commits, lines, id, true))
        return kifu__commit_failed(commits, KIFU_NO_MEMORY);
    if (lines->items[id].branch == commits->branch)
        commits->branch = NULL;
    if (commits->game == id)
        commits->game = KIFU_NONE;
    kifu__read_into(commits, &timeline->log.first);
    commits->forks[lines->items[id].parent].count--;
    if (commits->back) {
        kifu__relist_line(commits, id);
        commits->back->calls->set_aside(commits->back, lines->items[id].branch);
        lines->items[id].branch = NULL;
    } else
        kifu__line_lose(timeline, lines, id);
    return KIFU_OK;
}

static kifu_result return_lines(kifu__commits *commits, kifu__lines *lines, uint32_t first)
{
    kifu_result result = KIFU_OK;
    if (!first || first > lines->count)
        return kifu__bad_record(commits, "returns a number that was not given");
    while (lines->count > first) {
        const uint32_t last = lines->count - 1;
        if (lines->items[last].branch)
            result = end_of(commits, lines, last);
        else if (kifu__returns_too_many(commits->reader))
            result = kifu__bad_record(commits, KIFU__TOO_MANY_RETURNED);
        if (result)
            return result;
        if (commits->back)
            kifu__return_line(commits, lines, last, first);
        lines->count--;
    }
    return KIFU_OK;
}

static kifu_result read_left(kifu__commits *commits, kifu__lines *lines, uint32_t id, uint32_t left)
{
    const uint32_t end = is_line(lines, id) ? lines->items[id].branch->end : 0;
    if (!is_line(lines, id) || (left > end && !kifu__is_lost(commits, id)))
        return kifu__bad_record(commits, "is of events that are not there");
    if (commits->back && !kifu__keep_line(commits, lines, id, false))
        return kifu__commit_failed(commits, KIFU_NO_MEMORY);
    lines->items[id].left = left < end ? left : end;
    return KIFU_OK;
}

static kifu_result read_tree(kifu__commits *commits, kifu__lines *lines, uint32_t main, uint32_t next)
{
    if (!is_line(lines, main) || next < lines->count || next >= KIFU__HIDDEN)
        return kifu__bad_record(commits, "names a line that is not there");
    lines->main = main;
    return kifu__reach_line(commits, lines, next - 1) ? KIFU_OK : kifu__commit_failed(commits, KIFU_NO_MEMORY);
}

// Of a whole save. The hashes of other lines are of the version of the game that wrote the save.
static kifu_result read_tip(kifu__commits *commits, kifu__lines *lines, uint32_t id, kifu__bytes *body)
{
    const unsigned char *hash = kifu__parse_bytes(body, 8), *fingerprint = kifu__parse_bytes(body, 8);
    const uint32_t version = kifu__parse_number(body);
    if (!body->good || kifu__is_lost(commits, id))
        return KIFU_OK;
    if (!is_line(lines, id))
        return kifu__bad_record(commits, "is of a line that is not there");
    kifu__line *line = &lines->items[id];
    line->unchecked = true;
    line->tip_hash = kifu__load64(hash);
    line->fingerprint = kifu__load64(fingerprint);
    line->rules_version = version;
    return KIFU_OK;
}

static kifu_result read_record(kifu__commits *commits, kifu__bytes *body)
{
    kifu__lines *lines = kifu__lines_of(commits->reader->timeline);
    const uint32_t id = commits->numbers[0], other = commits->numbers[1];
    switch (commits->kind) {
    case KIFU__BRANCH:
        return begin_read_line(commits, lines, id, other, commits->numbers[2]);
    case KIFU__RETURNED:
        return return_lines(commits, lines, id);
    case KIFU__DELETED:
        return end_of(commits, lines, id);
    case KIFU__LEFT:
        return read_left(commits, lines, id, other);
    case KIFU__TREE:
        return read_tree(commits, lines, id, other);
    case KIFU__TIP:
        return read_tip(commits, lines, id, body);
    default:
        commits->beginning = true;
        commits->before_last = id;
        return KIFU_OK;
    }
}

// --- The end ---------------------------------------------------------------------------------------------------------

static bool is_line_comparable(const kifu__reader *reader, const kifu__line *line)
{
    const kifu_rules *rules = reader->timeline->rules;
    const kifu__save_header *header = reader->header;
    if (reader->options->allow_changed)
        return false;
    if (line->fingerprint == header->fingerprint && line->rules_version == header->rules_version)
        return reader->comparable;
    return line->fingerprint == rules->fingerprint && line->rules_version == rules->rules_version;
}

// Nothing of it was executed: its hashes are compared when it is entered.
static void end_line(const kifu__reader *reader, kifu__lines *lines, uint32_t id)
{
    kifu__line *line = &lines->items[id];
    line->unchecked = id != lines->current;
    line->comparable = is_line_comparable(reader, line);
    if (id == lines->current) {
        line->tip_hash = 0;
        line->fingerprint = reader->header->fingerprint;
        line->rules_version = reader->header->rules_version;
    }
    if (!line->comparable)
        line->branch->checkpoint_count = kifu__checkpoints_up_to(line->branch, kifu__line_at(lines, id));
}

// Lines of which nothing could be read.
static void drop_lost(kifu__reader *reader, kifu__lines *lines)
{
    kifu_timeline *timeline = reader->timeline;
    for (uint32_t id = lines->count; id-- > 0;) {
        const kifu__branch *branch =
            is_line(lines, id) && kifu__is_lost(&reader->commits, id) ? lines->items[id].branch : NULL;
        if (branch && branch->end == branch->from && !kifu__leads_through(timeline->log.branch, branch))
            kifu__line_delete(timeline, lines, id); // Its notes are counted as left out when they are looked for.
    }
}

// Not all may have happened that follows from the input that began the last line.
void kifu__settle_read_lines(const kifu__commits *commits, kifu__lines *lines)
{
    kifu_timeline *timeline = commits->reader->timeline;
    const uint32_t last = lines->count - 1, before = commits->before_last;
    kifu__line_begun(timeline, lines, false);
    lines->before_last = lines->items[lines->current].parent;
    if (!commits->beginning || !is_line(lines, last))
        return;
    lines->before_last = is_line(lines, before) && before != last ? before : lines->items[last].parent;
    kifu__line_begun(timeline, lines, true);
}

static kifu_result end_records(kifu__reader *reader)
{
    kifu_timeline *timeline = reader->timeline;
    const kifu__commits *commits = &reader->commits;
    kifu__lines *lines = kifu__lines_of(timeline);
    kifu__line *first = &lines->items[timeline->log.first.number];
    if (!first->unchecked) { // No record has said it.
        first->fingerprint = reader->header->fingerprint;
        first->rules_version = reader->header->rules_version;
    }
    lines->current = commits->line;
    drop_lost(reader, lines);
    for (uint32_t id = 0; id < lines->count; id++) {
        if (lines->items[id].branch)
            end_line(reader, lines, id);
    }
    while (!lines->items[lines->main].branch && lines->main)
        lines->main = lines->items[lines->main].parent;
    kifu__lines_list(lines);
    if (!lines->items[lines->main].branch)
        lines->main = lines->listed[0];
    kifu__settle_read_lines(commits, lines);
    return KIFU_OK;
}

// --- The part --------------------------------------------------------------------------------------------------------

static const kifu__saved saved_lines = {.kinds = 1 << KIFU__BRANCH | 1 << KIFU__RETURNED | 1 << KIFU__DELETED |
                                                 1 << KIFU__LEFT | 1 << KIFU__TREE | 1 << KIFU__BEGUN | 1 << KIFU__TIP,
                                        .end = end_records,
                                        .plan = kifu__plan_lines,
                                        .record = read_record,
                                        .branch = kifu__line_branch,
                                        .follow = kifu__follow_lines,
                                        .were_read = kifu__lines_were_read,
                                        .followed = kifu__lines_followed};
static const kifu__part_table saved_lines_table = {
    .size = sizeof(kifu__part), .order = KIFU__LINES, .saved = &saved_lines};

kifu_result kifu_keep_variations(kifu_timeline *timeline)
{
    return kifu__lines_begin(timeline, &saved_lines_table);
}

void kifu__end_variations(kifu_timeline *timeline)
{
    kifu__lines_end(timeline, &saved_lines_table);
}
