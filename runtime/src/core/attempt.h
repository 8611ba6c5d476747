/// One proposal on its way into the log, with what is tried in its place.
///
/// What is tried instead is a copy that takes the place of the first proposal: its ticket, its cause, its place in the
/// queue, and, if a player's event is tried, its player. (An engine event has no player to pass on: what is tried in
/// place of one keeps the player for whom it was submitted.) The first proposal waits until something is recorded or
/// rejected in its place, so nothing is lost if memory runs out. A follower of a ticket is called for the final outcome
/// alone.
#ifndef KIFU_SRC_ATTEMPT_H
#define KIFU_SRC_ATTEMPT_H

#include "core/resolve.h"

typedef struct kifu__attempt {
    kifu__queue *queue;      ///< Where it waits,
    bool popped;             ///< unless it does not any more.
    uint32_t executed;       ///< So many events were executed before it.
    kifu__proposal original; ///< Its head.
    uint32_t type;           ///< Of what is tried now,
    uint32_t before[3]; ///< and, where alternates are, of what was tried before that, the last one first; 0: nothing.
    kifu__resolution resolution;
} kifu__attempt;

/// Whether an event was refused; anything else but KIFU_OK is an error.
static inline bool kifu__is_refusal(kifu_result result)
{
    return result == KIFU_REJECTED || result == KIFU_FAILED || result == KIFU_RUNAWAY || result == KIFU_INVALID_EVENT;
}

/// Takes the proposal out of its queue, where it is.
static inline void kifu__attempt_pop(kifu_timeline *timeline, kifu__attempt *attempt)
{
    kifu__queue_pop(attempt->queue);
    attempt->popped = true;
    if (KIFU__QUICK && !timeline->consequences.count && !timeline->inputs.count)
        timeline->core.slow &= ~(uint32_t)KIFU__WAITS;
}

/// Calls the parts that want to know what became of the proposal. `event`: KIFU_NONE if it did not happen.
void kifu__attempt_report(kifu_timeline *timeline, const kifu__attempt *attempt, kifu_result result, uint32_t event);

/// The event that just ran failed in Do or in a reaction: takes it back, and says why, or prepares the event to try in
/// its place.
kifu_result kifu__attempt_fail(kifu_timeline *timeline, kifu__attempt *attempt, kifu_result result,
                               const kifu__moment *before);

/// Drops a proposal that may not happen, and calls the parts and the view for it. Only inputs stop the run: a rejected
/// consequence is the rules at work.
kifu_result kifu__attempt_drop(kifu_timeline *timeline, kifu__attempt *attempt, kifu_result result);

/// Drops a proposal in whose place too many others were tried.
kifu_result kifu__attempt_too_many(kifu_timeline *timeline, kifu__attempt *attempt);

// --- Running it (run.c), also for what has begun it in another way (play.c) ------------------------------------------

/// The proposal was tried, with `result`: tries others in its place, where it says so.
kifu_result kifu__attempt_go_on(kifu_timeline *timeline, kifu__attempt *attempt, kifu_result result);

/// The Do of the event has returned `result`: the event stands, and is shown, or it is taken back. `before`: how
/// everything was.
kifu_result kifu__attempt_end(kifu_timeline *timeline, kifu__attempt *attempt, const void *event,
                              const kifu__moment *before, kifu_result result);

/// The event stands, as the last one: calls the listeners and the view for it. KIFU_DIVERGED, not reported yet: the
/// sync test takes it back.
kifu_result kifu__show_live(kifu_timeline *timeline, uint32_t type, const void *event, uint32_t number);

/// Runs the next proposal, or reports a fault of a submit.
kifu_result kifu__run_one(kifu_timeline *timeline);

/// As `kifu_run`, where one input waits, and nothing else is to be done (play.c).
kifu_result kifu__play_waiting(kifu_timeline *timeline);

/// Runs until nothing waits, as `kifu_run`; `result`: of what ran before.
kifu_result kifu__run_rest(kifu_timeline *timeline, kifu_result result);

/// The next event is that of an input.
static inline void kifu__begin_input(kifu_timeline *timeline)
{
    timeline->running.input_first = timeline->executed;
    timeline->running.consequence_count = 0;
}

/// Nothing is said of the Do that runs next.
static inline void kifu__running(kifu_timeline *timeline)
{
    timeline->running.flags = 0;
    timeline->running.fail_instead = 0;
    timeline->fail_reason[0] = '\0'; // of a Do that went on all the same
}

/// Whether there may be more to do for the event that has just happened: it is shown, or listeners hear of it.
static inline bool kifu__must_show(const kifu_timeline *timeline)
{
    const kifu__journal *journal = &timeline->journal;
    const uint32_t slow = timeline->core.slow & ~(uint32_t)KIFU__WAITS;
    return slow == KIFU__HEARD
               ? kifu__is_heard(timeline->heard, journal->entries + journal->starts[journal->start_count - 1],
                                timeline->core.journal)
               : slow != 0;
}

/// The Do has returned.
static inline void kifu__leave(kifu_timeline *timeline)
{
    timeline->core.phase = KIFU__IDLE;
    timeline->core.journal_end = timeline->core.journal;
    timeline->executed++;
}

#endif
