// Commits and their records, for all who write them.

#include "save/write_commit.h"

#include "history/seek.h"
#include "save/saved.h"

// --- A commit --------------------------------------------------------------------------------------------------------

kifu__commit kifu__begin_commit(kifu__plan *plan, kifu__stream *stream, const kifu__event_form *form)
{
    const kifu__memory *memory = &plan->timeline->memory;
    return (kifu__commit){.plan = plan,
                          .form = form,
                          .stream = stream,
                          .line = stream->line,
                          .count = stream->executed,
                          .records = {.memory = memory},
                          .body = {.memory = memory}};
}

void kifu__end_commit(kifu__commit *commit)
{
    kifu__plan *plan = commit->plan;
    const kifu__memory *memory = &plan->timeline->memory;
    kifu__plan_fail(plan, commit->records.result);
    kifu__free(memory, commit->body.bytes);
    if (commit->any && !plan->result)
        kifu__plan_add(plan, KIFU__FRAME_COMMIT, commit->records.bytes, commit->records.size, true);
    else
        kifu__free(memory, commit->records.bytes);
    commit->records = commit->body = (kifu__blob){.memory = memory};
    commit->any = false;
}

// --- Parts -----------------------------------------------------------------------------------------------------------

void kifu__plan_parts(kifu__plan *plan, kifu__saving what)
{
    for (const kifu__part *part = plan->timeline->parts; part && !plan->result; part = part->next) {
        if (part->table->saved && part->table->saved->plan)
            part->table->saved->plan(plan, what);
    }
}

void kifu__plan_root(kifu__plan *plan)
{
    if (plan->timeline->log.begin)
        kifu__saved_by(plan->timeline, KIFU__ROOT)->table->saved->plan_root(plan);
}

// --- Records ---------------------------------------------------------------------------------------------------------

void kifu__begin_record(kifu__commit *commit)
{
    kifu__build_anew(&commit->body, &commit->plan->timeline->memory);
}

