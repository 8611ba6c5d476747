// Running: one proposal after the other through resolve → seal → Do → reactions → Act. Where `core.slow` says that
// no part asks or follows, most of this is one test; listeners and the view are called after the Do, and only there.
//
// `core.slow` is asked before the check, after it and after the Do; an event of the benchmark's mix, submitted and run,
// costs 630 instructions so, and 890 without. (An input that waits alone costs 510: it goes by play.c.) The steps of an
// event are inlined into one function (KIFU__HOT), but not where the library is compiled for size; there the quick ways
// beside functions that can do all are left out, too (KIFU__QUICK): the smallest game has no room for both.

#include "core/attempt.h"

// Forgets what the last Do said, and what its check submitted in vain.
static void forget_attempt(kifu_timeline *timeline)
{
    kifu__running(timeline);
    if (!timeline->played.asked) // The check of the next event has run already.
        kifu__queue_cut(&timeline->aside, 0, 0);
}

uint32_t kifu__find_slow(kifu_timeline *timeline)
{
    forget_attempt(timeline);
    uint32_t slow = timeline->consequences.count || timeline->inputs.count ? KIFU__WAITS : 0U;
    slow |= timeline->handlers & KIFU__LIVE ? KIFU__WATCHED : 0U;
    slow |= timeline->options.view && !timeline->quiet ? KIFU__VIEWED : 0U;
    if (kifu__has_handler(timeline, changed))
        slow |= KIFU__QUICK && timeline->heard ? KIFU__HEARD : KIFU__VIEWED;
    slow |= timeline->past.shown ? KIFU__PAST : 0U;
    slow |= kifu__has_redo(timeline) ? KIFU__REDO : 0U;
    slow |= kifu__has_handler(timeline, settles) ? KIFU__NEW_LINE : 0U;
    slow |= timeline->fault.result ? KIFU__FAULT : 0U;
    return timeline->core.slow = slow;
}

static const char *fate(const kifu__attempt *attempt)
{
    return attempt->popped ? "the event is gone" : "the event still waits";
}

// Why an event does not get into the log.
static KIFU__COLD kifu_result not_sealed(kifu_timeline *timeline, const kifu__attempt *attempt, kifu_result result)
{
    kifu__journal_restore(&timeline->journal, &timeline->core, timeline->executed);
    return kifu__error(&timeline->error, result, "%s: %s; the log has %u events", kifu_result_text(result),
                       fate(attempt), (unsigned)timeline->executed);
}

// What redo could bring back goes, or becomes a variation. False without memory.
static KIFU__COLD bool end_redo(kifu_timeline *timeline)
{
    if (kifu__has_handler(timeline, branches))
        return timeline->dispatch->branch(timeline);
    kifu__redo_drop(timeline);
    return true;
}

// Seals the proposal into the log. When there is no memory, it still waits, unless it was tried in place of another.
static KIFU__HOT kifu_result seal_live(kifu_timeline *timeline, kifu__attempt *attempt, const kifu__type *type,
                                       kifu__proposal *proposal, const void **sealed)
{
    kifu__log *log = &timeline->log;
    if ((kifu__has_redo(timeline) && !end_redo(timeline)) ||
        !kifu__journal_open(&timeline->journal, &timeline->core, &timeline->memory, timeline->running.input_first))
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for undo; %s", fate(attempt));
    // A save may tell of a cause that is further back than a mark can say.
    const uint32_t distance = proposal->cause == KIFU_NONE ? 0 : timeline->executed - proposal->cause;
    const kifu__mark mark = {
        .cause = distance > UINT16_MAX ? 0 : (uint16_t)distance,
        .player = proposal->player,
        .flags = proposal->flags,
    };
    const uint32_t size = proposal->size;
    const void *blob = kifu__proposal_blob(proposal);
    const bool whole =
        KIFU__QUICK && (type->table->flat || proposal->whole || (size % 4 == 0 && kifu__is_whole(type->table, blob)));
    void *event = whole ? kifu__log_room(log, size, type->align) : NULL;
    if (event) {
        kifu__copy_blob(event, blob, size);
        kifu__log_seal(log, type, event, size, mark);
        *sealed = event;
    } else {
        const kifu_result result = kifu__log_append(log, proposal->type, blob, size, mark, sealed);
        if (result)
            return not_sealed(timeline, attempt, result);
    }
    if (!attempt->popped)
        kifu__attempt_pop(timeline, attempt);
    return KIFU_OK;
}

// Do, where no part is told of it; else see part.c.
static KIFU__HOT kifu_result do_live_event(kifu_timeline *timeline, uint32_t type, const void *event)
{
    timeline->core.phase = KIFU__DOING;
    const kifu_result result =
        timeline->rules->do_event(timeline, type, timeline->core.state, event, timeline->transient);
    if (timeline->handlers & (KIFU__HANDLER(do_ends) | KIFU__HANDLER(acted)))
        timeline->dispatch->end_live_do(timeline, result);
    kifu__leave(timeline);
    return result;
}

