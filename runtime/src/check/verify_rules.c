// Verifying the rules: makes the calls that came from outside again, on a second timeline with every check, hook,
// reaction and trigger, and compares the two logs.

#include <stdio.h>

#include "check/played_again.h"
#include "check/records.h"
#include "wire/difference.h"

typedef struct rerun {
    kifu__played_again played;
    kifu_error refusal; // the last one of `played.again`
} rerun;

// --- Comparing -------------------------------------------------------------------------------------------------------

static kifu_result compare_event(rerun *rerun, uint32_t index)
{
    kifu__played_again *played = &rerun->played;
    const kifu_timeline *timeline = played->timeline;
    const kifu__segment *segment = kifu__log_segment_of(&timeline->log, index);
    kifu_event expected, actual;
    kifu_event_at(timeline, index, &expected);
    const kifu_result result = kifu__compare_event(played, &expected, segment, index - segment->first);
    if (result)
        return result;
    kifu_event_at(played->again, index, &actual);
    // The commit of a transaction adds a flag.
    const uint8_t later = played->again->transactions.open ? KIFU_CONTINUE_UNDO : 0;
    return (expected.flags | later) == (actual.flags | later)
               ? KIFU_OK
               : kifu__differs_in_number(played, &expected, "its flags", expected.flags, actual.flags);
}

static kifu_result compare_events(rerun *rerun, uint32_t count)
{
    kifu_result result = KIFU_OK;
    for (uint32_t event = 0; event < count && !result; event++)
        result = compare_event(rerun, event);
    return result;
}

// --- Playing again ---------------------------------------------------------------------------------------------------

// The record at `at`, or NULL behind the last one; `at` moves behind it.
static const kifu__recorded_call *next_record(const kifu__records *records, uint32_t *at)
{
    if (*at >= records->size)
        return NULL;
    const kifu__recorded_call *record = (const kifu__recorded_call *)(const void *)(records->bytes + *at);
    *at += (uint32_t)sizeof *record + record->size;
    return record;
}

// There were `count` events then, and now there are more or fewer; or the call `refused` fails now. The records from
// `at` on are not played yet. The log no longer has the events that those take back, so these are not compared.
static kifu_result went_elsewhere(rerun *rerun, uint32_t at, uint32_t count, const char *refused)
{
    kifu_timeline *timeline = rerun->played.timeline, *again = rerun->played.again;
    const uint32_t now = again->executed;
    uint32_t known = count < timeline->executed ? count : timeline->executed;
    for (const kifu__recorded_call *record; (record = next_record(kifu__records_of(timeline), &at)) != NULL;)
        known = record->executed < known ? record->executed : known;
    kifu_result result = compare_events(rerun, known < now ? known : now);
    if (result)
        return result;
    kifu_event event = {.name = NULL};
    kifu__played_again *played = &rerun->played;
    if (now > count) {
        kifu_event_at(again, count, &event);
        kifu__differs_in_words(played, &event, "its type", "no event at all", event.name);
    } else if (now < count) {
        kifu_event_at(timeline, now < known ? now : KIFU_NONE, &event);
        event.index = now;
        kifu__differs_in_words(played, &event, "its type", event.name ? event.name : "an event that was undone later",
                               "no event at all");
    } else {
        const uint32_t last = count ? count - 1 : KIFU_NONE;
        kifu_event_at(again, last, &event);
        event.index = last;
        kifu__differs_in_words(played, &event, refused, "done", "refused");
    }
    kifu_error *error = &timeline->error;
    const size_t length = strlen(error->message);
    if (rerun->refusal.result)
        snprintf(error->message + length, sizeof error->message - length, ". What was rejected last: %s",
                 rerun->refusal.message);
    return KIFU_DIVERGED;
}

