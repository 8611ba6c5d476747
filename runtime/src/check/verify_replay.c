// Verifying a replay: executes the log again beside the state, and compares with what was recorded of the past. If
// something differs, it goes back to the last place that agreed and executes event by event, to name event and field.

#include <stdio.h>

#include "base/scribble.h"
#include "history/verify_lines.h"
#include "core/go.h"
#include "history/hashes.h"
#include "wire/difference.h"

// Each as large as the state.
typedef struct kifu__rerun {
    kifu__walk walk; // with the state of the run
    kifu_timeline *timeline;
    kifu_difference *difference;
    unsigned char *now;   // that state
    unsigned char *good;  // At the last place that agreed,
    uint32_t good_at;     // which is after so many events.
    unsigned char *wrong; // At the first place that did not.
    unsigned char *past;  // From another source: the journal, or a second run.
    size_t size;
    bool failed; // A Do failed, as `failure` says.
    kifu_error failure;
    uint32_t keyframe;               // The first one that may come next.
    uint32_t unjournaled;            // The last place where the journal leads to another state; KIFU_NONE: none.
    const kifu__others_calls *calls; // NULL: there are no other lines.
    kifu__others others;             // What is not in the current line.
    uint32_t line;                   // The one that is executed,
    bool beside;                     // which is not the current one: only hashes are known of it.
} kifu__rerun;

static const char diverges_advice[] = "See runtime/docs/troubleshooting.md, \"When a game diverges\"";

static bool same(const kifu__rerun *run, const unsigned char *left, const unsigned char *right)
{
    return memcmp(left, right, run->timeline->rules->state_size) == 0;
}

// The line to which an event of the one that is executed belongs.
static uint32_t line_with(const kifu__rerun *run, uint32_t event)
{
    const kifu__line *items = run->others.lines ? run->others.lines->items : NULL;
    uint32_t line = run->line;
    while (items && event < items[line].from && line != items[line].parent)
        line = items[line].parent;
    return line;
}

// Says where; `difference` already says what the states differ in.
static kifu_result found(kifu__rerun *run, uint32_t first, uint32_t event)
{
    run->difference->first = first;
    run->difference->event = event;
    uint32_t end;
    const kifu__segment *segment = kifu__path_segment(run->walk.path, event, &end);
    run->difference->name = run->timeline->rules->types[segment->types[event - segment->first]].table->name;
    run->difference->line = line_with(run, event);
    return KIFU_DIVERGED;
}

static bool states_differ(kifu__rerun *run, const unsigned char *expected, const unsigned char *actual)
{
    return kifu__describe_difference(run->timeline->rules, expected, actual, run->difference);
}

// " of line 3", where there are several.
typedef struct words {
    char text[32];
} words;

static words of_line(const kifu__rerun *run)
{
    words words = {""};
    if (run->others.lines && run->others.lines->listed_count > 1)
        snprintf(words.text, sizeof words.text, " of line %u", (unsigned)run->difference->line);
    return words;
}

// --- Narrowing -------------------------------------------------------------------------------------------------------

// A Do that fails now did not fail then.
static kifu_result failed_at(kifu__rerun *run, uint32_t first)
{
    kifu_error *error = &run->timeline->error;
    if (error->result == KIFU_NO_MEMORY)
        return KIFU_NO_MEMORY;
    return error->result = found(run, first, error->event);
}

static kifu_result report_rerun(kifu__rerun *run, uint32_t first, uint32_t event)
{
    found(run, first, event);
    kifu_difference *difference = run->difference;
    char field[300] = "";
    if (difference->field[0])
        snprintf(field, sizeof field, ": %s was %s and is now %s", difference->field, difference->expected,
                 difference->actual);
    if (first == event)
        return kifu__error_of_event(&run->timeline->error, KIFU_DIVERGED, event,
                                    "event %u%s (%s) gave another state when it was executed again%s. %s",
                                    (unsigned)event, of_line(run).text, difference->name, field, diverges_advice);
    return kifu__error_of_event(&run->timeline->error, KIFU_DIVERGED, event,
                                "one of the events %u to %u%s gave another state when it was executed again%s. %s",
                                (unsigned)first, (unsigned)event, of_line(run).text, field, diverges_advice);
}

static kifu_result report_twice(kifu__rerun *run, uint32_t event)
{
    found(run, event, event);
    const kifu_difference *difference = run->difference;
    return kifu__error_of_event(&run->timeline->error, KIFU_DIVERGED, event,
                                "event %u%s (%s) gives another state each time it is executed: %s is %s, then %s. %s",
                                (unsigned)event, of_line(run).text, difference->name, difference->field,
                                difference->expected, difference->actual, diverges_advice);
}