// A fault from here on is one of the functions that are called, or what the sync test found.
kifu_result kifu__show_live(kifu_timeline *timeline, uint32_t type, const void *event, uint32_t number)
{
    if (kifu__has_handler(timeline, changed))
        timeline->dispatch->happened(timeline, KIFU__DONE, number);
    kifu__show(timeline, type, event);
    if (kifu__has_handler(timeline, ran))
        timeline->dispatch->ran(timeline, number, "Act", "");
    if (!timeline->fault.result || timeline->fault.result == KIFU_DIVERGED)
        return timeline->fault.result;
    if (timeline->fault.event == KIFU_NONE) {
        timeline->fault.event = timeline->core.event;
        kifu__fault_in(timeline, "the view of ", timeline->rules->types[type].table->name);
    }
    return kifu__report_fault(timeline);
}

kifu_result kifu__attempt_end(kifu_timeline *timeline, kifu__attempt *attempt, const void *event,
                              const kifu__moment *before, kifu_result result)
{
    const bool drew = kifu__drew(timeline);
    if (result || timeline->fault.result) {
        timeline->executed--;
        return kifu__attempt_fail(timeline, attempt, result, before);
    }
    if (drew)
        timeline->running.flags |= KIFU_RANDOM;
    if (timeline->running.flags)
        kifu__log_add_flags(&timeline->log, timeline->running.flags);
    if (timeline->executed == timeline->due.at)
        kifu__record_due(timeline);
    if (!timeline->options.view && !(timeline->handlers & KIFU__SHOWN))
        return KIFU_OK;
    kifu__attempt_report(timeline, attempt, KIFU_OK, before->executed);
    result = kifu__show_live(timeline, attempt->type, event, before->executed);
    return timeline->fault.result ? kifu__attempt_fail(timeline, attempt, KIFU_OK, before) : result;
}

// Runs the event that was just sealed.
static KIFU__HOT kifu_result execute_live(kifu_timeline *timeline, kifu__attempt *attempt, const void *event)
{
    const kifu__queue *consequences = &timeline->consequences;
    const kifu__moment before = {
        .executed = timeline->executed,
        .queue_bytes = consequences->tail - consequences->head,
        .queue_count = consequences->count,
        .consequence_count = timeline->running.consequence_count,
    };
    if (timeline->aside.count)
        kifu__release_aside(timeline, before.executed);
    const kifu_result result =
        timeline->handlers & KIFU__LIVE
            ? timeline->dispatch->do_event(timeline, attempt->original.ticket, attempt->type, event)
            : do_live_event(timeline, attempt->type, event);
    const bool done = KIFU__QUICK && !result && timeline->executed != timeline->due.at;
    if (done && !kifu__must_show(timeline))
        return KIFU_OK;
    return done && !kifu__is_slow(timeline) ? kifu__show_live(timeline, attempt->type, event, before.executed)
                                            : kifu__attempt_end(timeline, attempt, event, &before, result);
}

// `attempt->resolution.instead`: once more, with the alternate.
static KIFU__HOT kifu_result try_once(kifu_timeline *timeline, kifu__attempt *attempt, kifu__proposal *proposal)
{
    const kifu__type *type = &timeline->rules->types[proposal->type];
    attempt->type = proposal->type;
    attempt->resolution.hook = NULL;
    timeline->core.player = proposal->player;
    timeline->core.event = timeline->executed;
    kifu_result result = kifu__ask(timeline, type, proposal, &attempt->original, &attempt->resolution);
    if (result)
        return kifu__attempt_drop(timeline, attempt, result);
    if (attempt->resolution.instead)
        return KIFU_OK;
    const void *event;
    const bool popped = attempt->popped;
    result = seal_live(timeline, attempt, type, proposal, &event);
    if (!result)
        return execute_live(timeline, attempt, event);
    if (popped)
        kifu__attempt_report(timeline, attempt, result, KIFU_NONE);
    return result;
}

// What did not happen because memory ran out, or by the sync test, would happen if the game were played again.
static kifu_result not_run(kifu_timeline *timeline, const kifu__attempt *attempt, kifu_result result, uint32_t executed)
{
    if (!attempt->popped) // Its check may have changed it.
        attempt->queue->recorded = 0;
    if (kifu__has_handler(timeline, called) && timeline->executed == executed &&
        (result == KIFU_NO_MEMORY || result == KIFU_DIVERGED))
        timeline->dispatch->called(timeline, attempt->popped ? KIFU__CALL_NOT_RUN : KIFU__CALL_STILL, NULL, 0);
    return result;
}

KIFU__COLD kifu_result kifu__attempt_go_on(kifu_timeline *timeline, kifu__attempt *attempt, kifu_result result)
{
    const uint32_t executed = attempt->executed;
    attempt->before[0] = attempt->before[1] = 0;
    for (uint32_t tried = 0; attempt->resolution.instead; tried++) {
        if (tried == timeline->options.max_alternates)
            return kifu__attempt_too_many(timeline, attempt);
        attempt->before[2] = attempt->before[1];
        attempt->before[1] = attempt->before[0];
        attempt->before[0] = attempt->type;
        attempt->resolution.instead = false;
        kifu__running(timeline);
        result = try_once(timeline, attempt, kifu__queue_first(&timeline->alternate));
    }
    return result ? not_run(timeline, attempt, result, executed) : KIFU_OK;
}

