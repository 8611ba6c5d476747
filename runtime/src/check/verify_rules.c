// Verifying the rules: makes the calls that came from outside again, on a second timeline with every check, hook,
// reaction and trigger, and compares the two logs.

#include <stdio.h>

#include "check/records.h"
#include "core/timeline.h"
#include "wire/difference.h"
#include "wire/table.h"

typedef struct rerun {
    kifu_timeline *timeline; // the game,
    kifu_timeline *again;    // played again
    kifu_difference *difference;
    bool bare;          // nothing adds hooks and so on to `again`
    kifu_error refusal; // the last one of `again`
    kifu__blob expected, actual;
} rerun;

// --- Comparing -------------------------------------------------------------------------------------------------------

// `name`: of the event; NULL: there is none. The values are in the difference already.
static kifu_result differs(rerun *rerun, uint32_t event, const char *name, const char *what)
{
    kifu_difference *difference = rerun->difference;
    difference->event = difference->first = event;
    difference->name = name;
    return kifu__error_of_event(
        &rerun->timeline->error, KIFU_DIVERGED, event,
        "played again from its inputs, the game differs at event %u (%s): %s%s%s was %s and is "
        "now %s; checks, hooks, reactions and triggers must depend on nothing but the state "
        "and the event, and be the same as then%s",
        (unsigned)event, name ? name : "none", what, difference->field[0] ? " " : "", difference->field,
        difference->expected, difference->actual,
        rerun->bare ? "; none were added: give them in kifu_options.observers, or by kifu_options.prepare" : "");
}

static kifu_result differs_in_number(rerun *rerun, const kifu_event *event, const char *what, int64_t expected,
                                     int64_t actual)
{
    kifu_difference *difference = rerun->difference;
    snprintf(difference->expected, sizeof difference->expected, "%lld", (long long)expected);
    snprintf(difference->actual, sizeof difference->actual, "%lld", (long long)actual);
    return differs(rerun, event->index, event->name, what);
}

static kifu_result differs_in_words(rerun *rerun, uint32_t event, const char *name, const char *what,
                                    const char *expected, const char *actual)
{
    kifu_difference *difference = rerun->difference;
    snprintf(difference->expected, sizeof difference->expected, "%s", expected);
    snprintf(difference->actual, sizeof difference->actual, "%s", actual);
    return differs(rerun, event, name, what);
}

// An event as a blob: equal events have equal blobs, wherever they lie in a log.
static kifu_result blob_of(const kifu_timeline *timeline, uint32_t event, kifu__blob *blob)
{
    const kifu__segment *segment = kifu__log_segment_of(&timeline->log, event);
    return kifu__blob_of(timeline->rules, segment, event - segment->first, blob);
}

// Names the first field that differs.
static kifu_result compare_fields(rerun *rerun, const kifu_event *event)
{
    kifu__blob *expected = &rerun->expected, *actual = &rerun->actual;
    kifu_result result = blob_of(rerun->timeline, event->index, expected);
    if (!result)
        result = blob_of(rerun->again, event->index, actual);
    if (result)
        return kifu__error(&rerun->timeline->error, result, "%s for comparing events", kifu_result_text(result));
    if (expected->size == actual->size && memcmp(expected->bytes, actual->bytes, expected->size) == 0)
        return KIFU_OK;
    const uint32_t least = expected->size < actual->size ? expected->size : actual->size;
    const kifu__table *table = rerun->timeline->rules->types[event->type].table;
    if (kifu__describe_blobs(table, expected->bytes, actual->bytes, least, rerun->difference))
        return differs(rerun, event->index, event->name, "its field");
    return differs_in_number(rerun, event, "the size or content of its strings, vectors or tables", expected->size,
                             actual->size);
}

