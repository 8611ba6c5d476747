// What becomes of a proposal that does not happen: it is taken back, or dropped, and its followers and the view get the
// reason.
//
// A failed Do takes back that event alone, and what it submitted. If it was a consequence, the rest of its input goes
// on: the caller sees the error and may undo. A runaway input is taken back whole. The event was sealed before it
// failed, so it ends redo as any new event does.

#include "core/attempt.h"

#include <stdio.h>

// The chain of causes that ends at the event that just ran, newest first: " <- nim.EFlip (event 12) <- …".
static void describe_causes(const kifu_timeline *timeline, uint32_t event, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int links = 0; event != KIFU_NONE && event >= timeline->log.begin; links++) {
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

static void pop_attempt(kifu_timeline *timeline, kifu__attempt *attempt)
{
    if (!attempt->popped)
        kifu__attempt_pop(timeline, attempt);
}

void kifu__attempt_report(kifu_timeline *timeline, const kifu__attempt *attempt, kifu_result result, uint32_t event)
{
    if (!kifu__has_handler(timeline, ended))
        return;
    kifu_outcome outcome =
        kifu__outcome_of(attempt->original.ticket, result, event, attempt->type, &attempt->resolution);
    outcome.error = result ? &timeline->error : NULL;
    timeline->dispatch->ended(timeline, &outcome);
}

// The input had too many consequences or edits: says so, and where to go back to. `event`: which one had the last;
// KIFU_NONE: the input.
static kifu__moment runaway(kifu_timeline *timeline, uint32_t event)
{
    char causes[300];
    describe_causes(timeline, event, causes, sizeof causes);
    const bool edits = !kifu__journal_left(&timeline->journal, &timeline->core, timeline->running.input_first);
    const char *what = edits ? "edits" : "consequences";
    kifu__error_of_event(&timeline->error, KIFU_RUNAWAY, timeline->running.input_first,
                         "the input had more than %u %s and was taken back: %s%s; make fewer, or raise "
                         "kifu_options.max_%s",
                         (unsigned)(edits ? timeline->journal.most_edits : timeline->options.max_consequences), what,
                         timeline->fault.message, causes, what);
    const uint32_t first = timeline->transactions.floor > timeline->running.input_first ? timeline->transactions.floor
                                                                                        : timeline->running.input_first;
    if (kifu__has_handler(timeline, ran_away))
        timeline->dispatch->ran_away(timeline, first);
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

kifu_result kifu__attempt_fail(kifu_timeline *timeline, kifu__attempt *attempt, kifu_result result,
                               const kifu__moment *before)
{
    kifu__moment back = *before;
    bool instead = timeline->running.fail_instead && result == KIFU_FAILED && !timeline->fault.result &&
                   kifu__move_alternate(timeline, &timeline->consequences, before->queue_bytes,
                                        timeline->running.fail_instead, &attempt->original);
    const bool ran_away = timeline->fault.result == KIFU_RUNAWAY;
    if (ran_away)
        back = runaway(timeline, timeline->core.event);
    else if (!instead)
        explain(timeline, attempt->type, result);
    kifu__forget_reason(timeline);
    if (kifu__has_handler(timeline, fails))
        timeline->dispatch->fail(timeline, false);
    kifu_result worse = kifu__return_to(timeline, &back);
    if (kifu__has_handler(timeline, fails) && !ran_away)
        timeline->dispatch->fail(timeline, true);
    if (kifu__has_handler(timeline, dropped))
        timeline->dispatch->dropped(timeline, attempt->original.ticket);
    result = worse ? worse : instead ? KIFU_OK : timeline->error.result;
    if (ran_away || timeline->options.reset)
        result = kifu__show_anew(timeline, result);
    attempt->resolution.instead = instead && !result;
    if (result)
        kifu__attempt_report(timeline, attempt, result, KIFU_NONE);
    return result;
}

// Hooks submit without end: takes back the input.
static kifu_result drop_input(kifu_timeline *timeline, kifu__attempt *attempt)
{
    const kifu__moment before = runaway(timeline, attempt->original.cause);
    timeline->fault.result = KIFU_OK;
    pop_attempt(timeline, attempt);
    kifu_result worse = kifu__return_to(timeline, &before);
    const kifu_result result = kifu__show_anew(timeline, worse ? worse : KIFU_RUNAWAY);
    kifu__attempt_report(timeline, attempt, result, KIFU_NONE);
    if (kifu__has_handler(timeline, dropped))
        timeline->dispatch->dropped(timeline, 0);
    return result;
}

kifu_result kifu__attempt_drop(kifu_timeline *timeline, kifu__attempt *attempt, kifu_result result)
{
    const kifu_view *view = timeline->options.view;
    if (result == KIFU_NO_MEMORY && !attempt->popped)
        return result; // It still waits.
    // What hooks submitted stands for itself.
    if (timeline->aside.count && result == KIFU_REJECTED && !kifu__release_aside(timeline, attempt->original.cause)) {
        if (timeline->fault.result == KIFU_NO_MEMORY && !attempt->popped)
            return kifu__report_fault(timeline); // It still waits.
        if (timeline->fault.result == KIFU_RUNAWAY)
            return drop_input(timeline, attempt);
    }
    pop_attempt(timeline, attempt);
    kifu__attempt_report(timeline, attempt, result, KIFU_NONE);
    if (view && view->rejected && !timeline->quiet) {
        const kifu_error error = timeline->error; // A call of the view's may fail in between.
        kifu_outcome outcome =
            kifu__outcome_of(attempt->original.ticket, result, KIFU_NONE, attempt->type, &attempt->resolution);
        outcome.error = &error;
        timeline->core.phase = KIFU__SHOWING;
        view->rejected(view->context, timeline, &outcome);
        timeline->core.phase = KIFU__IDLE;
        timeline->error = error;
        if (kifu__has_handler(timeline, ran))
            timeline->dispatch->ran(timeline, KIFU_NONE, "kifu_view.rejected", "");
    }
    if (timeline->fault.result)
        return kifu__report_fault(timeline);
    return result == KIFU_REJECTED && attempt->queue == &timeline->consequences ? KIFU_OK : result;
}

kifu_result kifu__attempt_too_many(kifu_timeline *timeline, kifu__attempt *attempt)
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
    return kifu__attempt_drop(timeline, attempt, KIFU_RUNAWAY);
}
