// Running: one proposal after the other through resolve → seal → Do → reactions → Act.

#include "timeline_impl.h"

#include <stdio.h>

#include "table.h"

// Where the state, the log and the queue of consequences were before an event ran.
typedef struct kifu__savepoint {
    uint32_t executed;
    uint32_t queue_bytes; // from head to tail: submitting may move them
    uint32_t queue_count;
    uint32_t consequence_count;
} kifu__savepoint;

static kifu__savepoint savepoint_of(const kifu_timeline *timeline)
{
    kifu__savepoint here = {timeline->executed, timeline->consequences.tail - timeline->consequences.head,
                            timeline->consequences.count, timeline->consequence_count};
    return here;
}

// The chain of causes that ends at the event that just ran, newest first: " <- nim.EFlip (event 12) <- …".
static void describe_causes(const kifu_timeline *timeline, uint32_t event, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int links = 0; event != KIFU_NONE; links++) {
        const kifu__segment *segment = kifu__log_segment_of(&timeline->log, event);
        uint32_t slot = event - segment->first;
        const char *name = timeline->rules->types[segment->types[slot]].table->name;
        uint32_t cause = segment->marks[slot].cause ? event - segment->marks[slot].cause : KIFU_NONE;
        if (links >= 4 && cause != KIFU_NONE) { // the newest links, then the input that began it
            if (links == 4)
                used += (size_t)snprintf(text + used, size - used, " <- ...");
        } else {
            used += (size_t)snprintf(text + used, size - used, " <- %s (event %u)", name, (unsigned)event);
        }
        if (used >= size)
            return;
        event = cause;
    }
}

// Takes back everything since `point`: state, log, and what was submitted.
static kifu_result take_back(kifu_timeline *timeline, kifu__savepoint point)
{
    kifu__queue_cut(&timeline->consequences, point.queue_bytes, point.queue_count);
    timeline->consequence_count = point.consequence_count;
    kifu_error error = timeline->error;
    kifu_result result = kifu__take_back_to(timeline, point.executed);
    if (result) // What cannot be executed again cannot stay, nor what waits because of it.
        kifu__queue_cut(&timeline->consequences, 0, 0);
    else
        timeline->error = error;
    kifu__cut_log(timeline, timeline->executed);
    if (result)
        kifu__transactions_cut(timeline);
    return result;
}

// The event that just ran in Do or a reaction may not stand: takes it back, and says why.
static kifu_result fail(kifu_timeline *timeline, kifu_result result, const char *name, kifu__savepoint point)
{
    uint32_t event = timeline->core.event;
    kifu_result fault = timeline->fault.result;
    if (fault == KIFU_RUNAWAY) {
        char causes[300];
        describe_causes(timeline, event, causes, sizeof causes);
        kifu__error_of_event(&timeline->error, KIFU_RUNAWAY, timeline->input_first,
                             "the input had more than %u consequences and was taken back: %s%s; submit fewer, or raise "
                             "kifu_options.max_consequences",
                             (unsigned)timeline->options.max_consequences, timeline->fault.message, causes);
        uint32_t open = timeline->transaction_count;
        uint32_t first = open ? timeline->transactions[open - 1].executed : 0;
        point = (kifu__savepoint){.executed = first > timeline->input_first ? first : timeline->input_first};
    } else if (fault) {
        kifu__error_of_event(&timeline->error, fault, event, "event %u (%s) was taken back: %s", (unsigned)event, name,
                             timeline->fault.message);
    } else {
        bool told = result == KIFU_FAILED && timeline->fail_reason[0];
        const char *reason = told ? timeline->fail_reason : kifu_result_text(result);
        kifu__error_of_event(&timeline->error, KIFU_FAILED, event, "event %u (%s) was taken back: %s", (unsigned)event,
                             name, reason);
        kifu__error_ends_in(&timeline->error, reason);
    }
    timeline->fault.result = KIFU_OK;
    timeline->fail_reason[0] = '\0';
    timeline->phase = KIFU__IDLE;
    if (timeline->sync)
        kifu__sync_take_back(timeline);
    result = take_back(timeline, point);
    if (timeline->sync && !result && fault != KIFU_RUNAWAY) // The journal may hold what was written past it.
        kifu__sync_take_back(timeline);
    if (!result)
        result = timeline->error.result;
    return fault == KIFU_RUNAWAY || timeline->options.reset ? kifu__show_anew(timeline, result) : result;
}

