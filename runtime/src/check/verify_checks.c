// Verifying the checks: the inputs in the log are played again on a fork of the game's beginning, with every check,
// hook, reaction and trigger, and all that they cause must come out as it is in the log; one line after the other.

#include <stdio.h>

#include "check/played_again.h"
#include "history/lines.h"
#include "wire/difference.h"

typedef struct referee {
    kifu__played_again played;
    kifu_rules rules;     // of `played.again`: their version is that of the event
    uint32_t *lines;      // By the lines of the game: those of `played.again`.
    kifu__blob input;     // As it is in the log.
    uint32_t done, count; // events
} referee;

// --- One event -------------------------------------------------------------------------------------------------------

static kifu_result refused(referee *referee, const kifu_event *event)
{
    kifu_difference *difference = referee->played.difference;
    const kifu_error *why = &referee->played.again->error;
    difference->event = difference->first = event->index;
    difference->name = event->name;
    return kifu__error_of_event(&referee->played.timeline->error, why->result, event->index,
                                "the rules refuse event %u (%s) of player %d: %.300s", (unsigned)event->index,
                                event->name, event->player, kifu_error_reason(why));
}

// The actor whose action an input was: what it cost is among what it caused. KIFU_NO_HANDLE: it was none.
static kifu_handle find_recorded_actor(const kifu_timeline *timeline, const kifu_line *line, uint32_t input)
{
    const kifu__turn_rules *turns = timeline->rules->turns;
    kifu_event event;
    if (!turns || !turns->actors)
        return KIFU_NO_HANDLE;
    for (uint32_t i = input + 1; kifu_line_event(timeline, line->id, i, &event) && event.cause != KIFU_NONE; i++) {
        if (event.type == turns->spend_energy && event.cause == input)
            return ((const kifu_e_spend_energy *)event.table)->actor;
    }
    return KIFU_NO_HANDLE;
}

static kifu_result referee_step(referee *referee)
{
    kifu_timeline *again = referee->played.again;
    const kifu_result result = kifu_step(again);
    kifu__queue_cut(&again->inputs, 0, 0); // What followers submitted then is in the log.
    if (result == KIFU_NO_MEMORY)
        referee->played.timeline->error = again->error;
    return result;
}

static kifu_result play_input(referee *referee, const kifu_event *event, const kifu__segment *segment, uint32_t slot,
                              kifu_handle actor)
{
    kifu_timeline *again = referee->played.again;
    const struct kifu__timed *timed = actor ? again->rules->turns->timed : NULL;
    referee->input.memory = &referee->played.timeline->memory;
    kifu_result result = kifu__blob_of(again->rules, segment, slot, &referee->input);
    const kifu__proposal head = {
        .size = referee->input.size,
        .cause = KIFU_NONE,
        .ticket = ++again->last_ticket,
        .type = (uint8_t)event->type,
        .player = (int8_t)event->player,
        .flags = again->rules->types[event->type].flags,
    };
    if (result || !kifu__queue_push(&again->inputs, &again->memory, &head, referee->input.bytes) ||
        (actor && !timed->begin_action(again, actor)))
        return kifu__error(&referee->played.timeline->error, result ? result : KIFU_NO_MEMORY,
                           "%s for playing the game again", kifu_result_text(result ? result : KIFU_NO_MEMORY));
    result = referee_step(referee);
    if (actor)
        timed->end_action(again);
    return again->executed > event->index || result == KIFU_NO_MEMORY ? result : refused(referee, event);
}

// What fails or is rejected is not in the log.
static kifu_result run_next(referee *referee, uint32_t index)
{
    const kifu_timeline *again = referee->played.again;
    kifu_result result = KIFU_OK;
    while (again->executed == index && again->consequences.count && result != KIFU_NO_MEMORY)
        result = referee_step(referee);
    return result == KIFU_NO_MEMORY ? result : KIFU_OK;
}

static kifu_result verify_event_checks(referee *referee, const kifu_line *line, uint32_t index)
{
    kifu__played_again *played = &referee->played;
    kifu_timeline *timeline = played->timeline, *again = played->again;
    uint32_t slot;
    const kifu__segment *segment = kifu__line_segment(timeline, line->id, index, &slot);
    const kifu_event event = kifu__event_in(timeline, segment, slot);
    referee->rules.rules_version = segment->rules_version;
    if (index == line->from) // What waited there was left behind.
        kifu__queue_cut(&again->consequences, 0, 0);
    kifu_result result = run_next(referee, index);
    if (result)
        return result;
    if (event.cause == KIFU_NONE && again->executed > index) {
        kifu_event other;
        kifu_event_at(again, index, &other);
        return kifu__differs_in_words(played, &event, "its type", event.name, other.name);
    }
    if (event.cause == KIFU_NONE)
        result = play_input(referee, &event, segment, slot, find_recorded_actor(timeline, line, index));
    else if (again->executed == index)
        return kifu__differs_in_words(played, &event, "its type", event.name, "no event at all");
    if (again->executed == index)
        return result;
    result = kifu__compare_event(played, &event, segment, slot);
    // Transactions and kifu_override may have set others, and lines branch off between chains.
    const kifu__segment *own = kifu__log_segment_of(&again->log, index);
    own->marks[index - own->first].flags = segment->marks[slot].flags;
    return result;
}