// The result of a call on `again`. Only KIFU_NO_MEMORY ends the run; everything else shows in the events.
static kifu_result note_rerun(rerun *rerun, kifu_result result)
{
    if (result)
        rerun->refusal = rerun->played.again->error;
    if (result == KIFU_NO_MEMORY)
        rerun->played.timeline->error = rerun->played.again->error;
    return result == KIFU_NO_MEMORY ? result : KIFU_OK;
}

// An EInitialize without a seed gets the one it got then. The log has it, because no undo takes an EInitialize back.
static void set_seed(rerun *rerun)
{
    kifu_event then;
    if (kifu_event_at(rerun->played.timeline, rerun->played.again->executed, &then) &&
        strcmp(then.name, "kifu.EInitialize") == 0)
        rerun->played.again->options.seed = ((const kifu_e_initialize *)then.table)->seed;
}

// One event runs, or is refused as it was then.
static kifu_result rerun_step(rerun *rerun)
{
    set_seed(rerun);
    kifu_result result = note_rerun(rerun, kifu_step(rerun->played.again));
    kifu__queue_cut(&rerun->played.again->inputs, 0, 0); // What followers submitted then was recorded.
    return result;
}

// Runs as many consequences as ran then. With `all`, none waited then: runs whatever waits now, so that it shows.
static kifu_result run_consequences(rerun *rerun, uint32_t steps, bool all)
{
    const kifu__queue *queue = &rerun->played.again->consequences;
    kifu_result result = KIFU_OK;
    for (uint32_t i = 0; (i < steps || all) && queue->count && !result; i++)
        result = rerun_step(rerun);
    return result;
}

static kifu_result run_input(rerun *rerun, const kifu__recorded_call *record)
{
    kifu_timeline *again = rerun->played.again;
    const kifu__proposal *input = (const kifu__proposal *)(const void *)(record + 1);
    const struct kifu__timed *turns = record->number ? again->rules->turns->timed : NULL;
    if (!kifu__queue_push(&again->inputs, &again->memory, input, input + 1) ||
        (turns && !turns->begin_action(again, (kifu_handle)record->number)))
        return kifu__error(&rerun->played.timeline->error, KIFU_NO_MEMORY, "out of memory for playing the game again");
    kifu_result result = rerun_step(rerun);
    if (turns)
        turns->end_action(again);
    return result;
}

static void override(rerun *rerun, const kifu__recorded_call *record)
{
    const kifu__queue *queue = &rerun->played.again->consequences;
    kifu__proposal *proposal = kifu__queue_first(queue);
    for (uint64_t i = 0; i < record->number && proposal; i++)
        proposal = kifu__queue_next(queue, proposal);
    if (proposal) {
        proposal->overridden = true;
        proposal->flags = record->flags;
    }
}

static kifu_result make_call(kifu_timeline *again, const kifu__recorded_call *record)
{
    return record->call == KIFU__CALL_BEGIN    ? kifu_begin(again, record->flags)
           : record->call == KIFU__CALL_COMMIT ? kifu_commit(again)
           : record->call == KIFU__CALL_UNDO   ? kifu_undo(again)
                                               : kifu_redo(again);
}

// One record, and the consequences before it; the next one is at `next`.
static kifu_result play_record(rerun *rerun, const kifu__recorded_call *record, uint32_t next)
{
    static const char *const names[] = {[KIFU__CALL_BEGIN] = "after it kifu_begin",
                                        [KIFU__CALL_COMMIT] = "after it kifu_commit",
                                        [KIFU__CALL_UNDO] = "after it kifu_undo",
                                        [KIFU__CALL_REDO] = "after it kifu_redo"};
    kifu_result result = run_consequences(rerun, record->steps, record->call == KIFU__CALL_RUN);
    if (result)
        return result;
    if (rerun->played.again->executed != record->executed)
        return went_elsewhere(rerun, next, record->executed, NULL);
    if (record->call == KIFU__CALL_RUN)
        return run_input(rerun, record);
    if (record->call == KIFU__CALL_OVERRIDE) {
        override(rerun, record);
        return KIFU_OK;
    }
    const kifu_result made = make_call(rerun->played.again, record);
    result = note_rerun(rerun, made);
    return made && !result ? went_elsewhere(rerun, next, record->executed, names[record->call]) : result;
}

