// A commit: what a stream does not say yet. Each branch knows what the file has of it, so it is the difference that
// is written, and not how the game came there: a thousand undos are one record.

#include "save/write_commit.h"

#include <stdlib.h>

#include "save/saved.h"

// --- Rows ------------------------------------------------------------------------------------------------------------

// Runs do not depend on where segments end in memory, but on rules versions.
static void add_event_rows(kifu__commit *commit, kifu__branch *branch, uint32_t first, uint32_t end)
{
    const kifu_rules *rules = commit->plan->timeline->rules;
    while (first < end && !commit->plan->result) {
        const uint32_t most = end - first < KIFU__MOST_JOINED ? end : first + KIFU__MOST_JOINED;
        uint32_t last = first, next;
        const kifu__segment *segment = kifu__path_segment(branch, first, &next);
        const uint32_t version = segment->rules_version;
        while (last < most && kifu__path_segment(branch, last, &next)->rules_version == version)
            last = next < most ? next : most;
        kifu__begin_record(commit);
        kifu__rows_begin(&commit->body, last - first, version);
        for (; first < last; first = next) {
            segment = kifu__path_segment(branch, first, &next);
            next = next < last ? next : last;
            kifu__rows_of(&commit->body, commit->stream->shapes, rules, segment, first - segment->first,
                          next - segment->first);
        }
        kifu__end_record(commit, KIFU__EVENTS);
    }
}

static void add_waiting_rows(kifu__commit *commit, kifu__segment *segment)
{
    kifu_timeline *timeline = commit->plan->timeline;
    kifu__rows_add(&commit->body, commit->stream->shapes, timeline->rules, segment, 0, segment->count);
    kifu__free(&timeline->memory, segment->bytes);
}

const kifu__event_form kifu__as_rows = {.events = add_event_rows, .waiting = add_waiting_rows};

// --- Events ----------------------------------------------------------------------------------------------------------

void kifu__commit_events(kifu__commit *commit, kifu__branch *branch)
{
    const bool known = commit->stream->begun && branch->file_end != KIFU_NONE;
    const uint32_t end = known ? branch->file_end : branch->from;
    const uint32_t same = known && branch->unchanged < end ? branch->unchanged : end;
    if (same == end && branch->end == end)
        return;
    kifu__commit_stand(commit, branch->number, same);
    if (branch->end == same)
        kifu__add_record(commit, KIFU__CUT, 0, NULL);
    kifu__commit_range(commit, branch, same, branch->end);
}

// --- What waits elsewhere --------------------------------------------------------------------------------------------

static int by_place(const void *a, const void *b)
{
    const kifu__place_kept *one = (const kifu__place_kept *)a, *other = (const kifu__place_kept *)b;
    if (one->branch != other->branch)
        return one->branch < other->branch ? -1 : 1;
    return (one->place > other->place) - (one->place < other->place);
}

// In ascending order.
static void add_kept(kifu__commit *commit, kifu__place_kept *kept, uint32_t count)
{
    kifu_timeline *timeline = commit->plan->timeline;
    if (count)
        qsort(kept, count, sizeof *kept, by_place);
    for (uint32_t i = 0; i < count && !commit->plan->result; i++) {
        kifu__branch *branch = kifu__branch_numbered(timeline, kept[i].branch);
        const uint32_t place = kept[i].place;
        if (!branch || (i && !by_place(&kept[i - 1], &kept[i])) || place > branch->end ||
            (branch->parent && place <= branch->from))
            continue;
        kifu__commit_kept(commit, branch, place, kifu__find_kept(branch, place));
    }
}

// --- What waits here -------------------------------------------------------------------------------------------------

// Whether the file has all that waits in a queue.
static bool is_recorded(const kifu__queue *queue, const kifu__queued *recorded)
{
    return queue->count == recorded->count && (!queue->count || queue->recorded == queue->tail);
}

// What came behind that which the file has; and how many that it has are gone.
static kifu__row find_fresh(const kifu_rules *rules, const kifu__queue *queue, bool begun, kifu__queued *recorded,
                            uint32_t *gone)
{
    // Or one that is not in the file is among those that are: all are written.
    const bool whole = !begun || (recorded->count != recorded->sound && !is_recorded(queue, recorded));
    const uint32_t from = queue->recorded > queue->head && !whole ? queue->recorded : queue->head;
    kifu__row fresh = {queue, from < queue->tail ? (kifu__proposal *)(void *)(queue->bytes + from) : NULL};
    uint32_t count = 0;
    for (kifu__proposal *at = fresh.first; at; at = kifu__queue_next(queue, at))
        count++;
    const uint32_t kept = begun && is_recorded(queue, recorded) ? recorded->sound : queue->count - count;
    *gone = recorded->sound - kept;
    *recorded = (kifu__queued){queue->count, kept + kifu__count_sound(rules, fresh)};
    return fresh;
}

static void add_queue(kifu__commit *commit)
{
    kifu_timeline *timeline = commit->plan->timeline;
    uint32_t inputs_gone, consequences_gone;
    kifu__stream *stream = commit->stream;
    const kifu__row consequences =
        find_fresh(timeline->rules, &timeline->consequences, stream->begun, &stream->consequences, &consequences_gone);
    const kifu__row inputs =
        find_fresh(timeline->rules, &timeline->inputs, stream->begun, &stream->inputs, &inputs_gone);
    kifu__commit_queue(commit, inputs_gone, consequences_gone, &consequences, &inputs);
}

// --- All of it -------------------------------------------------------------------------------------------------------

static void add_position(kifu__commit *commit)
{
    const kifu_stream_position *position = &commit->stream->position;
    kifu__begin_record(commit);
    kifu__add_bytes(commit, &position->stream, sizeof position->stream);
    kifu__add_number(&commit->body, position->commit);
    kifu__add_bytes(commit, &position->checksum, sizeof position->checksum);
    kifu__end_record(commit, KIFU__POSITION);
}

void kifu__plan_commit_of(kifu__plan *plan, kifu__stream *stream, kifu__place_kept *kept, uint32_t kept_count,
                          bool with_state)
{
    kifu_timeline *timeline = plan->timeline;
    kifu__commit commit = kifu__begin_commit(plan, stream, &kifu__as_rows);
    const bool anew = !stream->begun;
    plan->commit = &commit;
    if (anew)
        add_position(&commit);
    else if (stream->new_shapes) {
        kifu__shapes_cut(stream->shapes, 0);
        kifu__add_record(&commit, KIFU__SHAPES, 0, NULL);
    }
    commit.any = false;
    kifu__plan_parts(plan, KIFU__LOG_LINES);
    const bool lines = kifu__has_branches(timeline); // Then they add what waits in them.
    if (!lines && !plan->result)
        kifu__commit_events(&commit, timeline->log.branch);
    if (!plan->result)
        kifu__plan_parts(plan, KIFU__LOG_APPEND);
    if (anew && !lines && !plan->result)
        kifu__commit_all_kept(&commit, timeline->log.branch, 0, KIFU_NONE);
    add_kept(&commit, kept, anew ? 0 : kept_count);
    kifu__commit_stand(&commit, timeline->log.branch->number, kifu_event_count(timeline));
    if (!plan->result)
        add_queue(&commit);
    if (!plan->result)
        kifu__commit_actions(&commit);
    if (commit.any || anew)
        kifu__commit_present(&commit, with_state);
    stream->line = commit.line;
    stream->executed = commit.count;
    stream->begun = true;
    plan->commit = NULL;
    kifu__end_commit(&commit);
}
