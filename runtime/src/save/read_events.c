// Events and what waits, from rows: of log files, changes and packed saves.

#include "save/reader.h"

#include <stdio.h>

#include "save/reversal.h"
#include "save/saved.h"
#include "wire/buffer.h"

// --- Events that go --------------------------------------------------------------------------------------------------

void kifu__branch_lose(kifu_timeline *timeline, kifu__branch *branch, uint32_t count)
{
    if (kifu__has_handler(timeline, loses))
        timeline->dispatch->lose(timeline, branch, count);
    kifu__branch_cut(timeline, branch, count);
}

void kifu__read_cut(kifu__commits *commits, kifu__branch *branch, uint32_t count)
{
    kifu_timeline *timeline = commits->reader->timeline;
    if (count >= branch->end)
        return;
    kifu__branch *hashed = commits->way ? branch : kifu__branch_numbered(timeline, commits->game);
    if (hashed && kifu__leads_through(hashed, branch) && count < kifu__leaves(hashed, branch))
        kifu__forget_states(commits, count);
    kifu__branch_lose(timeline, branch, count);
}

// Whether another line has some of the events behind the first `count` of a line.
static bool is_shared(kifu__commits *commits, uint32_t line, uint32_t count)
{
    if (line >= commits->fork_count || !commits->forks[line].count || commits->forks[line].most <= count)
        return false;
    commits->forks[line].most = commits->last_fork(commits, line); // The last one may be deleted.
    return commits->forks[line].most > count;
}

// Whether events may go behind the place, and those that are there may go.
static kifu_result make_place(kifu__commits *commits)
{
    kifu__branch *branch = commits->branch;
    const uint32_t count = commits->count;
    const bool shared = commits->way ? commits->line != commits->deepest : is_shared(commits, commits->line, count);
    if (commits->back && count > branch->followed)
        return kifu__parted(commits, branch->followed);
    if (count > branch->end || count < (commits->way ? commits->way[commits->line].from : branch->from))
        return kifu__bad_record(commits, "is behind the events of its line, or in front of them");
    if (count < branch->end && shared)
        return kifu__bad_record(commits, "replaces events that another line has");
    if (!commits->back) {
        kifu__read_cut(commits, branch, count);
        return KIFU_OK;
    }
    const kifu__branch_before *was = kifu__find_before(branch);
    if (was && count < was->from)
        return kifu__bad_record(commits, "replaces events for a second time");
    if (branch->followed < branch->end)
        return kifu__parted(commits, branch->followed);
    return commits->back->calls->cut_aside(commits->back, branch, count) ? KIFU_OK
                                                                         : kifu__commit_failed(commits, KIFU_NO_MEMORY);
}

static kifu_result read_cut(kifu__commits *commits)
{
    const kifu_result result = kifu__require_line(commits);
    return !result && commits->branch && commits->count < commits->until ? make_place(commits) : result;
}

// --- Events that come ------------------------------------------------------------------------------------------------

// Those from `slot` on. Events of today's rules go where those of a game that is played go; others, and so many that it
// pays, stay in a segment of their own, which gets the bytes.
static kifu_result add_segment(kifu__commits *commits, kifu__segment *segment, uint32_t slot, unsigned char **bytes)
{
    kifu_timeline *timeline = commits->reader->timeline;
    kifu__blob blob = {.memory = &timeline->memory};
    kifu_result result = KIFU_OK;
    if (!slot && (segment->rules_version != timeline->rules->rules_version || segment->count >= KIFU__MOST_SLOTS)) {
        if (segment->borrowed)
            *bytes = NULL;
        segment->borrowed = false;
        segment->capacity = segment->size;
        result = kifu__log_adopt(&timeline->log, segment);
        if (result)
            kifu__segment_free(segment, &timeline->memory);
        return result;
    }
    for (; slot < segment->count && !result; slot++) {
        const void *table;
        result = kifu__blob_of(timeline->rules, segment, slot, &blob);
        if (!result)
            result = kifu__log_append(&timeline->log, segment->types[slot], blob.bytes, blob.size, segment->marks[slot],
                                      &table);
    }
    kifu__free(&timeline->memory, blob.bytes);
    kifu__segment_free(segment, &timeline->memory);
    return result;
}

static kifu_result make_frame(kifu__commits *commits, kifu__bytes *body, kifu__frame *frame, unsigned char **bytes)
{
    const char *reason = "it is not whole";
    *frame = *commits->frame;
    *bytes = NULL;
    const kifu_result result = kifu__rows_read(&commits->shapes, body, bytes, &frame->size, &reason);
    frame->payload = *bytes;
    char why[100];
    snprintf(why, sizeof why, "is wrong: %s", reason);
    return result == KIFU_DAMAGED ? kifu__bad_record(commits, why) : kifu__commit_failed(commits, result);
}

static kifu_result take_events(kifu__commits *commits, const kifu__frame *frame, unsigned char **bytes)
{
    kifu__segment segment;
    uint32_t same = 0;
    kifu_result result = kifu__read_segment(commits->reader, frame, commits->count, false, &segment);
    if (result)
        return result;
    if (segment.count > commits->until - commits->count)
        kifu__segment_truncate(&segment, commits->until - commits->count);
    if (commits->back)
        result = commits->back->calls->find_same(commits, &segment, &same);
    commits->count += same;
    if (!result)
        result = make_place(commits);
    if (result) {
        kifu__segment_free(&segment, &commits->reader->timeline->memory);
        return result;
    }
    kifu__read_into(commits, commits->branch);
    result = kifu__commit_failed(commits, add_segment(commits, &segment, same, bytes));
    commits->count -= same;
    commits->branch->followed = commits->branch->end;
    return result;
}

static kifu_result read_event_rows(kifu__commits *commits, kifu__bytes *body)
{
    kifu__frame frame;
    unsigned char *bytes;
    kifu_result result = make_frame(commits, body, &frame, &bytes);
    result = result ? result : kifu__require_line(commits);
    const uint32_t count = result ? 0 : kifu__segment_parts(bytes).count, first = commits->count;
    if (!result && count > KIFU_NONE - 1 - commits->count)
        result = kifu__bad_record(commits, "has more events than a game can have");
    if (!result && commits->branch && commits->count < commits->until)
        result = kifu__or_leave_out(commits, commits->line, first, take_events(commits, &frame, &bytes));
    commits->count += count;
    kifu__free(&commits->reader->timeline->memory, bytes);
    if (result || commits->back)
        return result;
    commits->reader->used += frame.size;
    return kifu__report_read(commits->reader, commits->frame->offset);
}

// --- All of it -------------------------------------------------------------------------------------------------------

static kifu_result read_shapes(kifu__commits *commits)
{
    kifu__reversal *back = commits->back;
    if (!back || back->forgets_shapes)
        kifu__shapes_cut(&commits->shapes, 0);
    else {
        back->shapes = commits->shapes;
        kifu__shapes_cut(&back->shapes, back->shape_count); // Of this commit.
        back->forgets_shapes = true;
        commits->shapes = (kifu__shapes){.memory = back->shapes.memory};
    }
    return KIFU_OK;
}

static kifu_result read_rows_record(kifu__commits *commits, kifu__bytes *body)
{
    return commits->kind == KIFU__CUT      ? read_cut(commits)
           : commits->kind == KIFU__SHAPES ? read_shapes(commits)
                                           : read_event_rows(commits, body);
}

const kifu__row_calls kifu__row_functions = {.read = read_rows_record, .make = make_frame};