static kifu_result compare_states(rerun *rerun)
{
    kifu_timeline *timeline = rerun->played.timeline;
    kifu_difference *difference = rerun->played.difference;
    if (!kifu__describe_difference(timeline->rules, timeline->core.state, rerun->played.again->core.state, difference))
        return KIFU_OK;
    // The same events led to another state: because of a Do, or of a write without an edit. A replay may say which
    // event.
    kifu_difference found;
    kifu_progress *progress = timeline->progress.function;
    timeline->progress.function = NULL; // which has heard everything
    const kifu_result again = kifu_verify_replay(timeline, &found);
    timeline->progress.function = progress;
    if (again == KIFU_DIVERGED) {
        *difference = found;
        return KIFU_DIVERGED;
    }
    kifu_event last;
    kifu_event_at(timeline, timeline->executed - 1, &last);
    return kifu__differs(&rerun->played, &last, "after it the state's");
}

// The progress function is called after so many bytes of records.
enum { RERUN_TELL_AFTER = 1 << 15 };

static kifu_result play_all(rerun *rerun)
{
    const kifu_timeline *timeline = rerun->played.timeline;
    const kifu__records *records = kifu__records_of(timeline);
    kifu_result result = KIFU_OK;
    uint32_t next = 0, told = 0;
    for (const kifu__recorded_call *record; !result && (record = next_record(records, &next)) != NULL;) {
        result = play_record(rerun, record, next);
        if (!result && next - told >= RERUN_TELL_AFTER) {
            told = next;
            result = kifu__tick(rerun->played.timeline, next, records->size);
        }
    }
    if (!result)
        result = run_consequences(rerun, records->steps, !timeline->consequences.count);
    if (!result && rerun->played.again->executed != timeline->executed)
        result = went_elsewhere(rerun, next, timeline->executed, NULL);
    if (!result)
        result = compare_events(rerun, timeline->executed);
    return result ? result : compare_states(rerun);
}

static kifu_result refuse_rules(kifu_timeline *timeline, const char *why)
{
    return kifu__error(&timeline->error, KIFU_MISUSE, "kifu_verify_rules: %s", why);
}

kifu_result kifu_verify_rules(kifu_timeline *timeline, kifu_result (*prepare)(void *context, kifu_timeline *timeline),
                              void *context, kifu_difference *difference)
{
    kifu_difference unwanted;
    if (!difference)
        difference = &unwanted;
    *difference = (kifu_difference){.event = KIFU_NONE, .first = KIFU_NONE};
    kifu_result result = kifu__require_played_again(timeline, "kifu_verify_rules");
    if (result)
        return result;
    if (!kifu__records_of(timeline))
        return refuse_rules(timeline, "the inputs were not recorded: set kifu_options.record_inputs");
    if (kifu__records_of(timeline)->lost)
        return refuse_rules(timeline,
                            "not all inputs were recorded: the game was loaded or forked, memory ran out, or the log "
                            "could not be executed again");
    kifu_options options = timeline->options;
    options.view = NULL;
    options.quiet = true;
    options.record_inputs = options.sync_test = options.keep_variations = options.keep_notes = NULL;
    if (prepare)
        options.prepare = NULL;
    rerun rerun = {.played = {.timeline = timeline, .difference = difference}};
    rerun.played.bare = !prepare && !options.prepare && !options.observers.count;
    result = kifu_create(timeline->rules, &options, &rerun.played.again, &timeline->error);
    if (!result && prepare && (result = prepare(context, rerun.played.again)))
        timeline->error = rerun.played.again->error;
    if (!result)
        result = play_all(&rerun);
    kifu__played_again_free(&rerun.played);
    return result;
}
