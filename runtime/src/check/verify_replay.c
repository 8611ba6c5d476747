// Verifying a replay: executes the tree of lines again beside the state, each event once, and compares with what was
// recorded of the past. If something differs, it goes back to the last place that agreed and executes event by event,
// to name event and field.
//
// What differs in the current line comes first: after something in another one did, only the current one is executed.

#include <stdio.h>

#include "base/scribble.h"
#include "check/depth_first.h"
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
    uint32_t keyframe;        // The first one that may come next.
    uint32_t unjournaled;     // The last place where the journal leads to another state; KIFU_NONE: none.
    const kifu__lines *lines; // NULL: there is only the current path.
    kifu__depth_first first;  // All stretches.
    uint32_t from;            // Where the walk has begun.
    char of_line[32];         // " of line 3", for messages, where there are several.
    uint32_t line;            // The one that is executed,
    bool beside;              // not as the current one, up to its place: only hashes are known of it.
    uint32_t wrong_line;      // The first of these in which something differs,
    uint32_t wrong_at;        // after so many events; 0: in none.
    uint64_t done;            // So many events were executed,
    uint32_t untold;          // and so many since the progress function was called.
} kifu__rerun;

static const char diverges_advice[] = "See runtime/docs/troubleshooting.md, \"When a game diverges\"";

static bool same(const kifu__rerun *run, const unsigned char *left, const unsigned char *right)
{
    return memcmp(left, right, run->timeline->rules->state_size) == 0;
}

// Says where; `difference` already says what the states differ in.
static kifu_result found(kifu__rerun *run, uint32_t first, uint32_t event)
{
    run->difference->first = first;
    run->difference->event = event;
    uint32_t end;
    const kifu__segment *segment = kifu__path_segment(run->walk.path, event, &end);
    run->difference->name = run->timeline->rules->types[segment->types[event - segment->first]].table->name;
    run->difference->line = run->lines ? kifu__owner(run->walk.path, event + 1, NULL)->number : 0;
    if (run->lines && run->lines->listed_count > 1)
        snprintf(run->of_line, sizeof run->of_line, " of line %u", (unsigned)run->difference->line);
    return KIFU_DIVERGED;
}

static bool states_differ(kifu__rerun *run, const unsigned char *expected, const unsigned char *actual)
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
                                    (unsigned)event, run->of_line, difference->name, field, diverges_advice);
    return kifu__error_of_event(&run->timeline->error, KIFU_DIVERGED, event,
                                "one of the events %u to %u%s gave another state when it was executed again%s. %s",
                                (unsigned)first, (unsigned)event, run->of_line, field, diverges_advice);
}

