// Verifying a replay: the log is executed again beside the state, and compared with what is known of the past. Where
// that differs, the way from the last place that agreed is gone again, to name the event and the field.

#include <stdio.h>

#include "difference.h"
#include "timeline_impl.h"

// Each as large as the state.
typedef struct kifu__rerun {
    kifu_timeline *timeline;
    kifu_difference *difference;
    unsigned char *now;   // The state of the run.
    unsigned char *good;  // At the last place that agreed,
    uint32_t good_at;     // which is after so many events.
    unsigned char *wrong; // At the first place that did not.
    unsigned char *past;  // As something else tells it: the journal, or a second run.
    size_t size;
    bool failed; // What was wrong is that a Do failed: as `failure` says.
    kifu_error failure;
    uint32_t unjournaled; // The last place where the journal tells another past; KIFU_NONE: there is none.
} kifu__rerun;

static const char advice[] = "a Do function must depend on nothing but the state and its event, and nothing else may "
                             "write to the state";

static const char *name_of(const kifu_timeline *timeline, uint32_t event)
{
    const kifu__segment *segment = kifu__log_segment_of(&timeline->log, event);
    return timeline->rules->types[segment->types[event - segment->first]].table->name;
}

static bool same(const kifu__rerun *run, const unsigned char *left, const unsigned char *right)
{
    return memcmp(left, right, run->timeline->rules->state_size) == 0;
}

// Fills in where; what the states differ in is there already.
static kifu_result found(kifu__rerun *run, uint32_t first, uint32_t event)
{
    run->difference->first = first;
    run->difference->event = event;
    run->difference->name = name_of(run->timeline, event);
    return KIFU_DIVERGED;
}

static bool differ(kifu__rerun *run, const unsigned char *expected, const unsigned char *actual)
{
    return kifu__describe_difference(run->timeline->rules, expected, actual, run->difference);
}

// --- Narrowing -------------------------------------------------------------------------------------------------------

// A Do that fails now did not fail then.
static kifu_result failed_at(kifu__rerun *run, uint32_t first)
{
    kifu_error *error = &run->timeline->error;
    if (error->result == KIFU_NO_MEMORY)
        return KIFU_NO_MEMORY;
    differ(run, run->now, run->now); // nothing is known of fields
    return error->result = found(run, first, error->event);
}

static kifu_result report(kifu__rerun *run, uint32_t first, uint32_t event)
{
    found(run, first, event);
    kifu_difference *difference = run->difference;
    char field[300] = "";
    if (difference->field[0])
        snprintf(field, sizeof field, ": %s is %s, it was %s when it happened", difference->field, difference->actual,
                 difference->expected);
    if (first == event)
        return kifu__error_of_event(&run->timeline->error, KIFU_DIVERGED, event,
                                    "event %u (%s) gave another state when it was executed again%s; %s",
                                    (unsigned)event, difference->name, field, advice);
    return kifu__error_of_event(&run->timeline->error, KIFU_DIVERGED, event,
                                "one of the events %u to %u (the last is a %s) gave another state when it was executed "
                                "again%s; %s (set kifu_options.hash_interval to 1 to learn which event)",
                                (unsigned)first, (unsigned)event, difference->name, field, advice);
}

static kifu_result report_twice(kifu__rerun *run, uint32_t event)
{
    found(run, event, event);
    const kifu_difference *difference = run->difference;
    return kifu__error_of_event(&run->timeline->error, KIFU_DIVERGED, event,
                                "event %u (%s) gives another state each time it is executed: %s is %s, then %s; %s",
                                (unsigned)event, difference->name, difference->field, difference->expected,
                                difference->actual, advice);
}