// --- A line ----------------------------------------------------------------------------------------------------------

// To where the line begins.
static kifu_result referee_go_to(referee *referee, const kifu_line *line)
{
    kifu_timeline *timeline = referee->played.timeline, *again = referee->played.again;
    if (again->executed == line->from && line->id == line->parent)
        return KIFU_OK;
    kifu_line first;
    uint32_t above =
        line->from > timeline->log.begin ? kifu_line_of_event(timeline, line->parent, line->from - 1) : line->parent;
    if (above == KIFU_NONE)
        above = kifu_line_at(timeline, 0, &first) ? first.id : 0;
    const kifu_result result = kifu_go_to(again, referee->lines[above], line->from, true);
    if (result)
        return kifu__error(&timeline->error, result, "the way to line %u: %.300s", (unsigned)line->id,
                           again->error.message);
    return KIFU_OK;
}

static kifu_result verify_line(referee *referee, const kifu_line *line)
{
    kifu__played_again *played = &referee->played;
    kifu_timeline *timeline = played->timeline, *again = played->again;
    const uint32_t end = line->from + line->count;
    kifu_result result = referee_go_to(referee, line);
    for (uint32_t index = line->from; index < end && !result; index++) {
        played->difference->line = line->id;
        result = verify_event_checks(referee, line, index);
        if (!result && ++referee->done % 4096 == 0)
            result = kifu__tick(timeline, referee->done, referee->count);
    }
    referee->lines[line->id] = kifu_current_line(again);
    if (result || line->id != kifu_current_line(timeline) || end != timeline->executed || !line->count)
        return result;
    // What nothing waits for in the game must not wait here, either.
    if (!timeline->consequences.count && !(result = run_next(referee, end)) && again->executed > end) {
        kifu_event missing;
        kifu_event_at(again, end, &missing);
        return kifu__differs_in_words(played, &missing, "its type", "no event at all", missing.name);
    }
    kifu_event last;
    if (!result && again->executed == end &&
        kifu__describe_difference(timeline->rules, timeline->core.state, again->core.state, played->difference) &&
        kifu_event_at(timeline, end - 1, &last))
        result = kifu__differs(played, &last, "after it the state's");
    return result;
}

// A line's parent has a smaller number.
static kifu_result verify_all(referee *referee)
{
    const kifu_timeline *timeline = referee->played.timeline;
    kifu_line line;
    kifu_result result = KIFU_OK;
    for (uint32_t i = 0; kifu_line_at(timeline, i, &line); i++)
        referee->count += line.count;
    for (uint32_t i = 0; !result && kifu_line_at(timeline, i, &line); i++)
        result = verify_line(referee, &line);
    return result;
}

// --- The call --------------------------------------------------------------------------------------------------------

static kifu_result begin_referee(referee *referee, kifu_result (*prepare)(void *context, kifu_timeline *timeline),
                                 void *context)
{
    kifu__played_again *played = &referee->played;
    kifu_timeline *timeline = played->timeline;
    const kifu__lines *lines = kifu__lines_of(timeline);
    const size_t count = lines ? lines->count : 1;
    kifu_options options = timeline->options;
    options.view = NULL;
    options.quiet = true;
    options.record_inputs = options.sync_test = options.keep_notes = options.keep_variations = NULL;
    if (prepare)
        options.prepare = NULL;
    played->bare = !prepare && !options.prepare && !options.observers.count;
    referee->lines = (uint32_t *)kifu__new(&timeline->memory, count * sizeof *referee->lines);
    if (!referee->lines)
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for playing the game again");
    kifu_result result = kifu_fork(timeline, timeline->log.begin, &options, &played->again, &timeline->error);
    if (!result && count > 1)
        result = kifu__lines_begin(played->again, NULL);
    if (!result && prepare && (result = prepare(context, played->again)))
        timeline->error = played->again->error;
    if (result)
        return result;
    referee->rules = *timeline->rules;
    played->again->rules = played->again->log.rules = &referee->rules;
    return KIFU_OK;
}

kifu_result kifu_verify_checks(kifu_timeline *timeline, kifu_result (*prepare)(void *context, kifu_timeline *timeline),
                               void *context, kifu_difference *difference)
{
    kifu_difference unwanted;
    if (!difference)
        difference = &unwanted;
    *difference = (kifu_difference){.event = KIFU_NONE, .first = KIFU_NONE};
    kifu_result result = kifu__require_played_again(timeline, "kifu_verify_checks");
    if (result)
        return result;
    referee referee = {.played = {.timeline = timeline, .difference = difference}};
    result = begin_referee(&referee, prepare, context);
    if (!result)
        result = verify_all(&referee);
    kifu__played_again_free(&referee.played);
    kifu__free(&timeline->memory, referee.input.bytes);
    kifu__free(&timeline->memory, referee.lines);
    return result;
}