static kifu_result compare_event(rerun *rerun, uint32_t index)
{
    kifu_event expected, actual;
    kifu_event_at(rerun->timeline, index, &expected);
    kifu_event_at(rerun->again, index, &actual);
    if (expected.type != actual.type)
        return differs_in_words(rerun, index, expected.name, "its type", expected.name, actual.name);
    if (expected.player != actual.player)
        return differs_in_number(rerun, &expected, "its player", expected.player, actual.player);
    if (expected.cause != actual.cause)
        return differs_in_number(rerun, &expected, "the number of its cause", expected.cause, actual.cause);
    // The commit of a transaction adds a flag.
    const uint8_t later = rerun->again->open ? KIFU_CONTINUE_UNDO : 0;
    if ((expected.flags | later) != (actual.flags | later))
        return differs_in_number(rerun, &expected, "its flags", expected.flags, actual.flags);
    return compare_fields(rerun, &expected);
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
static const kifu__record *next_record(const kifu__records *records, uint32_t *at)
{
    if (*at >= records->size)
        return NULL;
    const kifu__record *record = (const kifu__record *)(const void *)(records->bytes + *at);
    *at += (uint32_t)sizeof *record + record->size;
    return record;
}

// There were `count` events then, and now there are more or fewer; or the call `refused` fails now. The records from
// `at` on are not played yet. The log no longer has the events that those take back, so these are not compared.
static kifu_result went_elsewhere(rerun *rerun, uint32_t at, uint32_t count, const char *refused)
{
    kifu_timeline *timeline = rerun->timeline, *again = rerun->again;
    const uint32_t now = again->executed;
    uint32_t known = count < timeline->executed ? count : timeline->executed;
    for (const kifu__record *record; (record = next_record(kifu__records_of(timeline), &at)) != NULL;)
        known = record->executed < known ? record->executed : known;
    kifu_result result = compare_events(rerun, known < now ? known : now);
    if (result)
        return result;
    kifu_event event = {.name = NULL};
    if (now > count) {
        kifu_event_at(again, count, &event);
        differs_in_words(rerun, count, event.name, "its type", "no event at all", event.name);
    } else if (now < count) {
        kifu_event_at(timeline, now < known ? now : KIFU_NONE, &event);
        differs_in_words(rerun, now, event.name, "its type", event.name ? event.name : "an event that was undone later",
                         "no event at all");
    } else {
        const uint32_t last = count ? count - 1 : KIFU_NONE;
        kifu_event_at(again, last, &event);
        differs_in_words(rerun, last, event.name, refused, "done", "refused");
    }
    kifu_error *error = &timeline->error;
    const size_t length = strlen(error->message);
    if (rerun->refusal.result)
        snprintf(error->message + length, sizeof error->message - length, "; what was rejected last: %s",
                 rerun->refusal.message);
    return KIFU_DIVERGED;
}

// The result of a call on `again`. Only KIFU_NO_MEMORY ends the run; everything else shows in the events.
static kifu_result note(rerun *rerun, kifu_result result)
{
    if (result)
        rerun->refusal = rerun->again->error;
    if (result == KIFU_NO_MEMORY)
        rerun->timeline->error = rerun->again->error;
    return result == KIFU_NO_MEMORY ? result : KIFU_OK;
}

// An EInitialize without a seed gets the one it got then. The log has it, because no undo takes an EInitialize back.
static void set_seed(rerun *rerun)
{
    kifu_event then;
    if (kifu_event_at(rerun->timeline, rerun->again->executed, &then) && strcmp(then.name, "kifu.EInitialize") == 0)
        rerun->again->options.seed = ((const kifu_e_initialize *)then.table)->seed;
}

// One event runs, or is refused as it was then.
static kifu_result step(rerun *rerun)
{
    set_seed(rerun);
    kifu_result result = note(rerun, kifu_step(rerun->again));
    kifu__queue_cut(&rerun->again->inputs, 0, 0); // What followers submitted then was recorded.
    return result;
}

// Runs as many consequences as ran then. With `all`, none waited then: runs whatever waits now, so that it shows.
static kifu_result run_consequences(rerun *rerun, uint32_t steps, bool all)
{
    const kifu__queue *queue = &rerun->again->consequences;
    kifu_result result = KIFU_OK;
    for (uint32_t i = 0; (i < steps || all) && queue->count && !result; i++)
        result = step(rerun);
    return result;
}

static kifu_result run_input(rerun *rerun, const kifu__record *record)
{
    kifu_timeline *again = rerun->again;
    const kifu__proposal *input = (const kifu__proposal *)(const void *)(record + 1);
    const struct kifu__timed *turns = record->number ? again->rules->turns->timed : NULL;
    if (!kifu__queue_push(&again->inputs, &again->memory, input, input + 1) ||
        (turns && !turns->begin_action(again, (kifu_handle)record->number)))
        return kifu__error(&rerun->timeline->error, KIFU_NO_MEMORY, "out of memory for playing the game again");
    kifu_result result = step(rerun);
    if (turns)
        turns->end_action(again);
    return result;
}

static void override(rerun *rerun, const kifu__record *record)
{
    const kifu__queue *queue = &rerun->again->consequences;
    kifu__proposal *proposal = kifu__queue_first(queue);
    for (uint64_t i = 0; i < record->number && proposal; i++)
        proposal = kifu__queue_next(queue, proposal);
    if (proposal) {
        proposal->overridden = true;
        proposal->flags = record->flags;
    }
}

static kifu_result make_call(kifu_timeline *again, const kifu__record *record)
{
    return record->call == KIFU__CALL_BEGIN    ? kifu_begin(again, record->flags)
           : record->call == KIFU__CALL_COMMIT ? kifu_commit(again)
           : record->call == KIFU__CALL_UNDO   ? kifu_undo(again)
                                               : kifu_redo(again);
}

// One record, and the consequences before it; the next one is at `next`.
static kifu_result play(rerun *rerun, const kifu__record *record, uint32_t next)
{
    static const char *const names[] = {[KIFU__CALL_BEGIN] = "after it kifu_begin",
                                        [KIFU__CALL_COMMIT] = "after it kifu_commit",
                                        [KIFU__CALL_UNDO] = "after it kifu_undo",
                                        [KIFU__CALL_REDO] = "after it kifu_redo"};
    kifu_result result = run_consequences(rerun, record->steps, record->call == KIFU__CALL_RUN);
    if (result)
        return result;
    if (rerun->again->executed != record->executed)
        return went_elsewhere(rerun, next, record->executed, NULL);
    if (record->call == KIFU__CALL_RUN)
        return run_input(rerun, record);
    if (record->call == KIFU__CALL_OVERRIDE) {
        override(rerun, record);
        return KIFU_OK;
    }
    const kifu_result made = make_call(rerun->again, record);
    result = note(rerun, made);
    return made && !result ? went_elsewhere(rerun, next, record->executed, names[record->call]) : result;
}

static kifu_result compare_states(rerun *rerun)
{
    kifu_timeline *timeline = rerun->timeline;
    kifu_difference *difference = rerun->difference;
    if (!kifu__describe_difference(timeline->rules, timeline->core.state, rerun->again->core.state, difference))
        return KIFU_OK;
    // The same events led to another state: because of a Do, or of a write without an edit. A replay may say which
    // event.
    kifu_difference found;
    kifu_progress *progress = timeline->progress;
    timeline->progress = NULL; // which has heard everything
    const kifu_result again = kifu_verify_replay(timeline, &found);
    timeline->progress = progress;
    if (again == KIFU_DIVERGED) {
        *difference = found;
        return KIFU_DIVERGED;
    }
    const uint32_t last = timeline->executed - 1;
    return differs(rerun, last, kifu__name_of(timeline, last), "after it the state's");
}

// After so many bytes of records somebody is told how far it is.
enum { TELL_AFTER = 1 << 15 };

static kifu_result play_all(rerun *rerun)
{
    const kifu_timeline *timeline = rerun->timeline;
    const kifu__records *records = kifu__records_of(timeline);
    kifu_result result = KIFU_OK;
    uint32_t next = 0, told = 0;
    for (const kifu__record *record; !result && (record = next_record(records, &next)) != NULL;) {
        result = play(rerun, record, next);
        if (!result && next - told >= TELL_AFTER) {
            told = next;
            result = kifu__tick(rerun->timeline, next, records->size);
        }
    }
    if (!result)
        result = run_consequences(rerun, records->steps, !timeline->consequences.count);
    if (!result && rerun->again->executed != timeline->executed)
        result = went_elsewhere(rerun, next, timeline->executed, NULL);
    if (!result)
        result = compare_events(rerun, timeline->executed);
    return result ? result : compare_states(rerun);
}

static kifu_result refuse(kifu_timeline *timeline, const char *why)
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
    kifu_result result = kifu__require_idle(timeline, "kifu_verify_rules");
    if (result)
        return result;
    if (timeline->options.reset)
        return refuse(timeline, "this game keeps its model outside the state");
    if (timeline->sought)
        return refuse(timeline, kifu__back_to_present);
    if (timeline->open)
        return refuse(timeline, "a transaction is open: commit it or roll it back first");
    if (!kifu__records_of(timeline))
        return refuse(timeline, "the inputs were not recorded: set kifu_options.record_inputs");
    if (kifu__records_of(timeline)->lost)
        return refuse(timeline,
                      "not all inputs were recorded: the game was loaded or forked, memory ran out, or the log "
                      "could not be executed again");
    kifu_options options = timeline->options;
    options.view = NULL;
    options.quiet = true;
    options.record_inputs = options.sync_test = options.keep_variations = options.keep_notes = NULL;
    if (prepare)
        options.prepare = NULL;
    rerun rerun = {
        .timeline = timeline,
        .difference = difference,
        .bare = !prepare && !options.prepare && !options.observers.count,
        .expected = {.memory = &timeline->memory},
        .actual = {.memory = &timeline->memory},
    };
    result = kifu_create(timeline->rules, &options, &rerun.again, &timeline->error);
    if (result)
        return result;
    if (prepare)
        result = prepare(context, rerun.again);
    if (result)
        timeline->error = rerun.again->error;
    else
        result = play_all(&rerun);
    kifu__free(&timeline->memory, rerun.expected.bytes);
    kifu__free(&timeline->memory, rerun.actual.bytes);
    kifu_destroy(rerun.again);
    return result;
}