// Something has happened since the last event, or a part must be asked. False: nothing runs, but for `*result`.
static KIFU__COLD bool look_around(kifu_timeline *timeline, kifu_result *result)
{
    if (KIFU__QUICK)
        kifu__find_slow(timeline);
    else
        forget_attempt(timeline);
    if (timeline->played.asked) {
        kifu__changed(timeline); // The check is not simply asked.
        return true;
    }
    kifu__settle_line(timeline);
    *result = kifu__report_fault(timeline); // of a submit from outside
    return !*result && !timeline->past.shown;
}

kifu_result kifu__run_one(kifu_timeline *timeline)
{
    kifu_result result = KIFU_OK;
    if ((!KIFU__QUICK || kifu__is_slow(timeline)) && !look_around(timeline, &result))
        return result;
    kifu__queue *queue = timeline->consequences.count ? &timeline->consequences : &timeline->inputs;
    kifu__proposal *proposal = kifu__queue_first(queue);
    if (!proposal)
        return KIFU_OK;
    const bool is_input = queue == &timeline->inputs;
    if (kifu__has_handler(timeline, called))
        timeline->dispatch->called(timeline, KIFU__CALL_RUN, is_input ? proposal : NULL, 0);
    if (is_input)
        kifu__begin_input(timeline);
    kifu__attempt attempt;
    attempt.queue = queue;
    attempt.popped = false;
    attempt.executed = timeline->executed;
    attempt.original = *proposal;
    attempt.resolution.instead = false;
    // What is held for a roll-back must not change; nor what hooks are asked about, until the event has happened.
    if (queue->head < queue->base || kifu__is_hooked(timeline, proposal->type))
        proposal = timeline->dispatch->copy(timeline, proposal);
    result = proposal ? try_once(timeline, &attempt, proposal) : KIFU_NO_MEMORY;
    return result || attempt.resolution.instead ? kifu__attempt_go_on(timeline, &attempt, result) : KIFU_OK;
}

static bool waiting(const kifu_timeline *timeline)
{
    if (!KIFU__QUICK && timeline->fault.result) // else the first kifu__run_one has told of it
        return true;
    return !timeline->past.shown && (timeline->consequences.count || timeline->inputs.count);
}

kifu_result kifu_step(kifu_timeline *timeline)
{
    kifu_result result = kifu__is_calm(timeline) ? KIFU_OK : kifu__require_idle(timeline, "kifu_step");
    if (result)
        return result;
    timeline->delay = 0;
    result = kifu__run_one(timeline);
    kifu__settle_line(timeline);
    return result;
}

// In a function of its own, because most calls find one event, and a loop is aligned.
static KIFU__COLD kifu_result run_more(kifu_timeline *timeline)
{
    kifu_result result = KIFU_OK;
    while (!result && waiting(timeline))
        result = kifu__run_one(timeline);
    return result;
}

kifu_result kifu__run_rest(kifu_timeline *timeline, kifu_result result)
{
    if (KIFU__QUICK && !result && kifu__is_busy(timeline))
        result = kifu__run_one(timeline);
    if (!result && kifu__is_busy(timeline))
        result = run_more(timeline);
    kifu__settle_line(timeline);
    if (timeline->core.phase == KIFU__IDLE)
        timeline->delay = 0;
    return result;
}

kifu_result kifu_run(kifu_timeline *timeline)
{
    const bool calm = kifu__is_calm(timeline);
    if (calm && timeline->inputs.count == 1 && !timeline->consequences.count)
        return kifu__play_waiting(timeline);
    return kifu__run_rest(timeline, calm ? KIFU_OK : kifu__require_idle(timeline, "kifu_run"));
}

static kifu_result play_past(kifu_timeline *timeline, double dt)
{
    kifu__part *part = timeline->past.speed > 0 ? timeline->parts : NULL;
    while (part && !part->table->plays)
        part = part->next;
    return part ? part->table->plays(timeline, part, dt) : KIFU_OK;
}

kifu_result kifu_update(kifu_timeline *timeline, double dt)
{
    kifu_result result = kifu__require_idle(timeline, "kifu_update");
    if (result)
        return result;
    if (timeline->fault.result) // of a submit from outside: no delay holds that back
        return kifu__report_fault(timeline);
    if (timeline->options.longest_frame > 0 && dt > timeline->options.longest_frame)
        dt = timeline->options.longest_frame;
    if (timeline->past.shown)
        return play_past(timeline, dt);
    if (dt > 0 && timeline->delay > 0) // time passes for an event that was shown, not before one
        timeline->delay -= dt;
    while (!result && timeline->delay <= 0 && waiting(timeline))
        result = kifu__run_one(timeline);
    kifu__settle_line(timeline);
    if (timeline->delay < 0 && !waiting(timeline))
        timeline->delay = 0; // time does not pile up while nothing waits
    return result;
}