void kifu__end_record(kifu__commit *commit, kifu__record kind)
{
    if (!commit->records.size)
        kifu__build(&commit->records, 0, NULL, KIFU__LINK_SIZE, 1);
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

void kifu__add_bytes(kifu__commit *commit, const void *bytes, uint32_t size)
{
    if (size)
        kifu__build(&commit->body, 0, bytes, size, 1);
}

void kifu__commit_stand(kifu__commit *commit, uint32_t line, uint32_t count)
{
    const uint32_t place[] = {line, count};
    if (commit->line != line || commit->count != count)
        kifu__add_record(commit, KIFU__STAND, 2, place);
    commit->line = line;
    commit->count = count;
}

void kifu__commit_branch(kifu__commit *commit, uint32_t number, uint32_t parent, uint32_t from)
{
    const uint32_t numbers[] = {number, parent, from};
    kifu__add_record(commit, KIFU__BRANCH, 3, numbers);
    commit->line = number;
    commit->count = from;
    if (commit->stream->next <= number)
        commit->stream->next = number + 1;
}

// --- Events ----------------------------------------------------------------------------------------------------------

// Of more than `first` events, and at most `end`.
static void add_hashes(kifu__commit *commit, const kifu__branch *branch, uint32_t first, uint32_t end)
{
    uint32_t at = branch->checkpoint_count ? kifu__checkpoints_up_to(branch, first) : 0, before = 0;
    const kifu__checkpoint *all = branch->checkpoints;
    if (at == branch->checkpoint_count || all[at].event_count > end)
        return;
    kifu__begin_record(commit);
    for (; at < branch->checkpoint_count && all[at].event_count <= end; at++) {
        kifu__add_number(&commit->body, all[at].event_count - before);
        kifu__add_bytes(commit, &all[at].hash, sizeof all[at].hash);
        before = all[at].event_count;
    }
    kifu__end_record(commit, KIFU__HASHES);
}

void kifu__commit_range(kifu__commit *commit, kifu__branch *branch, uint32_t first, uint32_t end)
{
    if (first < end)
        commit->form->events(commit, branch, first, end);
    commit->plan->events += first < end ? end - first : 0;
    commit->count = end;
    add_hashes(commit, branch, first, end);
}

// --- What waits ------------------------------------------------------------------------------------------------------

// The most bytes that the events of one pending segment may have.
#define MOST_PENDING (UINT64_C(1) << 30)

static bool is_sound(const kifu_rules *rules, kifu__proposal *proposal)
{
    return !kifu__check_proposal(rules->types[proposal->type].table, kifu__proposal_blob(proposal), NULL);
}

uint32_t kifu__count_sound(const kifu_rules *rules, kifu__row row)
{
    uint32_t count = 0;
    for (kifu__proposal *at = row.first; at; at = kifu__queue_next(row.queue, at))
        count += is_sound(rules, at);
    return count;
}

static kifu_result seal_row(kifu__segment *segment, const kifu_timeline *timeline, kifu__row row, uint8_t flag,
                            uint32_t executed)
{
    const kifu_rules *rules = timeline->rules;
    kifu_result result = KIFU_OK;
    for (kifu__proposal *at = row.first; at && !result; at = kifu__queue_next(row.queue, at)) {
        if (!is_sound(rules, at))
            continue;
        const bool caused = flag == KIFU__CONSEQUENCE && at->cause != KIFU_NONE;
        const uint32_t distance = caused ? executed - at->cause : 0;
        const kifu__mark mark = {
            .cause = distance > UINT16_MAX ? 0 : (uint16_t)distance,
            .player = at->player,
            .flags = at->flags | flag,
        };
        result = kifu__segment_add(segment, &timeline->memory, rules, at->type, kifu__proposal_blob(at), at->size, mark,
                                   MOST_PENDING);
    }
    return result;
}

bool kifu__seal_waiting(kifu__plan *plan, kifu__row consequences, kifu__row inputs, uint32_t executed,
                        kifu__segment *segment)
{
    const kifu_timeline *timeline = plan->timeline;
    const kifu_rules *rules = timeline->rules;
    const uint32_t count = kifu__count_sound(rules, consequences) + kifu__count_sound(rules, inputs);
    kifu_result result =
        kifu__segment_new(&timeline->memory, rules, rules->rules_version, count, 16 * (uint64_t)count, segment);
    kifu__plan_fail(plan, result);
    if (result)
        return false;
    result = seal_row(segment, timeline, consequences, KIFU__CONSEQUENCE, executed);
    if (!result)
        result = seal_row(segment, timeline, inputs, 0, executed);
    kifu__plan_fail(plan, result);
    if (result)
        kifu__free(&timeline->memory, segment->bytes);
    return !result;
}

static void add_proposals(kifu__commit *commit, kifu__row consequences, kifu__row inputs, uint32_t executed)
{
    kifu__segment segment;
    if (!kifu__seal_waiting(commit->plan, consequences, inputs, executed, &segment))
        return;
    if (segment.count)
        commit->form->waiting(commit, &segment);
    else
        kifu__free(&commit->plan->timeline->memory, segment.bytes);
}

// The actions that are set, or were at the moment `kept`, if the file has others.
static kifu__blob changed_actions(kifu__commit *commit, const kifu__kept *kept, uint64_t *recorded)
{
    const kifu__turn_rules *turns = commit->plan->timeline->rules->turns;
    return turns && turns->frames ? turns->frames->make(commit->plan, kept, recorded) : (kifu__blob){.size = 0};
}

void kifu__commit_kept(kifu__commit *commit, const kifu__branch *branch, uint32_t place, const kifu__kept *kept)
{
    kifu__row consequences = {.first = NULL}, inputs = {.first = NULL};
    uint64_t recorded = 0;
    kifu__blob actions = {.size = 0};
    if (kept) {
        consequences = kifu__row_of(&kept->consequences);
        inputs = kifu__row_of(&kept->inputs);
        actions = changed_actions(commit, kept, &recorded);
    }
    kifu__begin_record(commit);
    kifu__add_number(&commit->body, branch->number);
    kifu__add_number(&commit->body, place);
    kifu__add_number(&commit->body, actions.size);
    kifu__add_bytes(commit, actions.bytes, actions.size);
    add_proposals(commit, consequences, inputs, place);
    kifu__end_record(commit, KIFU__KEPT);
    kifu__free(&commit->plan->timeline->memory, actions.bytes);
}

void kifu__commit_all_kept(kifu__commit *commit, const kifu__branch *branch, uint32_t first, uint32_t last)
{
    const kifu__kept *kept = kifu__kept_from(branch, first);
    for (; kept && kept->executed <= last && !commit->plan->result; kept = kifu__kept_from(branch, kept->executed + 1))
        kifu__commit_kept(commit, branch, kept->executed, kept);
}

void kifu__commit_queue(kifu__commit *commit, uint32_t inputs_gone, uint32_t consequences_gone,
                        const kifu__row *consequences, const kifu__row *inputs)
{
    if (!inputs_gone && !consequences_gone && !consequences->first && !inputs->first)
        return;
    kifu__begin_record(commit);
    kifu__add_number(&commit->body, inputs_gone);
    kifu__add_number(&commit->body, consequences_gone);
    add_proposals(commit, *consequences, *inputs, commit->count);
    kifu__end_record(commit, KIFU__QUEUE);
}

void kifu__commit_actions(kifu__commit *commit)
{
    const kifu__blob actions = changed_actions(commit, NULL, &commit->stream->actions);
    if (!actions.size)
        return;
    kifu__begin_record(commit);
    kifu__add_bytes(commit, actions.bytes, actions.size);
    kifu__end_record(commit, KIFU__ACTIONS);
    kifu__free(&commit->plan->timeline->memory, actions.bytes);
}

// --- The state -------------------------------------------------------------------------------------------------------

void kifu__commit_hash(kifu__commit *commit, uint64_t hash, const void *state)
{
    kifu__begin_record(commit);
    kifu__add_bytes(commit, &hash, sizeof hash);
    if (state)
        kifu__add_bytes(commit, state, commit->plan->timeline->rules->state_size);
    kifu__end_record(commit, KIFU__HASH);
}

void kifu__commit_present(kifu__commit *commit, bool with_state)
{
    kifu__plan *plan = commit->plan;
    kifu_timeline *timeline = plan->timeline;
    const bool sought = timeline->past.shown;
    const bool bare = !with_state || timeline->options.reset; // A model outside is not in the state's bytes.
    const uint32_t shown = timeline->executed;
    if (!plan->result && sought)
        plan->result = kifu__seek_quietly(timeline, KIFU_PRESENT);
    if (!plan->result)
        kifu__commit_hash(commit, kifu_state_hash(timeline), bare ? NULL : timeline->core.state);
    const kifu_error error = timeline->error;
    const kifu_result back = sought ? kifu__seek_quietly(timeline, shown) : KIFU_OK;
    if (plan->result)
        timeline->error = error;
    else
        plan->result = back;
}
