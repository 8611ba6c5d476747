// Whole saves: the shortest commits that lead to the same tree. The first one has the path of the current line, what
// waits and the state, so that a file that is cut off behind it keeps these. Others have the rest of the tree.
//
// In a plain save, the segments in front of a commit have its events, as they lie in memory. A segment of which the
// path has only a part is copied.

#include "save/packing.h"
#include "save/write_commit.h"
#include "save/saved.h"

// --- Events as segments ----------------------------------------------------------------------------------------------

static void add_copy(kifu__plan *plan, const kifu__segment *segment, uint32_t slot)
{
    kifu__segment copy;
    kifu_result result = kifu__copy_events(&plan->timeline->log, segment, slot, &copy);
    if (result)
        kifu__plan_fail(plan, result);
    else
        kifu__plan_add(plan, KIFU__FRAME_SEGMENT, copy.bytes, copy.size, true);
}

static void add_event_segments(kifu__commit *commit, kifu__branch *branch, uint32_t first, uint32_t end)
{
    kifu__plan *plan = commit->plan;
    uint32_t count = 0;
    for (uint32_t event = first, next; event < end && !plan->result; event = next, count++) {
        kifu__segment segment = *kifu__path_segment(branch, event, &next);
        next = next < end ? next : end;
        segment.count = next - segment.first;
        const uint32_t slot = event - segment.first;
        if (!slot && segment.count == segment.offsets[-1]) // The vector's length.
            kifu__plan_add(plan, KIFU__FRAME_SEGMENT, segment.bytes, segment.size, false);
        else
            add_copy(plan, &segment, slot);
    }
    const uint32_t numbers[] = {0, count};
    kifu__add_record(commit, KIFU__EVENTS, 2, numbers);
}

static void add_waiting_segment(kifu__commit *commit, kifu__segment *segment)
{
    kifu__plan_add(commit->plan, KIFU__FRAME_SEGMENT, segment->bytes, segment->size, true);
    kifu__add_number(&commit->body, 0);
}

static const kifu__event_form as_segments = {.events = add_event_segments, .waiting = add_waiting_segment};

// --- The current line ------------------------------------------------------------------------------------------------

static void add_branch_record(kifu__commit *commit, kifu__branch *branch, uint32_t end)
{
    const uint32_t from = branch->from;
    if (branch->parent)
        kifu__commit_branch(commit, branch->number, branch->parent->number, from);
    else if (branch->number)
        kifu__commit_branch(commit, branch->number, branch->number, from);
    kifu__commit_range(commit, branch, from, end);
}

static KIFU__APART void add_path(kifu__commit *commit)
{
    const kifu_timeline *timeline = commit->plan->timeline;
    kifu__branch *last = timeline->log.branch;
    uint32_t count = last->depth + 1;
    kifu__branch **path = (kifu__branch **)kifu__new(&timeline->memory, count * sizeof *path);
    if (!path) {
        kifu__plan_fail(commit->plan, KIFU_NO_MEMORY);
        return;
    }
    for (kifu__branch *branch = last; branch; branch = branch->parent)
        path[--count] = branch;
    for (; count <= last->depth && !commit->plan->result; count++)
        add_branch_record(commit, path[count], count < last->depth ? path[count + 1]->from : last->end);
    // Behind all events, since of a save that is cut off the first segments are recovered.
    for (count = 0; count <= last->depth && !commit->plan->result; count++)
        kifu__commit_all_kept(commit, path[count], 0, count < last->depth ? path[count + 1]->from : last->end);
    kifu__free(&timeline->memory, path);
}

// --- All of it -------------------------------------------------------------------------------------------------------

void kifu__commit_pause(kifu__commit *commit)
{
    enum { ENOUGH = 1 << 16 };
    if (commit->records.size < ENOUGH)
        return;
    kifu__commit_stand(commit, commit->stream->line, commit->stream->executed);
    kifu__end_commit(commit);
}

// The record 'end' of a commit.
static void cut_end(kifu__plan *plan, kifu__piece *commit)
{
    plan->size -= kifu__frame_size(commit->size);
    commit->size -= 2; // Its kind and its length.
    plan->size += kifu__frame_size(commit->size);
}

static KIFU__APART void add_commits(kifu__plan *plan, kifu__commit *commit, bool with_state)
{
    const kifu_timeline *timeline = plan->timeline;
    kifu__stream *stream = commit->stream;
    add_path(commit);
    if (plan->states)
        plan->states(plan, false);
    stream->line = timeline->log.branch->number;
    stream->executed = kifu_event_count(timeline);
    kifu__commit_stand(commit, stream->line, stream->executed);
    const kifu__row consequences = kifu__row_of(&timeline->consequences), inputs = kifu__row_of(&timeline->inputs);
    kifu__commit_queue(commit, 0, 0, &consequences, &inputs);
    kifu__commit_actions(commit);
    if (plan->states)
        plan->states(plan, true);
    else
        kifu__commit_present(commit, with_state);
    kifu__add_record(commit, KIFU__END, 0, NULL);
    kifu__end_commit(commit);
    if (plan->result)
        return;
    const uint32_t first = plan->count - 1;
    kifu__plan_parts(plan, KIFU__WHOLE_SAVE);
    if (plan->result || (plan->count - 1 == first && !commit->any))
        return;
    cut_end(plan, &plan->pieces[first]); // It was not the last one.
    kifu__commit_stand(commit, stream->line, stream->executed);
    kifu__add_record(commit, KIFU__END, 0, NULL);
}

void kifu__plan_whole(kifu__plan *plan, kifu__shapes *shapes, const kifu__event_form *form, bool with_state)
{
    kifu_timeline *timeline = plan->timeline;
    kifu__stream stream = {.shapes = shapes,
                           .line = timeline->log.first.number,
                           .executed = timeline->log.begin,
                           .next = timeline->log.first.number + 1};
    kifu__commit commit = kifu__begin_commit(plan, &stream, form);
    kifu__log_show(&timeline->log);
    plan->events = 0;
    kifu__plan_root(plan);
    plan->commit = &commit;
    if (!plan->result)
        add_commits(plan, &commit, with_state);
    plan->commit = NULL;
    kifu__end_commit(&commit);
}

void kifu__plan_rest(kifu__plan *plan, bool with_state, const kifu_codec *codec)
{
    if (!plan->result)
        plan->result = kifu__require_packing(codec, &plan->timeline->error);
    if (!plan->result && codec)
        kifu__plan_fail(plan, codec->packing->pack(plan, codec, with_state));
    else if (!plan->result)
        kifu__plan_whole(plan, NULL, &as_segments, with_state);
}
