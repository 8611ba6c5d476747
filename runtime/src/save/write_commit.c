// A commit: what a stream does not say yet. Each branch knows what the file has of it, so it is the difference that
// is written, and not how the game came there: a thousand undos are one record.

#include "save/records.h"

#include <stdlib.h>

#include "save/saved.h"
#include "save/waiting.h"

// --- Records ---------------------------------------------------------------------------------------------------------

void kifu__begin_record(kifu__commit *commit)
{
    kifu__build_anew(&commit->body, &commit->plan->timeline->memory);
}

void kifu__end_record(kifu__commit *commit, kifu__record kind)
{
    kifu__plan_fail(commit->plan, commit->body.result);
    kifu__add_number(&commit->records, kind);
    kifu__add_number(&commit->records, commit->body.size);
    if (!commit->body.result)
        kifu__build(&commit->records, 0, commit->body.bytes, commit->body.size, 1);
    commit->any = true;
}

void kifu__add_record(kifu__commit *commit, kifu__record kind, uint32_t count, const uint32_t *numbers)
{
    kifu__begin_record(commit);
    for (uint32_t i = 0; i < count; i++)
        kifu__add_number(&commit->body, numbers[i]);
    kifu__end_record(commit, kind);
}

static void add_bytes(kifu__commit *commit, const void *bytes, uint32_t size)
{
    if (size)
        kifu__build(&commit->body, 0, bytes, size, 1);
}

static void stand(kifu__commit *commit, uint32_t line, uint32_t count)
{
    const uint32_t place[] = {line, count};
    if (commit->line != line || commit->count != count)
        kifu__add_record(commit, KIFU__STAND, 2, place);
    commit->line = line;
    commit->count = count;
}

// --- Events ----------------------------------------------------------------------------------------------------------

// A record for each segment.
static void add_events(kifu__commit *commit, kifu__branch *branch, uint32_t first)
{
    for (uint32_t event = first, end; event < branch->end; event = end) {
        const kifu__segment *segment = kifu__path_segment(branch, event, &end);
        kifu__begin_record(commit);
        kifu__rows_add(&commit->body, commit->stream->shapes, commit->plan->timeline->rules, segment,
                       event - segment->first, end - segment->first);
        kifu__end_record(commit, KIFU__EVENTS);
    }
    commit->events |= first < branch->end;
}

// Those of more than `first` events.
static void add_hashes(kifu__commit *commit, const kifu__branch *branch, uint32_t first)
{
    const uint32_t begin = branch->checkpoint_count ? kifu__checkpoints_up_to(branch, first) : 0;
    uint32_t before = 0;
    if (begin == branch->checkpoint_count)
        return;
    kifu__begin_record(commit);
    for (uint32_t i = begin; i < branch->checkpoint_count; i++) {
        kifu__add_number(&commit->body, branch->checkpoints[i].event_count - before);
        add_bytes(commit, &branch->checkpoints[i].hash, sizeof branch->checkpoints[i].hash);
        before = branch->checkpoints[i].event_count;
    }
    kifu__end_record(commit, KIFU__HASHES);
}

void kifu__commit_events(kifu__commit *commit, kifu__branch *branch)
{
    const bool known = commit->stream->begun && branch->file_end != KIFU_NONE;
    const uint32_t end = known ? branch->file_end : branch->from;
    const uint32_t same = known && branch->unchanged < end ? branch->unchanged : end;
    commit->current |= branch == commit->plan->timeline->log.branch;
    if (same == end && branch->end == end)
        return;
    stand(commit, branch->number, same);
    if (branch->end == same)
        kifu__add_record(commit, KIFU__CUT, 0, NULL);
    add_events(commit, branch, same);
    commit->count = branch->end;
    add_hashes(commit, branch, same);
}

// --- What waits ------------------------------------------------------------------------------------------------------

static void add_proposals(kifu__commit *commit, kifu__row consequences, kifu__row inputs, uint32_t executed)
{
    kifu__segment segment;
    if (!kifu__seal_waiting(commit->plan, consequences, inputs, executed, &segment))
        return;
    if (segment.count)
        kifu__rows_add(&commit->body, commit->stream->shapes, commit->plan->timeline->rules, &segment, 0,
                       segment.count);
    kifu__free(&commit->plan->timeline->memory, segment.bytes);
}

