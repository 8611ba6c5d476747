// Running: one proposal after the other through resolve → seal → Do → reactions → Act.

#include "core/resolve.h"

#include <stdio.h>

// Where the state, the log and the queue of consequences were before an event ran.
typedef struct kifu__savepoint {
    uint32_t executed;
    uint32_t queue_bytes; // from head to tail: submitting may move them
    uint32_t queue_count;
    int64_t consequence_count;
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

// A proposal that is being run, or what is tried in its place.
typedef struct attempt {
    kifu__queue *queue;      // where it waits,
    bool popped;             // unless it does not any more
    kifu__proposal original; // its head
    uint32_t type;           // of what is tried now
    uint32_t before[3];      // and of what was tried before that, the last one first; 0: nothing was
    kifu__resolution resolution;
} attempt;

static void tell(kifu_timeline *timeline, const attempt *attempt, kifu_result result, uint32_t event)
{
    if (timeline->followed_count)
        kifu__tell_outcome(timeline, attempt->original.ticket, result, event, attempt->type, &attempt->resolution);
}

// The input had too many consequences: says so. Everything since the savepoint is to be taken back. `event`: which one
// had the last; KIFU_NONE: the input.
static kifu__savepoint runaway(kifu_timeline *timeline, uint32_t event)
{
    char causes[300];
    describe_causes(timeline, event, causes, sizeof causes);
    kifu__error_of_event(&timeline->error, KIFU_RUNAWAY, timeline->input_first,
                         "the input had more than %u consequences and was taken back: %s%s; submit fewer, or raise "
                         "kifu_options.max_consequences",
                         (unsigned)timeline->options.max_consequences, timeline->fault.message, causes);
    uint32_t open = timeline->transaction_count;
    uint32_t first = open ? timeline->transactions[open - 1].executed : 0;
    kifu__savepoint point = {.executed = first > timeline->input_first ? first : timeline->input_first};
    timeline->turn.runaways += timeline->turn.begun_at == point.executed;
    return point;
}

// The event that just ran in Do or a reaction may not stand: takes it back, and says why, or makes ready what is to be
// tried in its place.
static kifu_result fail(kifu_timeline *timeline, attempt *attempt, kifu_result result, kifu__savepoint point)
{
    const char *name = timeline->rules->types[attempt->type].table->name;
    uint32_t event = timeline->core.event;
    bool instead = timeline->fail_instead && result == KIFU_FAILED && !timeline->fault.result &&
                   kifu__take_alternate(timeline, &timeline->consequences, point.queue_bytes, timeline->fail_instead,
                                        &attempt->original);
    kifu_result fault = timeline->fault.result;
    if (fault == KIFU_RUNAWAY) {
        point = runaway(timeline, event);
    } else if (fault) {
        kifu__error_of_event(&timeline->error, fault, event, "event %u (%s) was taken back: %s", (unsigned)event, name,
                             timeline->fault.message);
    } else if (!instead) {
        bool told = result == KIFU_FAILED && timeline->fail_reason[0];
        const char *reason = told ? timeline->fail_reason : kifu_result_text(result);
        kifu__error_of_event(&timeline->error, KIFU_FAILED, event, "event %u (%s) was taken back: %s", (unsigned)event,
                             name, reason);
        kifu__error_ends_in(&timeline->error, reason);
    }
    if (fault == KIFU_NO_MEMORY) // Played again, it will happen.
        timeline->records.incomplete = true;
    timeline->fault.result = KIFU_OK;
    timeline->fail_reason[0] = '\0';
    timeline->phase = KIFU__IDLE;
    if (timeline->sync)
        kifu__sync_take_back(timeline);
    kifu_result worse = take_back(timeline, point);
    if (timeline->sync && !worse && fault != KIFU_RUNAWAY) // The journal may hold what was written past it.
        kifu__sync_take_back(timeline);
    if (fault == KIFU_RUNAWAY)
        kifu__record(timeline, KIFU__RECORD_BACK, NULL);
    if (timeline->followed_count)
        kifu__forget_followers(timeline, attempt->original.ticket);
    result = worse ? worse : instead ? KIFU_OK : timeline->error.result;
    if (fault == KIFU_RUNAWAY || timeline->options.reset)
        result = kifu__show_anew(timeline, result);
    attempt->resolution.instead = !result;
    if (result)
        tell(timeline, attempt, result, KIFU_NONE);
    return result;
}

void kifu__show(kifu_timeline *timeline, uint32_t type, const void *event)
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

// Hooks submit without end: takes back the input.
static kifu_result drop_input(kifu_timeline *timeline, attempt *attempt)
{
    kifu__savepoint point = runaway(timeline, attempt->original.cause);
    timeline->fault.result = KIFU_OK;
    if (!attempt->popped)
        kifu__queue_pop(attempt->queue);
    attempt->popped = true;
    kifu_result worse = take_back(timeline, point);
    kifu__record(timeline, KIFU__RECORD_BACK, NULL);
    const kifu_result result = kifu__show_anew(timeline, worse ? worse : KIFU_RUNAWAY);
    tell(timeline, attempt, result, KIFU_NONE);
    if (timeline->followed_count)
        kifu__forget_followers(timeline, 0);
    return result;
}

// Drops a proposal that may not happen, and tells whoever wants to know. Only inputs stop the run: a rejected
// consequence is the rules at work.
static kifu_result drop(kifu_timeline *timeline, attempt *attempt, kifu_result result)
{
    const kifu_view *view = timeline->options.view;
    if (result == KIFU_NO_MEMORY && !attempt->popped)
        return result; // It still waits.
    // What hooks submitted stands for itself.
    if (timeline->aside.count && result == KIFU_REJECTED && !kifu__release_aside(timeline, attempt->original.cause)) {
        if (timeline->fault.result == KIFU_NO_MEMORY && !attempt->popped)
            return kifu__take_fault(timeline); // It still waits.
        if (timeline->fault.result == KIFU_RUNAWAY)
            return drop_input(timeline, attempt);
    }
    if (!attempt->popped)
        kifu__queue_pop(attempt->queue);
    attempt->popped = true;
    tell(timeline, attempt, result, KIFU_NONE);
    if (view && view->rejected && !timeline->quiet) {
        const kifu_error error = timeline->error; // A call of the view's may fail in between.
        timeline->phase = KIFU__SHOWING;
        view->rejected(view->context, timeline, &error);
        timeline->phase = KIFU__IDLE;
        timeline->error = error;
        if (timeline->sync)
            kifu__sync_unchanged(timeline, KIFU_NONE, "the view's function for what was rejected", "");
    }
    if (timeline->fault.result)
        return kifu__take_fault(timeline);
    return result == KIFU_REJECTED && attempt->queue == &timeline->consequences ? KIFU_OK : result;
}

static const char *fate(const attempt *attempt)
{
    return attempt->popped ? "the event is gone" : "the event still waits";
}

// Seals the proposal into the log. When there is no memory, it still waits, unless it was tried in place of another.
static kifu_result seal(kifu_timeline *timeline, attempt *attempt, kifu__proposal *proposal, const void **event)
{
    if (timeline->undone_count)
        kifu__drop_undone(timeline);
    if (!kifu__journal_open(&timeline->journal, &timeline->core, &timeline->memory))
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for the undo journal; %s", fate(attempt));
    // A save may tell of a cause that is further back than a mark can say.
    uint32_t distance = proposal->cause == KIFU_NONE ? 0 : timeline->executed - proposal->cause;
    kifu__mark mark = {
        .cause = distance > UINT16_MAX ? 0 : (uint16_t)distance,
        .player = proposal->player,
        .flags = proposal->flags,
    };
    kifu_result result =
        kifu__log_append(&timeline->log, proposal->type, kifu__proposal_blob(proposal), proposal->size, mark, event);
    if (result) {
        kifu__journal_restore(&timeline->journal, &timeline->core, timeline->executed);
        return kifu__error(&timeline->error, result, "%s: %s; the log has %u events", kifu_result_text(result),
                           fate(attempt), (unsigned)timeline->executed);
    }
    if (!attempt->popped)
        kifu__queue_pop(attempt->queue);
    attempt->popped = true;
    return KIFU_OK;
}

// Runs the event that was just sealed.
static kifu_result execute(kifu_timeline *timeline, attempt *attempt, const void *event)
{
    const uint32_t type = attempt->type, number = timeline->executed;
    kifu__savepoint before = savepoint_of(timeline);
    const kifu_rng rng = kifu__game(timeline)->rng;
    const uint32_t open = timeline->transaction_count;
    timeline->running_flags = 0;
    timeline->fail_instead = 0;
    timeline->turn.has_cost = false;
    if (timeline->aside.count)
        kifu__release_aside(timeline, number);
    timeline->phase = KIFU__DOING;
    if (timeline->sync)
        kifu__sync_before_do(timeline);
    kifu_result result = timeline->rules->do_event(timeline, type, timeline->core.state, event, timeline->transient);
    if (timeline->transaction_count != open)
        kifu__end_of_do(timeline, open, result);
    if (timeline->turn.ticket && timeline->turn.ticket == attempt->original.ticket && !result)
        kifu__spend_energy(timeline);
    timeline->phase = KIFU__IDLE;
    kifu__journal_close(&timeline->core);
    if (timeline->sync)
        kifu__sync_after_do(timeline, type, event, result);
    timeline->executed++;
    if (!result && !timeline->fault.result && timeline->listeners.rules.count && !timeline->deferring)
        result = kifu__react(timeline, number);
    if (result || timeline->fault.result) {
        timeline->executed--;
        return fail(timeline, attempt, result, before);
    }
    if (memcmp(&rng, &kifu__game(timeline)->rng, sizeof rng) != 0)
        timeline->running_flags |= KIFU_RANDOM;
    if (timeline->running_flags)
        kifu__log_add_flags(&timeline->log, timeline->running_flags);
    if (timeline->executed == timeline->due)
        kifu__record_due(timeline);
    tell(timeline, attempt, KIFU_OK, number);
    if (timeline->listeners.view.count)
        kifu__tell_listeners(timeline, number, false, kifu__journal_start(&timeline->journal, &timeline->core, number),
                             timeline->core.journal);
    if (timeline->options.view && !timeline->quiet)
        kifu__show(timeline, type, event);
    if (timeline->sync)
        kifu__sync_unchanged(timeline, number, "Act", "");
    if (!timeline->fault.result)
        return KIFU_OK;
    if (timeline->fault.result == KIFU_DIVERGED)
        return fail(timeline, attempt, KIFU_OK, before);
    if (timeline->fault.event == KIFU_NONE) { // of who was shown it
        timeline->fault.event = timeline->core.event;
        kifu__fault_in(timeline, "what shows ", timeline->rules->types[type].table->name);
    }
    return kifu__take_fault(timeline);
}

static kifu_result too_many(kifu_timeline *timeline, attempt *attempt)
{
    const kifu__type *types = timeline->rules->types;
    char chain[300] = "";
    size_t used = 0;
    for (int i = 2; i >= 0 && used < sizeof chain; i--) {
        if (attempt->before[i])
            used +=
                (size_t)snprintf(chain + used, sizeof chain - used, "%s -> ", types[attempt->before[i]].table->name);
    }
    kifu__error(&timeline->error, KIFU_RUNAWAY,
                "%s did not happen: more than %u events were tried in its place, at last %s%s -> %s; let one of them "
                "happen or be rejected, or raise kifu_options.max_alternates",
                types[attempt->original.type].table->name, (unsigned)timeline->options.max_alternates, chain,
                types[attempt->type].table->name, types[kifu__queue_first(&timeline->alternate)->type].table->name);
    return drop(timeline, attempt, KIFU_RUNAWAY);
}

// `attempt->resolution.instead`: once more, with the alternate.
static kifu_result try_once(kifu_timeline *timeline, attempt *attempt, kifu__proposal *proposal)
{
    attempt->type = proposal->type;
    attempt->resolution.instead = false;
    attempt->resolution.hook = NULL;
    timeline->running_player = proposal->player;
    timeline->core.event = timeline->executed;
    kifu_result result = KIFU_OK;
    if (kifu__is_asked(&timeline->rules->types[proposal->type]))
        result = kifu__resolve(timeline, proposal, &attempt->original, &attempt->resolution);
    if (result)
        return drop(timeline, attempt, result);
    if (attempt->resolution.instead)
        return KIFU_OK;
    const void *event;
    bool popped = attempt->popped;
    result = seal(timeline, attempt, proposal, &event);
    if (!result)
        return execute(timeline, attempt, event);
    if (popped)
        tell(timeline, attempt, result, KIFU_NONE);
    return result;
}

// What did not happen for want of memory, or by the sync test, would happen when the game is played again.
static void unrecord(kifu_timeline *timeline, const attempt *attempt, kifu_result result, uint32_t executed,
                     uint32_t records)
{
    if (timeline->executed > executed || !timeline->options.record_inputs ||
        (result != KIFU_NO_MEMORY && result != KIFU_DIVERGED))
        return;
    if (attempt->queue == &timeline->inputs)
        kifu__cut_records(timeline, records);
    else if (attempt->popped)
        timeline->records.incomplete = true;
}

// Hooks change a copy: where memory ends before it has happened, they are asked again. NULL without memory.
static kifu__proposal *copy_of(kifu_timeline *timeline, kifu__proposal *proposal)
{
    kifu__queue_cut(&timeline->alternate, 0, 0);
    if (kifu__queue_push(&timeline->alternate, &timeline->memory, proposal, kifu__proposal_blob(proposal)))
        return kifu__queue_first(&timeline->alternate);
    kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for asking hooks; the event still waits");
    return NULL;
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
    const uint32_t executed = timeline->executed, records = timeline->records.count;
    if (queue == &timeline->inputs) {
        timeline->input_first = timeline->executed;
        timeline->consequence_count = 0;
        if (timeline->options.record_inputs)
            kifu__record(timeline, KIFU__RECORD_INPUT, proposal);
    }
    if (timeline->aside.count)
        kifu__queue_cut(&timeline->aside, 0, 0);
    attempt attempt = {.queue = queue, .original = *proposal};
    kifu_result result;
    if (timeline->hooks.count && timeline->rules->types[proposal->type].scope_count) {
        proposal = copy_of(timeline, proposal);
        if (!proposal) {
            unrecord(timeline, &attempt, KIFU_NO_MEMORY, executed, records);
            return KIFU_NO_MEMORY;
        }
    }
    for (uint32_t tried = 0;; tried++) { // One call, which the compiler inlines.
        result = try_once(timeline, &attempt, proposal);
        if (!attempt.resolution.instead)
            break;
        attempt.resolution.instead = false;
        if (tried == timeline->options.max_alternates)
            return too_many(timeline, &attempt);
        attempt.before[2] = attempt.before[1];
        attempt.before[1] = attempt.before[0];
        attempt.before[0] = attempt.type;
        proposal = kifu__queue_first(&timeline->alternate);
    }
    if (result)
        unrecord(timeline, &attempt, result, executed, records);
    return result;
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
        return timeline->speed > 0 ? kifu__play_on(timeline, dt) : KIFU_OK;
    if (dt > 0 && timeline->delay > 0) // time passes for an event that was shown, not before one
        timeline->delay -= dt;
    while (!result && timeline->delay <= 0 && waiting(timeline))
        result = run_one(timeline);
    if (timeline->delay < 0 && !waiting(timeline))
        timeline->delay = 0; // time does not pile up while nothing waits
    return result;
}