// Whether the proposal may happen: asks its check, which may change it. Otherwise `timeline->error` says why not.
static kifu_result resolve(kifu_timeline *timeline, kifu__proposal *proposal)
{
    const kifu_rules *rules = timeline->rules;
    const kifu__type *type = &rules->types[proposal->type];
    void *blob = kifu__proposal_blob(proposal);
    kifu_verdict verdict = kifu_accept();
    bool can_break = type->table->check_count || !type->table->flat;
    // A check relies on the schema, and may break it.
    if (type->has_check && can_break && kifu__check_proposal(type->table, blob, &timeline->error))
        return timeline->error.result;
    if (type->is_player && kifu_get_game(timeline)->phase == KIFU_PHASE_GAME_OVER)
        verdict = kifu_reject("the game is over");
    else if (type->has_check) {
        timeline->phase = KIFU__CHECKING;
        verdict = rules->check(timeline, proposal->type, timeline->core.state, blob);
        timeline->phase = KIFU__IDLE;
        if (timeline->sync)
            kifu__sync_unchanged(timeline, timeline->executed, "the check of ", type->table->name);
    }
    if (timeline->fault.result)
        return kifu__take_fault(timeline);
    if (verdict.reason) {
        kifu__error(&timeline->error, KIFU_REJECTED, "%s was rejected: %s", type->table->name, verdict.reason);
        kifu__error_ends_in(&timeline->error, verdict.reason);
        return KIFU_REJECTED;
    }
    if (can_break)
        return kifu__check_proposal(type->table, blob, &timeline->error);
    return KIFU_OK;
}

static void show(kifu_timeline *timeline, uint32_t type, const void *event)
{
    const kifu_view *view = timeline->options.view;
    if (!view || timeline->quiet)
        return;
    timeline->phase = KIFU__SHOWING;
    double delay = timeline->rules->act(view, timeline, type, timeline->core.state, event, timeline->transient);
    timeline->phase = KIFU__IDLE;
    if (delay > 0 && !timeline->quiet) // Act may have turned it quiet
        timeline->delay += delay;
}

// Drops a proposal that may not happen, and tells whoever wants to know. Only inputs stop the run: a rejected
// consequence is the rules at work.
static kifu_result drop(kifu_timeline *timeline, kifu__queue *queue, kifu_result result)
{
    const kifu_view *view = timeline->options.view;
    kifu__queue_pop(queue);
    if (view && view->rejected && !timeline->quiet) {
        const kifu_error error = timeline->error; // A call of the view's may fail in between.
        timeline->phase = KIFU__SHOWING;
        view->rejected(view->context, timeline, &error);
        timeline->phase = KIFU__IDLE;
        timeline->error = error;
        if (timeline->sync)
            kifu__sync_unchanged(timeline, KIFU_NONE, "the view's function for what was rejected", "");
        if (timeline->fault.result)
            return kifu__take_fault(timeline);
    }
    return result == KIFU_REJECTED && queue == &timeline->consequences ? KIFU_OK : result;
}