// The state at a place, where a copy of it has the hash that was recorded; else NULL.
static const unsigned char *kept_state(kifu__rerun *run, const kifu__place *place)
{
    kifu_timeline *timeline = run->timeline;
    uint32_t size = timeline->rules->state_size;
    if (place->state)
        return place->state;
    const unsigned char *kept = NULL;
    if (run->beside)
        return NULL;
    if (place->count == timeline->executed)
        kept = timeline->core.state;
    else if (kifu__journal_state_at(timeline, place->count, run->past))
        kept = run->past;
    return kept && place->has_hash && kifu__hash_state(kept, size) != place->hash ? NULL : kept;
}

// The state became `wrong` somewhere between `good` and a place: finds the event.
static kifu_result narrow(kifu__rerun *run, const kifu__place *place)
{
    kifu_timeline *timeline = run->timeline;
    const uint32_t from = run->good_at, count = place->count;
    const unsigned char *kept = kept_state(run, place);
    // The journal has all states in between if it has both ends.
    bool journaled = kept && kifu__journal_state_at(timeline, from, run->past) && same(run, run->past, run->good);
    memcpy(run->now, run->good, run->size);
    for (uint32_t event = from; event < count; event++) {
        memcpy(run->past, run->now, run->size);
        kifu__scribble(0x5a);
        if (kifu__replay_into(timeline, run->walk.path, run->now, event, event + 1))
            return failed_at(run, journaled ? event : from);
        if (journaled) {
            kifu__journal_state_at(timeline, event + 1, run->past);
            if (states_differ(run, run->past, run->now))
                return report_rerun(run, event, event);
            continue;
        }
        kifu__scribble(0xa5);
        if (kifu__replay_into(timeline, run->walk.path, run->past, event, event + 1))
            return failed_at(run, event);
        if (states_differ(run, run->now, run->past))
            return report_twice(run, event);
    }
    if (run->failed) { // and does not now
        timeline->error = run->failure;
        return failed_at(run, from);
    }
    kept = kept_state(run, place); // anew, because it may have been in `past`
    states_differ(run, kept ? kept : run->wrong, run->wrong);
    return report_rerun(run, from, count - 1);
}

// --- The journal -----------------------------------------------------------------------------------------------------

// The replay agrees with all that was recorded, but an undo would lead to another state: finds the last event that undo
// gets wrong.
static kifu_result find_unjournaled(kifu__rerun *run)
{
    kifu_timeline *timeline = run->timeline;
    kifu__first_state(timeline, run->now);
    kifu_result result = kifu__replay_into(timeline, run->walk.path, run->now, timeline->log.begin, run->unjournaled);
    for (uint32_t event = run->unjournaled; !result; event++) {
        memcpy(run->good, run->now, run->size); // before the event
        result = kifu__replay_into(timeline, run->walk.path, run->now, event, event + 1);
        kifu__journal_state_at(timeline, event + 1, run->past);
        if (result || (event + 1 < timeline->executed && !same(run, run->past, run->now)))
            continue;
        kifu__journal_state_at(timeline, event, run->past);
        states_differ(run, run->good, run->past);
        found(run, event, event);
        return kifu__error_of_event(&timeline->error, KIFU_DIVERGED, event,
                                    "event %u (%s) changed the state without an edit function: %s was %s before it, "
                                    "and undo would leave %s; change the state through the generated edit functions "
                                    "only",
                                    (unsigned)event, run->difference->name, run->difference->field,
                                    run->difference->expected, run->difference->actual);
    }
    return failed_at(run, timeline->error.event);
}

// --- The run ---------------------------------------------------------------------------------------------------------

// The journal should lead to where the run agrees with what was recorded, and to its own beginning.
static void rerun_matched(kifu__walk *walk, const kifu__place *place)
{
    kifu__rerun *run = (kifu__rerun *)walk;
    if (place->has_hash || place->state || place->count == run->timeline->log.begin) {
        memcpy(run->good, run->now, run->size);
        run->good_at = place->count;
    }
    if (run->beside)
        return;
    if (kifu__journal_state_at(run->timeline, place->count, run->past) && !same(run, run->past, run->now))
        run->unjournaled = place->count;
    if (place->count == run->others.fork)
        run->calls->run(&run->others, place->count, run->now);
}

// Where lines part, at a keyframe, and at the journal's beginning.
static void next_kept(kifu__walk *walk, kifu__place *place)
{
    kifu__rerun *run = (kifu__rerun *)walk;
    if (run->beside)
        return;
    if (run->others.fork < place->count)
        *place = (kifu__place){.count = run->others.fork};
    const kifu__keyframes *keyframes = &run->timeline->keyframes;
    const kifu__keyframe *next = run->keyframe < keyframes->count ? &keyframes->items[run->keyframe] : NULL;
    const uint32_t journaled = run->timeline->journal.first_event;
    const bool has_keyframe = next && next->event_count <= place->count;
    if (journaled > walk->count && journaled < (has_keyframe ? next->event_count : place->count)) {
        *place = (kifu__place){.count = journaled};
    } else if (has_keyframe) {
        if (next->event_count < place->count)
            *place = (kifu__place){.count = next->event_count};
        place->state = next->state;
        run->keyframe++;
    }
}