static kifu_result report_twice(kifu__rerun *run, uint32_t event)
{
    found(run, event, event);
    const kifu_difference *difference = run->difference;
    return kifu__error_of_event(&run->timeline->error, KIFU_DIVERGED, event,
                                "event %u%s (%s) gives another state each time it is executed: %s is %s, then %s. %s",
                                (unsigned)event, run->of_line, difference->name, difference->field,
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
    if (place->has_hash || place->state) {
        memcpy(run->good, run->now, run->size);
        run->good_at = place->count;
    }
    if (!run->beside && kifu__journal_state_at(run->timeline, place->count, run->past) &&
        !same(run, run->past, run->now))
        run->unjournaled = place->count;
}

// The hash at the end of a line, unless the game goes on there, or another version of the game found it.
static void next_tip(kifu__rerun *run, kifu__place *place)
{
    const kifu__line *line = &run->lines->items[run->line];
    if (run->line == run->lines->current || (line->unchecked && !line->comparable) || !line->tip_hash ||
        place->has_hash || place->count != line->branch->end || run->walk.hashed >= place->count)
        return;
    place->has_hash = true;
    place->hash = line->tip_hash;
    run->walk.hashed = place->count;
}

// At a keyframe, and at the journal's beginning.
static void next_kept(kifu__walk *walk, kifu__place *place)
{
    kifu__rerun *run = (kifu__rerun *)walk;
    if (run->beside) {
        next_tip(run, place);
        return;
    }
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
    enum { TELL_AFTER = 16384 };
    kifu__rerun *run = (kifu__rerun *)walk;
    kifu_result result = KIFU_OK;
    for (uint32_t from = walk->count, to; from < count && !result; from = to) {
        to = count - from > TELL_AFTER - run->untold ? from + (TELL_AFTER - run->untold) : count;
        result = kifu__replay_into(walk->timeline, walk->path, walk->state, from, to);
        run->done += to - from;
        run->untold += to - from;
        if (result || run->untold < TELL_AFTER)
            continue;
        run->untold = 0;
        const uint64_t all = run->first.event_count;
        result = kifu__tick(walk->timeline, run->done < all ? run->done : all, all);
    }
    return result;
}

// Whether the current line leads to another state than the game has.
static bool is_written(const kifu__rerun *run)
{
    return !run->beside && run->walk.count == run->timeline->executed &&
           !same(run, run->now, run->timeline->core.state);
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

// Executes events of a line up to number `end` - 1, from where the walk is. KIFU_DIVERGED: something differs at
// `*place`.
static kifu_result run_to(kifu__rerun *run, uint32_t end, kifu__place *place)
{
    const kifu_error *error = &run->timeline->error;
    *place = (kifu__place){.count = run->from = run->walk.hashed = run->walk.count};
    memcpy(run->good, run->now, run->size);
    run->good_at = place->count;
    if (run->from == run->timeline->log.begin)
        rerun_matched(&run->walk, place);
    const kifu_result result = kifu__walk_to(&run->walk, end, place);
    if (!result || result == KIFU_DIVERGED || result == KIFU_NO_MEMORY || error->event == KIFU_NONE)
        return result; // No Do has failed.
    run->failed = true;
    run->failure = *error;
    *place = (kifu__place){.count = error->event + 1};
    return KIFU_DIVERGED;
}

// Executes the current line from here on, or with `line` another one, or what lies behind the place.
static void run_line(kifu__rerun *run, uint32_t line, uint32_t from)
{
    run->beside = line != KIFU_NONE;
    run->line = run->beside ? line : run->lines ? run->lines->current : 0;
    run->walk.path = run->beside ? run->lines->items[line].branch : run->timeline->log.branch;
    run->walk.count = from;
    run->failed = false;
}

// Something differs at a place of the line that is executed: finds the event, from the line's beginning.
static kifu_result find_wrong_event(kifu__rerun *run, kifu__place place)
{
    const kifu_timeline *timeline = run->timeline;
    if (run->from != timeline->log.begin) {
        run->walk.count = timeline->log.begin;
        run->keyframe = 0;
        kifu__first_state(timeline, run->now);
        const kifu_result result = run_to(run, place.count, &place);
        if (result && result != KIFU_DIVERGED)
            return result;
    }
    const bool recorded = place.has_hash || place.state || run->good_at != place.count;
    if (!recorded && is_written(run))
        return written_to(run);
    memcpy(run->wrong, run->now, run->size);
    return narrow(run, &place);
}

// What no hash vouches for is executed a second time, with other leftovers on the stack.
static kifu_result execute_again(kifu__rerun *run, uint32_t end)
{
    if (run->good_at == end)
        return KIFU_OK;
    kifu__scribble(0xa5);
    const kifu_result result = kifu__replay_into(run->timeline, run->walk.path, run->good, run->good_at, end);
    return result == KIFU_NO_MEMORY ? result : result || !same(run, run->good, run->now) ? KIFU_DIVERGED : KIFU_OK;
}

// The events of another line, or those behind the place.
static kifu_result run_beside(kifu__rerun *run, uint32_t line, uint32_t from, uint32_t end)
{
    kifu__place place;
    run_line(run, line, from);
    kifu__scribble(0x5a);
    kifu_result result = run_to(run, end, &place);
    if (!result)
        result = execute_again(run, end);
    if (result != KIFU_DIVERGED)
        return result;
    run->wrong_line = line;
    run->wrong_at = place.count;
    return KIFU_OK;
}

static kifu_result run_stretch(kifu__rerun *run, const kifu_stretch *stretch)
{
    const uint32_t executed = run->timeline->executed, end = stretch->from + stretch->count;
    uint32_t from = stretch->from;
    kifu_result result = KIFU_OK;
    if (stretch->current && (from < executed || !run->first.at)) {
        kifu__place place;
        run_line(run, KIFU_NONE, from);
        from = end < executed ? end : executed;
        result = run_to(run, from, &place);
        if (result == KIFU_DIVERGED || (!result && is_written(run)))
            return find_wrong_event(run, place);
    }
    return result || from == end || run->wrong_at ? result : run_beside(run, stretch->line, from, end);
}

static kifu_result rerun_all(kifu__rerun *run)
{
    kifu_result result = kifu__depth_first_begin(&run->first, run->lines);
    while (!result && run->first.at != KIFU_NONE) {
        result = run_stretch(run, &run->first.stretches[run->first.at]);
        if (!result)
            result = kifu__depth_first_next(&run->first);
    }
    if (result)
        return result;
    if (run->unjournaled != KIFU_NONE) {
        run_line(run, KIFU_NONE, 0);
        return find_unjournaled(run);
    }
    if (!run->wrong_at)
        return KIFU_OK;
    run_line(run, run->wrong_line, 0);
    run->from = KIFU_NONE;
    return find_wrong_event(run, (kifu__place){.count = run->wrong_at});
}

static kifu_result verify_replay(kifu_timeline *timeline, unsigned char *blocks, kifu_difference *difference)
{
    const size_t size = kifu__state_room(timeline->rules);
    const kifu__lines *lines = timeline->transactions.open ? NULL : kifu__lines_if_linked(timeline);
    kifu__rerun run = {
        .walk = {timeline, timeline->log.branch, blocks, 0, 0, 0, next_kept, execute_rerun, rerun_matched},
        .timeline = timeline,
        .difference = difference,
        .now = blocks,
        .good = blocks + size,
        .wrong = blocks + 2 * size,
        .past = blocks + 3 * size,
        .size = size,
        .unjournaled = KIFU_NONE,
        .lines = lines && lines->count ? lines : NULL,
        .first = {.timeline = timeline, .state = blocks},
    };
    const kifu_result result = rerun_all(&run);
    kifu__depth_first_end(&run.first);
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