// The actions that are set, or were at the moment `kept`, if the file has others. `said` becomes new memory then.
static kifu__blob actions_of(kifu__commit *commit, const kifu__kept *kept, kifu__said *said)
{
    kifu__plan plan = {.timeline = commit->plan->timeline};
    kifu__written written = {.actions = *said};
    kifu__blob actions = {.size = 0};
    kifu__plan_actions(&plan, &written, kept);
    if (plan.count)
        actions = (kifu__blob){.bytes = plan.pieces[0].payload, .size = plan.pieces[0].size};
    if (!plan.result) // Else its memory is gone again.
        *said = written.actions;
    kifu__plan_fail(commit->plan, plan.result);
    kifu__free(&plan.timeline->memory, plan.pieces);
    return actions;
}

void kifu__commit_kept(kifu__commit *commit, const kifu__branch *branch, uint32_t place, const kifu__kept *kept)
{
    static const kifu__queue none = {.count = 0};
    const kifu__queue *consequences = kept ? &kept->consequences : &none, *inputs = kept ? &kept->inputs : &none;
    kifu__said said = {.bytes = NULL};
    kifu__blob actions = {.size = 0};
    if (kept)
        actions = actions_of(commit, kept, &said);
    kifu__begin_record(commit);
    kifu__add_number(&commit->body, branch->number);
    kifu__add_number(&commit->body, place);
    kifu__add_number(&commit->body, actions.size);
    add_bytes(commit, actions.bytes, actions.size);
    add_proposals(commit, (kifu__row){consequences, kifu__queue_first(consequences)},
                  (kifu__row){inputs, kifu__queue_first(inputs)}, place);
    kifu__end_record(commit, KIFU__KEPT);
    kifu__free(&commit->plan->timeline->memory, actions.bytes);
}

static int by_place(const void *a, const void *b)
{
    const kifu__place_kept *one = (const kifu__place_kept *)a, *other = (const kifu__place_kept *)b;
    if (one->branch != other->branch)
        return one->branch < other->branch ? -1 : 1;
    return (one->place > other->place) - (one->place < other->place);
}

// In ascending order, so that a reader that keeps what waits in a list finds its end.
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
        const kifu__kept *there = branch->kept;
        while (there && there->executed > place)
            there = there->next;
        kifu__commit_kept(commit, branch, place, there && there->executed == place ? there : NULL);
    }
}

// The list begins with the last place.
void kifu__commit_all_kept(kifu__commit *commit, const kifu__branch *branch)
{
    const kifu__memory *memory = &commit->plan->timeline->memory;
    uint32_t count = 0;
    for (const kifu__kept *kept = branch->kept; kept; kept = kept->next)
        count++;
    const kifu__kept **all = count ? (const kifu__kept **)kifu__new(memory, count * sizeof *all) : NULL;
    kifu__plan_fail(commit->plan, count && !all ? KIFU_NO_MEMORY : KIFU_OK);
    const kifu__kept *kept = all ? branch->kept : NULL;
    for (uint32_t i = 0; kept; kept = kept->next)
        all[i++] = kept;
    while (all && count-- > 0 && !commit->plan->result)
        kifu__commit_kept(commit, branch, all[count]->executed, all[count]);
    kifu__free(memory, (void *)all);
}

// What came behind that which the file has; and how many that it has are gone.
static kifu__row find_fresh(const kifu_rules *rules, const kifu__queue *queue, bool begun, kifu__queued *said,
                            uint32_t *gone)
{
    // Or one that is not in the file is among those that are: all are written.
    const bool whole = !begun || (said->count != said->sound && !kifu__is_said(queue, said));
    const uint32_t from = queue->said > queue->head && !whole ? queue->said : queue->head;
    kifu__row fresh = {queue, from < queue->tail ? (kifu__proposal *)(void *)(queue->bytes + from) : NULL};
    uint32_t count = 0;
    for (kifu__proposal *at = fresh.first; at; at = kifu__queue_next(queue, at))
        count++;
    const uint32_t kept = begun && kifu__is_said(queue, said) ? said->sound : queue->count - count;
    *gone = said->sound - kept;
    *said = (kifu__queued){queue->count, kept + kifu__count_sound(rules, fresh)};
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
    if (!inputs_gone && !consequences_gone && !consequences.first && !inputs.first)
        return;
    kifu__begin_record(commit);
    kifu__add_number(&commit->body, inputs_gone);
    kifu__add_number(&commit->body, consequences_gone);
    add_proposals(commit, consequences, inputs, commit->count);
    kifu__end_record(commit, KIFU__QUEUE);
}