// The state after `count` events where something has kept it and it has the hash that was recorded; else NULL.
static const unsigned char *kept_state(kifu__rerun *run, uint32_t count, const uint64_t *hash)
{
    kifu_timeline *timeline = run->timeline;
    uint32_t size = timeline->rules->state_size;
    if (count == timeline->executed && (!hash || kifu__hash_state(timeline->core.state, size) == *hash))
        return timeline->core.state;
    if (kifu__journal_state_at(timeline, count, run->past) && (!hash || kifu__hash_state(run->past, size) == *hash))
        return run->past;
    const kifu__keyframe *keyframe = kifu__keyframes_find(&timeline->keyframes, count);
    bool found = keyframe && keyframe->event_count == count;
    return found && (!hash || kifu__hash_state(keyframe->state, size) == *hash) ? keyframe->state : NULL;
}

// Between `good` and `count` events something differs, as `wrong` shows.
static kifu_result narrow(kifu__rerun *run, uint32_t count, const uint64_t *hash)
{
    kifu_timeline *timeline = run->timeline;
    uint32_t from = run->good_at;
    const unsigned char *kept = kept_state(run, count, hash);
    if (!run->failed && count - from == 1 && kept && differ(run, kept, run->wrong))
        return report(run, from, from);
    // The journal tells all states in between where it tells both ends.
    bool journaled = kept && kifu__journal_state_at(timeline, from, run->past) && same(run, run->past, run->good);
    memcpy(run->now, run->good, run->size);
    for (uint32_t event = from; event < count; event++) {
        memcpy(run->past, run->now, run->size);
        kifu__scribble(0x5a);
        if (kifu__replay_into(timeline, run->now, event, event + 1))
            return failed_at(run, journaled ? event : from);
        if (journaled) {
            if (kifu__journal_state_at(timeline, event + 1, run->past) && differ(run, run->past, run->now))
                return report(run, event, event);
            continue;
        }
        kifu__scribble(0xa5);
        if (kifu__replay_into(timeline, run->past, event, event + 1))
            return failed_at(run, event);
        if (differ(run, run->now, run->past))
            return report_twice(run, event);
    }
    if (run->failed) { // and does not now
        timeline->error = run->failure;
        return failed_at(run, from);
    }
    kept = kept_state(run, count, hash); // once more: it may have been in `past`
    differ(run, kept ? kept : run->wrong, run->wrong);
    return report(run, from, count - 1);
}

// --- The journal -----------------------------------------------------------------------------------------------------

// The replay agrees with all that was recorded, but undo would lead elsewhere: finds the last event that it gets wrong.
static kifu_result find_unjournaled(kifu__rerun *run)
{
    kifu_timeline *timeline = run->timeline;
    memset(run->now, 0, run->size);
    kifu_result result = kifu__replay_into(timeline, run->now, 0, run->unjournaled);
    for (uint32_t event = run->unjournaled; !result && event < timeline->executed; event++) {
        memcpy(run->good, run->now, run->size); // before the event
        result = kifu__replay_into(timeline, run->now, event, event + 1);
        if (result || !kifu__journal_state_at(timeline, event + 1, run->past) || !same(run, run->past, run->now))
            continue;
        kifu__journal_state_at(timeline, event, run->past);
        differ(run, run->good, run->past);
        found(run, event, event);
        return kifu__error_of_event(&timeline->error, KIFU_DIVERGED, event,
                                    "event %u (%s) changed the state without an edit function: %s was %s before it, "
                                    "and undo would leave %s; change the state through the generated edit functions "
                                    "only",
                                    (unsigned)event, run->difference->name, run->difference->field,
                                    run->difference->expected, run->difference->actual);
    }
    return result ? failed_at(run, run->unjournaled) : KIFU_OK;
}

// --- The run ---------------------------------------------------------------------------------------------------------

// A place where the run agrees with what was recorded, if anything was: the journal should lead there, too.
static void agreed(kifu__rerun *run, uint32_t count)
{
    memcpy(run->good, run->now, run->size);
    run->good_at = count;
    if (kifu__journal_state_at(run->timeline, count, run->past) && !same(run, run->past, run->now))
        run->unjournaled = count;
}

