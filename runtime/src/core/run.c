// Running: one proposal after the other through resolve → seal → Do → reactions → Act.

#include <stdio.h>

#include "core/go.h"
#include "core/resolve.h"

// The chain of causes that ends at the event that just ran, newest first: " <- nim.EFlip (event 12) <- …".
static void describe_causes(const kifu_timeline *timeline, uint32_t event, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int links = 0; event != KIFU_NONE; links++) {
        const char *name = kifu__name_of(timeline, event);
        const uint16_t distance = kifu__log_mark(&timeline->log, event)->cause;
        const uint32_t cause = distance ? event - distance : KIFU_NONE;
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

// A proposal that is being run, or what is tried in its place.
typedef struct attempt {
    kifu__queue *queue;      // where it waits,
    bool popped;             // unless it does not any more
    kifu__proposal original; // its head
    uint32_t type;           // of what is tried now
    uint32_t before[3];      // and of what was tried before that, the last one first; 0: nothing was
    kifu__resolution resolution;
} attempt;

static void pop(attempt *attempt)
{
    if (!attempt->popped)
        kifu__queue_pop(attempt->queue);
    attempt->popped = true;
}

// Calls the parts that want to know what became of the proposal. `event`: KIFU_NONE if it did not happen.
static void tell(kifu_timeline *timeline, const attempt *attempt, kifu_result result, uint32_t event)
{
    if (!kifu__hears(timeline, ended))
        return;
    kifu_outcome outcome =
        kifu__outcome_of(attempt->original.ticket, result, event, attempt->type, &attempt->resolution);
    outcome.error = result ? &timeline->error : NULL;
    timeline->tell->ended(timeline, &outcome);
}

// The input had too many consequences: says so, and where to go back to. `event`: which one had the last; KIFU_NONE:
// the input.
static kifu__moment runaway(kifu_timeline *timeline, uint32_t event)
{
    char causes[300];
    describe_causes(timeline, event, causes, sizeof causes);
    kifu__error_of_event(&timeline->error, KIFU_RUNAWAY, timeline->input_first,
                         "the input had more than %u consequences and was taken back: %s%s; submit fewer, or raise "
                         "kifu_options.max_consequences",
                         (unsigned)timeline->options.max_consequences, timeline->fault.message, causes);
    const uint32_t first = timeline->floor > timeline->input_first ? timeline->floor : timeline->input_first;
    if (kifu__hears(timeline, ran_away))
        timeline->tell->ran_away(timeline, first);
    return (kifu__moment){.executed = first};
}

// Says why the event that just ran is taken back.
static void explain(kifu_timeline *timeline, uint32_t type, kifu_result result)
{
    const uint32_t event = timeline->core.event;
    const char *name = timeline->rules->types[type].table->name, *reason = kifu__reason(timeline, result);
    const kifu_result fault = timeline->fault.result;
    kifu__error_of_event(&timeline->error, fault ? fault : KIFU_FAILED, event, "event %u (%s) was taken back: %s",
                         (unsigned)event, name, reason);
    if (!fault)
        kifu__error_ends_in(&timeline->error, reason);
}

// The event that just ran failed in Do or in a reaction: takes it back, and says why, or prepares the event to try in
// its place.
static kifu_result fail(kifu_timeline *timeline, attempt *attempt, kifu_result result, kifu__moment before)
{
    bool instead = timeline->fail_instead && result == KIFU_FAILED && !timeline->fault.result &&
                   kifu__take_alternate(timeline, &timeline->consequences, before.queue_bytes, timeline->fail_instead,
                                        &attempt->original);
    const bool ran_away = timeline->fault.result == KIFU_RUNAWAY;
    if (ran_away)
        before = runaway(timeline, timeline->core.event);
    else if (!instead)
        explain(timeline, attempt->type, result);
    kifu__forget_reason(timeline);
    if (kifu__hears(timeline, fails))
        timeline->tell->fail(timeline, false);
    kifu_result worse = kifu__return_to(timeline, &before);
    if (kifu__hears(timeline, fails) && !ran_away)
        timeline->tell->fail(timeline, true);
    if (kifu__hears(timeline, dropped))
        timeline->tell->dropped(timeline, attempt->original.ticket);
    result = worse ? worse : instead ? KIFU_OK : timeline->error.result;
    if (ran_away || timeline->options.reset)
        result = kifu__show_anew(timeline, result);
    attempt->resolution.instead = !result;
    if (result)
        tell(timeline, attempt, result, KIFU_NONE);
    return result;
}

// Hooks submit without end: takes back the input.
static kifu_result drop_input(kifu_timeline *timeline, attempt *attempt)
{
    const kifu__moment before = runaway(timeline, attempt->original.cause);
    timeline->fault.result = KIFU_OK;
    pop(attempt);
    kifu_result worse = kifu__return_to(timeline, &before);
    const kifu_result result = kifu__show_anew(timeline, worse ? worse : KIFU_RUNAWAY);
    tell(timeline, attempt, result, KIFU_NONE);
    if (kifu__hears(timeline, dropped))
        timeline->tell->dropped(timeline, 0);
    return result;
}

// Drops a proposal that may not happen, and calls the parts and the view for it. Only inputs stop the run: a rejected
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
    pop(attempt);
    tell(timeline, attempt, result, KIFU_NONE);
    if (view && view->rejected && !timeline->quiet) {
        const kifu_error error = timeline->error; // A call of the view's may fail in between.
        kifu_outcome outcome =
            kifu__outcome_of(attempt->original.ticket, result, KIFU_NONE, attempt->type, &attempt->resolution);
        outcome.error = &error;
        timeline->core.phase = KIFU__SHOWING;
        view->rejected(view->context, timeline, &outcome);
        timeline->core.phase = KIFU__IDLE;
        timeline->error = error;
        if (kifu__hears(timeline, ran))
            timeline->tell->ran(timeline, KIFU_NONE, "kifu_view.rejected", "");
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
    if (timeline->redo.count)
        kifu__redo_drop(timeline);
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
    pop(attempt);
    return KIFU_OK;
}

// Do, and the rules' reactions to it. `watched`: there are parts.
static inline kifu_result do_event(kifu_timeline *timeline, const attempt *attempt, const void *event, bool watched)
{
    kifu__live live = {.ticket = attempt->original.ticket, .type = attempt->type, .event = event};
    const uint32_t number = timeline->executed;
    timeline->core.phase = KIFU__DOING;
    if (watched && kifu__hears(timeline, before_do))
        timeline->tell->before_do(timeline);
    live.result = timeline->rules->do_event(timeline, live.type, timeline->core.state, event, timeline->transient);
    if (timeline->end_of_do)
        timeline->end_of_do(timeline, live.result);
    if (watched && kifu__hears(timeline, after_do))
        timeline->tell->after_do(timeline, &live);
    if (watched && kifu__hears(timeline, acted))
        timeline->tell->acted(timeline, &live);
    timeline->core.phase = KIFU__IDLE;
    kifu__journal_close(&timeline->core);
    timeline->executed++;
    if (watched && kifu__hears(timeline, reacts) && !live.result && !timeline->fault.result && !timeline->deferring)
        live.result = timeline->tell->react(timeline, number);
    return live.result;
}

// The event stands: lets everybody know. A fault from here on is of who was shown it.
static kifu_result show(kifu_timeline *timeline, attempt *attempt, const void *event, kifu__moment before)
{
    const uint32_t number = before.executed;
    tell(timeline, attempt, KIFU_OK, number);
    if (kifu__hears(timeline, changed)) {
        const kifu__change change = {
            .kind = KIFU__DONE,
            .event = number,
            .from = kifu__journal_start(&timeline->journal, &timeline->core, number),
            .end = timeline->core.journal,
        };
        timeline->tell->changed(timeline, &change);
    }
    kifu__show(timeline, attempt->type, event);
    if (kifu__hears(timeline, ran))
        timeline->tell->ran(timeline, number, "Act", "");
    if (!timeline->fault.result)
        return KIFU_OK;
    if (timeline->fault.result == KIFU_DIVERGED)
        return fail(timeline, attempt, KIFU_OK, before);
    if (timeline->fault.event == KIFU_NONE) {
        timeline->fault.event = timeline->core.event;
        kifu__fault_in(timeline, "the view of ", timeline->rules->types[attempt->type].table->name);
    }
    return kifu__take_fault(timeline);
}

// Runs the event that was just sealed.
static kifu_result execute(kifu_timeline *timeline, attempt *attempt, const void *event)
{
    const kifu__moment before = kifu__moment_of(timeline);
    const kifu_rng rng = kifu__game(timeline)->rng;
    const bool watched = (timeline->heard & KIFU__LIVE) != 0;
    timeline->running_flags = 0;
    timeline->fail_instead = 0;
    timeline->fail_reason[0] = '\0'; // of a Do that went on all the same
    if (timeline->aside.count)
        kifu__release_aside(timeline, before.executed);
    kifu_result result = watched ? do_event(timeline, attempt, event, true) : do_event(timeline, attempt, event, false);
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
    const bool shown = timeline->options.view || (watched && timeline->heard & KIFU__SHOWN);
    return shown ? show(timeline, attempt, event, before) : KIFU_OK;
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
    timeline->core.player = proposal->player;
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

// Hooks change a copy. If memory runs out before the event has happened, they run again. NULL without memory.
static kifu__proposal *copy_of(kifu_timeline *timeline, kifu__proposal *proposal)
{
    kifu__queue_cut(&timeline->alternate, 0, 0);
    if (kifu__queue_push(&timeline->alternate, &timeline->memory, proposal, kifu__proposal_blob(proposal)))
        return kifu__queue_first(&timeline->alternate);
    kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for hooks; the event still waits");
    return NULL;
}

// What did not happen because memory ran out, or by the sync test, would happen if the game were played again.
static kifu_result not_run(kifu_timeline *timeline, const attempt *attempt, kifu_result result, uint32_t executed)
{
    if (!attempt->popped) // Its check may have changed it.
        attempt->queue->said = 0;
    if (kifu__hears(timeline, called) && timeline->executed == executed &&
        (result == KIFU_NO_MEMORY || result == KIFU_DIVERGED))
        timeline->tell->called(timeline, attempt->popped ? KIFU__CALL_NOT_RUN : KIFU__CALL_STILL, NULL, 0);
    return result;
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
    const bool is_input = queue == &timeline->inputs;
    if (kifu__hears(timeline, called))
        timeline->tell->called(timeline, KIFU__CALL_RUN, is_input ? proposal : NULL, 0);
    if (is_input) {
        timeline->input_first = timeline->executed;
        timeline->consequence_count = 0;
    }
    if (timeline->aside.count)
        kifu__queue_cut(&timeline->aside, 0, 0);
    attempt attempt = {.queue = queue, .original = *proposal};
    const uint32_t executed = timeline->executed;
    if (timeline->hooked && timeline->rules->types[proposal->type].scope_count) {
        proposal = copy_of(timeline, proposal);
        if (!proposal)
            return not_run(timeline, &attempt, KIFU_NO_MEMORY, timeline->executed);
    }
    for (uint32_t tried = 0;; tried++) { // One call, which the compiler inlines.
        kifu_result result = try_once(timeline, &attempt, proposal);
        if (!attempt.resolution.instead)
            return result ? not_run(timeline, &attempt, result, executed) : KIFU_OK;
        if (tried == timeline->options.max_alternates)
            return too_many(timeline, &attempt);
        attempt.before[2] = attempt.before[1];
        attempt.before[1] = attempt.before[0];
        attempt.before[0] = attempt.type;
        proposal = kifu__queue_first(&timeline->alternate);
    }
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
    if (timeline->core.phase == KIFU__IDLE)
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
        return timeline->speed > 0 ? timeline->film(timeline, dt) : KIFU_OK;
    if (dt > 0 && timeline->delay > 0) // time passes for an event that was shown, not before one
        timeline->delay -= dt;
    while (!result && timeline->delay <= 0 && waiting(timeline))
        result = run_one(timeline);
    if (timeline->delay < 0 && !waiting(timeline))
        timeline->delay = 0; // time does not pile up while nothing waits
    return result;
}