static kifu_result run_one(kifu_timeline *timeline)
{
    if (timeline->fault.result) // of a submit from outside
        return kifu__take_fault(timeline);
    if (timeline->sought)
        return KIFU_OK;
    kifu__queue *queue = timeline->consequences.count ? &timeline->consequences : &timeline->inputs;
    kifu__proposal *proposal = kifu__queue_first(queue);
    if (!proposal)
        return KIFU_OK;
    const kifu_rules *rules = timeline->rules;
    uint32_t type = proposal->type;
    const kifu__type *description = &rules->types[type];
    if (queue == &timeline->inputs) {
        timeline->input_first = timeline->executed;
        timeline->consequence_count = 0;
    }

    timeline->running_player = proposal->player;
    timeline->core.event = timeline->executed;
    kifu_result result = resolve(timeline, proposal);
    if (result)
        return drop(timeline, queue, result);

    if (timeline->undone_count)
        kifu__drop_undone(timeline);
    if (!kifu__journal_open(&timeline->journal, &timeline->core, &timeline->memory))
        return kifu__error(&timeline->error, KIFU_NO_MEMORY,
                           "out of memory for the undo journal; the event still waits");
    // A save may tell of a cause that is further back than a mark can say.
    uint32_t distance = proposal->cause == KIFU_NONE ? 0 : timeline->executed - proposal->cause;
    kifu__mark mark = {
        .cause = distance > UINT16_MAX ? 0 : (uint16_t)distance,
        .player = proposal->player,
        .flags = proposal->flags,
    };
    const void *event;
    result = kifu__log_append(&timeline->log, type, kifu__proposal_blob(proposal), proposal->size, mark, &event);
    if (result) {
        kifu__journal_restore(&timeline->journal, &timeline->core, timeline->executed);
        return kifu__error(&timeline->error, result, "%s: the event still waits; the log has %u events",
                           kifu_result_text(result), (unsigned)timeline->executed);
    }
    kifu__queue_pop(queue);

    kifu__savepoint before = savepoint_of(timeline);
    const kifu_rng rng = kifu_get_game(timeline)->rng;
    const uint32_t open = timeline->transaction_count;
    timeline->running_flags = 0;
    timeline->phase = KIFU__DOING;
    if (timeline->sync)
        kifu__sync_before_do(timeline);
    result = rules->do_event(timeline, type, timeline->core.state, event, timeline->transient);
    if (timeline->transaction_count != open)
        kifu__end_of_do(timeline, open, result);
    timeline->phase = KIFU__IDLE;
    kifu__journal_close(&timeline->core);
    if (timeline->sync)
        kifu__sync_after_do(timeline, type, event, result);
    timeline->executed++;
    if (!result && !timeline->fault.result && timeline->listeners.rules.count && !timeline->deferring)
        result = kifu__react(timeline, timeline->executed - 1);
    if (result || timeline->fault.result) {
        timeline->executed--;
        return fail(timeline, result, description->table->name, before);
    }
    if (memcmp(&rng, &kifu_get_game(timeline)->rng, sizeof rng) != 0)
        timeline->running_flags |= KIFU_RANDOM;
    if (timeline->running_flags)
        kifu__log_add_flags(&timeline->log, timeline->running_flags);
    if (timeline->executed == timeline->due)
        kifu__record_due(timeline);
    if (timeline->listeners.view.count)
        kifu__tell_listeners(timeline, timeline->executed - 1, false,
                             kifu__journal_start(&timeline->journal, &timeline->core, timeline->executed - 1),
                             timeline->core.journal);
    show(timeline, type, event);
    if (timeline->sync)
        kifu__sync_unchanged(timeline, timeline->executed - 1, "Act", "");
    if (timeline->fault.result == KIFU_DIVERGED)
        return fail(timeline, KIFU_OK, description->table->name, before);
    if (timeline->fault.result && timeline->fault.event == KIFU_NONE) // of who was shown it
        timeline->fault.event = timeline->core.event;
    return kifu__take_fault(timeline);
}

static bool waiting(const kifu_timeline *timeline)
{
    if (timeline->fault.result)
        return true;
    return !timeline->sought && (timeline->consequences.count || timeline->inputs.count);
}

kifu_result kifu_step(kifu_timeline *timeline)
{
    kifu_result result = kifu__require_idle(timeline, "kifu_step");
    if (result)
        return result;
    timeline->delay = 0;
    return run_one(timeline);
}

kifu_result kifu_run(kifu_timeline *timeline)
{
    kifu_result result = kifu__require_idle(timeline, "kifu_run");
    while (!result && waiting(timeline))
        result = run_one(timeline);
    if (timeline->phase == KIFU__IDLE)
        timeline->delay = 0;
    return result;
}

kifu_result kifu_update(kifu_timeline *timeline, double dt)
{
    kifu_result result = kifu__require_idle(timeline, "kifu_update");
    if (result)
        return result;
    if (timeline->fault.result) // of a submit from outside: no delay holds that back
        return kifu__take_fault(timeline);
    if (timeline->sought)
        return KIFU_OK;
    if (dt > 0 && timeline->delay > 0) // time passes for an event that was shown, not before one
        timeline->delay -= dt;
    while (!result && timeline->delay <= 0 && waiting(timeline))
        result = run_one(timeline);
    if (timeline->delay < 0 && !waiting(timeline))
        timeline->delay = 0; // time does not pile up while nothing waits
    return result;
}