static kifu_result differs_now(kifu__rerun *run, uint32_t count, const uint64_t *hash)
{
    memcpy(run->wrong, run->now, run->size);
    return narrow(run, count, hash);
}

// Somebody wrote to the state after its last event.
static kifu_result written_to(kifu__rerun *run)
{
    kifu_timeline *timeline = run->timeline;
    differ(run, run->now, timeline->core.state);
    kifu_difference *difference = run->difference;
    if (!timeline->executed)
        return kifu__error(&timeline->error, KIFU_DIVERGED,
                           "the state was changed before any event: %s is %s, not %s; only Do functions may change it",
                           difference->field, difference->actual, difference->expected);
    uint32_t last = timeline->executed - 1;
    found(run, last, last);
    return kifu__error_of_event(&timeline->error, KIFU_DIVERGED, last,
                                "the state was changed after its last event, %u (%s), and by none: %s is %s, it was "
                                "%s; only Do functions may change it",
                                (unsigned)last, difference->name, difference->field, difference->actual,
                                difference->expected);
}

static kifu_result run_all(kifu__rerun *run)
{
    kifu_timeline *timeline = run->timeline;
    uint32_t checkpoint = 0, count = 0;
    const kifu__checkpoint *recorded = NULL;
    agreed(run, 0);
    while (count < timeline->executed) {
        uint32_t stop = timeline->executed;
        recorded = NULL;
        while (checkpoint < timeline->checkpoint_count && timeline->checkpoints[checkpoint].event_count <= count)
            checkpoint++;
        if (checkpoint < timeline->checkpoint_count && timeline->checkpoints[checkpoint].event_count <= stop) {
            recorded = &timeline->checkpoints[checkpoint];
            stop = recorded->event_count;
        }
        uint32_t journal_first = timeline->journal.first_event;
        if (journal_first > count && journal_first < stop) {
            stop = journal_first;
            recorded = NULL;
        }
        if (kifu__replay_into(timeline, run->now, count, stop)) {
            run->failed = true;
            run->failure = timeline->error;
            return timeline->error.result == KIFU_NO_MEMORY ? KIFU_NO_MEMORY
                                                            : differs_now(run, timeline->error.event + 1, NULL);
        }
        count = stop;
        if (recorded && kifu__hash_state(run->now, timeline->rules->state_size) != recorded->hash)
            return differs_now(run, count, &recorded->hash);
        if (recorded)
            agreed(run, count);
        else if (kifu__journal_state_at(timeline, count, run->past) && !same(run, run->past, run->now))
            run->unjournaled = count;
    }
    if (!same(run, run->now, timeline->core.state))
        return recorded || !count ? written_to(run) : differs_now(run, count, NULL);
    return run->unjournaled == KIFU_NONE ? KIFU_OK : find_unjournaled(run);
}

kifu_result kifu_verify_replay(kifu_timeline *timeline, kifu_difference *difference)
{
    kifu_difference unwanted;
    if (!difference)
        difference = &unwanted;
    *difference = (kifu_difference){.event = KIFU_NONE, .first = KIFU_NONE};
    kifu_result result = kifu__require_idle(timeline, "kifu_verify_replay");
    if (result)
        return result;
    if (timeline->options.reset)
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "kifu_verify_replay cannot compare a model outside the state: it knows the state only");
    size_t size = ((size_t)timeline->rules->state_size + 15) & ~(size_t)15;
    unsigned char *blocks = (unsigned char *)kifu__new(&timeline->memory, 4 * size);
    if (!blocks)
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for executing the log again");
    memset(blocks, 0, 4 * size);
    kifu__rerun run = {
        .timeline = timeline,
        .difference = difference,
        .now = blocks,
        .good = blocks + size,
        .wrong = blocks + 2 * size,
        .past = blocks + 3 * size,
        .size = size,
        .unjournaled = KIFU_NONE,
    };
    result = run_all(&run);
    kifu__free(&timeline->memory, blocks);
    return result;
}