static kifu_result execute_rerun(kifu__walk *walk, uint32_t count)
{
    const kifu_result result = ((kifu__rerun *)walk)->others.result;
    if (result && result != KIFU_DIVERGED) // Cancelled, or without memory.
        return result;
    return kifu__replay_into(walk->timeline, walk->path, walk->state, walk->count, count);
}

static kifu_result differs_at(kifu__rerun *run, const kifu__place *place)
{
    memcpy(run->wrong, run->now, run->size);
    return narrow(run, place);
}

// The state was written to after its last event.
static kifu_result written_to(kifu__rerun *run)
{
    kifu_timeline *timeline = run->timeline;
    states_differ(run, run->now, timeline->core.state);
    kifu_difference *difference = run->difference;
    if (timeline->executed == timeline->log.begin)
        return kifu__error(&timeline->error, KIFU_DIVERGED,
                           "the state was changed before any event: %s is %s, not %s; only Do functions may change it",
                           difference->field, difference->actual, difference->expected);
    uint32_t last = timeline->executed - 1;
    found(run, last, last);
    return kifu__error_of_event(
        &timeline->error, KIFU_DIVERGED, last,
        "the state was changed after its last event, %u (%s), without an event: %s is %s, and was "
        "%s; only Do functions may change it",
        (unsigned)last, difference->name, difference->field, difference->actual, difference->expected);
}

// Executes events until `end` are. What differs is found.
static kifu_result run_to(kifu__rerun *run, uint32_t end)
{
    kifu_timeline *timeline = run->timeline;
    kifu__place place = {.count = timeline->log.begin};
    run->walk.count = run->walk.hashed = place.count;
    kifu__first_state(timeline, run->now);
    rerun_matched(&run->walk, &place);
    kifu_result result = kifu__walk_to(&run->walk, end, &place);
    if (result == KIFU_NO_MEMORY || (result && result != KIFU_DIVERGED && timeline->error.event == KIFU_NONE))
        return result; // No Do has failed.
    if (result && result != KIFU_DIVERGED) {
        run->failed = true;
        run->failure = timeline->error;
        place = (kifu__place){.count = timeline->error.event + 1};
    }
    return result ? differs_at(run, &place) : KIFU_OK;
}

// Something differs in another line: that one again, from its beginning, to find the event.
static kifu_result find_line_beside(kifu__rerun *run)
{
    const kifu__place place = {.count = run->others.count};
    if (run->others.result != KIFU_DIVERGED)
        return run->others.result;
    run->line = run->others.line;
    run->walk.path = run->others.lines->items[run->line].branch;
    run->beside = true;
    const kifu_result result = run_to(run, place.count);
    return result ? result : differs_at(run, &place); // A state without a hash.
}

static kifu_result rerun_all(kifu__rerun *run)
{
    kifu_timeline *timeline = run->timeline;
    const kifu__place place = {.count = timeline->executed};
    const kifu_result result = run_to(run, place.count);
    if (result)
        return result;
    if (!same(run, run->now, timeline->core.state))
        return run->good_at == place.count ? written_to(run) : differs_at(run, &place);
    if (run->unjournaled != KIFU_NONE)
        return find_unjournaled(run);
    if (run->calls)
        run->calls->run(&run->others, place.count, run->now);
    return run->others.result ? find_line_beside(run) : KIFU_OK;
}

static kifu_result verify_replay(kifu_timeline *timeline, unsigned char *blocks, kifu_difference *difference)
{
    const size_t size = kifu__state_room(timeline->rules);
    kifu__rerun run = {
        .walk = {timeline, timeline->log.branch, blocks, 0, 0, 0, timeline->executed, next_kept, execute_rerun,
                 rerun_matched},
        .timeline = timeline,
        .difference = difference,
        .now = blocks,
        .good = blocks + size,
        .wrong = blocks + 2 * size,
        .past = blocks + 3 * size,
        .size = size,
        .unjournaled = KIFU_NONE,
    };
    const kifu__lines *lines = timeline->transactions.open ? NULL : kifu__lines_if_linked(timeline);
    run.others = (kifu__others){.timeline = timeline, .lines = lines, .fork = KIFU_NONE};
    run.calls = lines ? lines->others : NULL;
    run.line = lines ? lines->current : 0;
    kifu_result result = run.calls ? run.calls->begin(&run.others) : KIFU_OK;
    if (!result)
        result = rerun_all(&run);
    if (run.calls)
        run.calls->end(&run.others);
    return result;
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
                           "kifu_verify_replay cannot compare a model outside the state: it compares states only");
    const size_t size = 4 * kifu__state_room(timeline->rules);
    unsigned char *blocks = (unsigned char *)kifu__new(&timeline->memory, size);
    if (!blocks)
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for executing the log again");
    memset(blocks, 0, size);
    result = verify_replay(timeline, blocks, difference);
    kifu__free(&timeline->memory, blocks);
    return result;
}