static void add_actions(kifu__commit *commit)
{
    const kifu__blob actions = actions_of(commit, NULL, &commit->stream->actions);
    if (!actions.size)
        return;
    kifu__begin_record(commit);
    add_bytes(commit, actions.bytes, actions.size);
    kifu__end_record(commit, KIFU__ACTIONS);
    if (commit->stream->actions.bytes != actions.bytes)
        kifu__free(&commit->plan->timeline->memory, actions.bytes);
}

// --- The state -------------------------------------------------------------------------------------------------------

static void add_hash(kifu__plan *plan, bool with_state)
{
    const kifu_timeline *timeline = plan->timeline;
    kifu__commit *commit = plan->commit;
    const uint64_t hash = kifu_state_hash(timeline);
    kifu__begin_record(commit);
    add_bytes(commit, &hash, sizeof hash);
    if (with_state && !timeline->options.reset) // A model outside is not in the state's bytes.
        add_bytes(commit, timeline->core.state, timeline->rules->state_size);
    kifu__end_record(commit, KIFU__HASH);
}

// --- All of it -------------------------------------------------------------------------------------------------------

static void add_position(kifu__commit *commit)
{
    const kifu_stream_position *position = &commit->stream->position;
    kifu__begin_record(commit);
    add_bytes(commit, &position->stream, sizeof position->stream);
    kifu__add_number(&commit->body, position->commit);
    add_bytes(commit, &position->checksum, sizeof position->checksum);
    kifu__end_record(commit, KIFU__POSITION);
}

static void add_all(kifu__commit *commit, kifu__place_kept *kept, uint32_t kept_count, bool with_state)
{
    kifu__plan *plan = commit->plan;
    kifu_timeline *timeline = plan->timeline;
    kifu__stream *stream = commit->stream;
    const bool anew = !stream->begun;
    kifu__log_show(&timeline->log);
    if (anew)
        add_position(commit);
    else if (stream->new_shapes) {
        kifu__shapes_cut(stream->shapes, 0);
        kifu__add_record(commit, KIFU__SHAPES, 0, NULL);
    }
    commit->any = false;
    kifu__plan_parts(plan, KIFU__LOG_LINES);
    if (!commit->current && !plan->result)
        kifu__commit_events(commit, timeline->log.branch);
    if (!plan->result)
        kifu__plan_parts(plan, KIFU__LOG_APPEND);
    if (anew && !commit->lines && !plan->result)
        kifu__commit_all_kept(commit, timeline->log.branch);
    add_kept(commit, kept, anew ? 0 : kept_count);
    stand(commit, timeline->log.branch->number, kifu_event_count(timeline));
    if (!plan->result)
        add_queue(commit);
    if (!plan->result)
        add_actions(commit);
    if (commit->any || anew)
        kifu__plan_present(plan, with_state, add_hash);
    stream->line = commit->line;
    stream->executed = commit->count;
    stream->begun = true;
}

void kifu__plan_commit_of(kifu__plan *plan, kifu__stream *stream, kifu__place_kept *kept, uint32_t kept_count,
                          bool with_state)
{
    const kifu__memory *memory = &plan->timeline->memory;
    kifu__commit commit = {.plan = plan,
                           .stream = stream,
                           .line = stream->line,
                           .count = stream->executed,
                           .records = {.memory = memory},
                           .body = {.memory = memory}};
    plan->commit = &commit;
    kifu__build(&commit.records, 0, NULL, KIFU__LINK_SIZE, 1);
    add_all(&commit, kept, kept_count, with_state);
    plan->commit = NULL;
    plan->events |= commit.events;
    kifu__plan_fail(plan, commit.records.result);
    kifu__free(memory, commit.body.bytes);
    if (commit.any && !plan->result)
        kifu__plan_add(plan, KIFU__FRAME_COMMIT, commit.records.bytes, commit.records.size, true);
    else
        kifu__free(memory, commit.records.bytes);
}
