// Faults: what goes wrong in a call that cannot return it, and calls from where they are not allowed.
//
// The error of a submit waits until the next call that runs the timeline, or fails the Do in which it happened. So a
// submit can return a ticket, and its caller need not check every call.

#include <stdio.h>

#include "core/timeline.h"

const char kifu__back_to_present[] = "go back with kifu_seek(timeline, KIFU_PRESENT), or make a copy to play on with "
                                     "kifu_fork";

void kifu__fault(kifu_timeline *timeline, kifu_result result, const char *format, ...)
{
    if (timeline->fault.result)
        return;
    kifu__changed(timeline);
    const kifu__phase phase = timeline->core.phase; // The view is called without an event, too.
    bool running = phase != KIFU__IDLE && phase != KIFU__TRYING && phase != KIFU__SHOWING;
    va_list arguments;
    va_start(arguments, format);
    kifu__error_with(&timeline->fault, result, running ? kifu__event(&timeline->core) : KIFU_NONE, UINT64_MAX, format,
                     arguments);
    va_end(arguments);
}

kifu_result kifu__misuse(kifu_timeline *timeline, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    kifu__error_with(&timeline->error, KIFU_MISUSE, KIFU_NONE, UINT64_MAX, format, arguments);
    va_end(arguments);
    kifu__fault(timeline, KIFU_MISUSE, "%s", timeline->error.message);
    return KIFU_MISUSE;
}

const char *kifu__reason(kifu_timeline *timeline, kifu_result result)
{
    if (timeline->fault.result)
        return timeline->fault.message;
    if ((unsigned)result >= KIFU__RESULT_COUNT) {
        snprintf(timeline->fail_reason, sizeof timeline->fail_reason,
                 "its Do or a reaction returned %d, which is no kifu_result: return KIFU_OK or kifu_fail", (int)result);
        return timeline->fail_reason;
    }
    return result == KIFU_FAILED && timeline->fail_reason[0] ? timeline->fail_reason : kifu_result_text(result);
}

void kifu__forget_reason(kifu_timeline *timeline)
{
    timeline->fault.result = KIFU_OK;
    timeline->fail_reason[0] = '\0';
}

void kifu__fault_in(kifu_timeline *timeline, const char *what, const char *name)
{
    const kifu_error fault = timeline->fault;
    kifu__error_of_event(&timeline->fault, fault.result, fault.event, "in %s%s: %s", what, name, fault.message);
}

kifu_result kifu__report_fault(kifu_timeline *timeline)
{
    kifu_result result = timeline->fault.result;
    if (result) {
        timeline->error = timeline->fault;
        timeline->fault.result = KIFU_OK;
    }
    return result;
}

const char kifu__try_is_open[] = "a try is open: call kifu_take_back first";

kifu_result kifu__require_idle(kifu_timeline *timeline, const char *call)
{
    kifu__changed(timeline);
    if (timeline->core.phase == KIFU__IDLE)
        return kifu__has_handler(timeline, begins) ? timeline->dispatch->begin(timeline) : KIFU_OK;
    if (timeline->core.phase == KIFU__TRYING)
        return kifu__error(&timeline->error, KIFU_MISUSE, "%s was called while %s", call, kifu__try_is_open);
    return kifu__misuse(timeline,
                        "%s was called while an event runs (from Do, a check, a reaction, a view function or a "
                        "kifu_progress): call it from outside",
                        call);
}

kifu_result kifu__require_calm(kifu_timeline *timeline, const char *call)
{
    kifu_result result = kifu__require_idle(timeline, call);
    return result ? result : kifu__report_fault(timeline);
}

kifu_result kifu__require_present(kifu_timeline *timeline, const char *call)
{
    if (!timeline->past.shown)
        return KIFU_OK;
    return kifu__error(&timeline->error, KIFU_MISUSE, "%s was called while the past is shown: %s", call,
                       kifu__back_to_present);
}

kifu_result kifu__require_no_transaction(kifu_timeline *timeline, const char *call)
{
    return timeline->transactions.open
               ? kifu__error(&timeline->error, KIFU_MISUSE,
                             "%s was called inside a transaction: commit or roll back first", call)
               : KIFU_OK;
}

const kifu_error *kifu_last_error(const kifu_timeline *timeline)
{
    return &timeline->error;
}

kifu_result kifu_fail(kifu_timeline *timeline, const char *reason)
{
    kifu__changed(timeline);
    timeline->running.fail_instead = 0;
    snprintf(timeline->fail_reason, sizeof timeline->fail_reason, "%.255s", reason ? reason : "no reason given");
    return KIFU_FAILED;
}

kifu_result kifu_fail_instead(kifu_timeline *timeline, kifu_ticket ticket)
{
    if (timeline->core.phase == KIFU__REPLAYING) // The sync test executes it again, where nothing is submitted.
        return KIFU_FAILED;
    if (timeline->core.phase != KIFU__DOING) {
        kifu__fault(timeline, KIFU_MISUSE,
                    "kifu_fail_instead was called outside of a Do function: a check or a hook returns kifu_instead");
        return KIFU_FAILED;
    }
    kifu_result result = kifu_fail(timeline, "the event to try instead could not be submitted");
    timeline->running.fail_instead = ticket;
    return result;
}
