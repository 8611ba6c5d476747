// Undo and redo: whole chains, back and forth.

#include "core/timeline.h"

#include <stdio.h>

const char kifu__back_to_present[] = "go back with kifu_seek(timeline, KIFU_PRESENT), or make a copy to play on with "
                                     "kifu_fork";

// What both say. The last words of each message are for a player (kifu_error_reason).
static bool is_now(const kifu_timeline *timeline, const char *call, kifu_error *error)
{
    const char *reason;
    if (timeline->phase != KIFU__IDLE) {
        reason = "something is still happening";
        kifu__error(error, KIFU_MISUSE, "%s is not allowed while an event runs, call it from outside: %s", call,
                    reason);
    } else if (timeline->sought) {
        reason = "the past is shown";
        kifu__error(error, KIFU_MISUSE, "%s is not allowed now; %s: %s", call, kifu__back_to_present, reason);
    } else {
        return true;
    }
    kifu__error_ends_in(error, reason);
    return false;
}

static uint32_t nothing(kifu_error *error, kifu_result result, uint32_t event, const char *why)
{
    const char *reason = kifu_result_text(result);
    kifu__error_of_event(error, result, event, "%s: %s", why, reason);
    kifu__error_ends_in(error, reason);
    return 0;
}

// Whether it is an event of a player's, or stands for a decision all the same: undo stops at it.
static bool is_decision(const kifu__type *type, uint8_t flags)
{
    return type->is_player || (flags & (KIFU_UNDOABLE | KIFU_CONTINUE_UNDO)) == KIFU_UNDOABLE ||
           (type->flags & ~flags & KIFU_CONTINUE_UNDO);
}

static bool has_played(const kifu_timeline *timeline)
{
    for (uint32_t event = timeline->executed; event-- > 0;) {
        const kifu__segment *segment = kifu__log_segment_of(&timeline->log, event);
        const uint32_t slot = event - segment->first;
        if (is_decision(&timeline->rules->types[segment->types[slot]], segment->marks[slot].flags))
            return true;
    }
    return false;
}

// `drew`: the event that drew random numbers, if that is why.
static uint32_t refuse(const kifu_timeline *timeline, kifu_error *error, uint32_t event, uint32_t drew,
                       const char *reason)
{
    char why[200] = "";
    if (!has_played(timeline)) {
        snprintf(why, sizeof why, "event %u (%.100s) cannot be undone, and no player has done anything yet",
                 (unsigned)event, kifu__name_of(timeline, event));
        return nothing(error, KIFU_NOTHING_TO_UNDO, event, why);
    }
    if (drew == event)
        snprintf(why, sizeof why, ", since it drew random numbers");
    else if (drew != KIFU_NONE)
        snprintf(why, sizeof why, ", since event %u (%.100s) drew random numbers together with it", (unsigned)drew,
                 kifu__name_of(timeline, drew));
    kifu__error_of_event(error, KIFU_NOT_UNDOABLE, event, "event %u (%s) cannot be undone%s: %s", (unsigned)event,
                         kifu__name_of(timeline, event), why, reason);
    kifu__error_ends_in(error, reason);
    return 0;
}

// The chain would go on to before event `begin`, where an open transaction or the game began.
static uint32_t refuse_beginning(const kifu_timeline *timeline, kifu_error *error, uint32_t begin)
{
    const uint32_t open = timeline->transaction_count;
    const char *reason = open ? "what was begun is not finished" : "the beginning of the game stays";
    if (!has_played(timeline))
        return nothing(error, KIFU_NOTHING_TO_UNDO, begin, "no player has done anything yet");
    const char *what = "the game begins; no event since then is one at which undo stops";
    if (open)
        what = timeline->transactions[open - 1].kind == KIFU__MARK
                   ? "a mark is; rewind it first"
                   : "a transaction began; commit it or roll it back first";
    kifu__error_of_event(error, KIFU_NOT_UNDOABLE, begin, "undo would go back to before event %u, where %s: %s",
                         (unsigned)begin, what, reason);
    kifu__error_ends_in(error, reason);
    return 0;
}

uint32_t kifu_can_undo(const kifu_timeline *timeline, kifu_error *error)
{
    if (!is_now(timeline, "kifu_undo", error))
        return 0;
    if (!timeline->executed)
        return nothing(error, KIFU_NOTHING_TO_UNDO, KIFU_NONE, "nothing has happened yet");
    uint32_t open = timeline->transaction_count;
    uint32_t begin = open ? timeline->transactions[open - 1].executed : 0;
    uint32_t event = timeline->executed;
    uint32_t unless = KIFU_NONE, random = KIFU_NONE; // events of the chain that ask for no random number, and drew one
    while (event > begin) {
        event--;
        const kifu__segment *segment = kifu__log_segment_of(&timeline->log, event);
        uint32_t slot = event - segment->first;
        const kifu__type *type = &timeline->rules->types[segment->types[slot]];
        uint8_t flags = segment->marks[slot].flags;
        if (!(flags & KIFU_UNDOABLE) || type->never_undoable) // whatever a save says
            return refuse(timeline, error, event, KIFU_NONE, "what was done is final");
        if (flags & KIFU_REVEALS)
            return refuse(timeline, error, event, KIFU_NONE, "hidden information was revealed");
        if (flags & KIFU_UNLESS_RANDOM)
            unless = event;
        if (flags & KIFU_RANDOM)
            random = event;
        if (unless != KIFU_NONE && random != KIFU_NONE)
            return refuse(timeline, error, unless, random, "the outcome was random");
        if (!(flags & KIFU_CONTINUE_UNDO))
            return timeline->executed - event;
    }
    return refuse_beginning(timeline, error, begin);
}

bool kifu__push_undone(kifu_timeline *timeline)
{
    kifu__undone *undone = (kifu__undone *)kifu__grow(&timeline->memory, timeline->undone, &timeline->undone_capacity,
                                                      (uint64_t)timeline->undone_count + 1, sizeof *undone);
    if (!undone)
        return false;
    timeline->undone = undone;
    kifu__undone *last = &undone[timeline->undone_count++];
    *last = (kifu__undone){.executed = timeline->executed, .records = timeline->records.count};
    if (timeline->consequences.count) {
        last->consequences = timeline->consequences;
        timeline->consequences = (kifu__queue){0};
    }
    if (timeline->inputs.count) {
        last->inputs = timeline->inputs;
        timeline->inputs = (kifu__queue){0};
    }
    if (timeline->turn.actions.count)
        kifu__queue_cut(&timeline->turn.actions, 0, 0);
    if (timeline->followed_count)
        kifu__forget_followers(timeline, 0);
    return true;
}

void kifu__drop_undone(kifu_timeline *timeline)
{
    while (timeline->undone_count) {
        kifu__undone *last = &timeline->undone[--timeline->undone_count];
        kifu__queue_free(&last->consequences, &timeline->memory);
        kifu__queue_free(&last->inputs, &timeline->memory);
    }
    kifu__cut_log(timeline, timeline->executed);
    kifu__transactions_cut(timeline); // after an undo that could not execute the log again
}

static bool is_of_new_turn(const kifu_timeline *timeline, uint32_t cause)
{
    if (cause >= timeline->executed) // KIFU_NONE, too
        return false;
    const kifu__segment *segment = kifu__log_segment_of(&timeline->log, cause);
    return segment->types[cause - segment->first] == timeline->rules->turns->begin_turn;
}

// How many events timers have fired since event `first`. What else a kifu.EBeginTurn led to counts, too: the log does
// not tell them apart.
static uint32_t count_fired(const kifu_timeline *timeline, uint32_t first)
{
    if (!timeline->rules->turns || !timeline->rules->turns->timers)
        return 0;
    uint32_t fired = 0;
    for (uint32_t event = first + 1; event < timeline->executed; event++) {
        const kifu__segment *segment = kifu__log_segment_of(&timeline->log, event);
        const uint32_t distance = segment->marks[event - segment->first].cause;
        fired += is_of_new_turn(timeline, distance ? event - distance : KIFU_NONE);
    }
    const kifu__queue *queue = &timeline->consequences;
    for (const kifu__proposal *at = kifu__queue_first(queue); at; at = kifu__queue_next(queue, at))
        fired += is_of_new_turn(timeline, at->cause);
    return fired;
}

void kifu__find_input(kifu_timeline *timeline)
{
    const kifu__proposal *first = kifu__queue_first(&timeline->consequences);
    if (!first)
        return;
    uint32_t event = first->cause == KIFU_NONE ? timeline->executed : first->cause;
    while (event < timeline->executed) {
        const kifu__segment *segment = kifu__log_segment_of(&timeline->log, event);
        uint16_t distance = segment->marks[event - segment->first].cause;
        if (!distance)
            break;
        event -= distance;
    }
    timeline->input_first = event;
    uint32_t happened = event < timeline->executed ? timeline->executed - event - 1 : 0;
    timeline->consequence_count = (int64_t)happened + timeline->consequences.count;
    timeline->consequence_count -= kifu__allowance(timeline) * count_fired(timeline, event);
}

// Back from the undone queues into the timeline's, which are empty.
static void pop_undone(kifu_timeline *timeline)
{
    kifu__undone *last = &timeline->undone[--timeline->undone_count];
    if (last->consequences.count) {
        kifu__queue_free(&timeline->consequences, &timeline->memory);
        timeline->consequences = last->consequences;
    }
    if (last->inputs.count) {
        kifu__queue_free(&timeline->inputs, &timeline->memory);
        timeline->inputs = last->inputs;
    }
    kifu__cut_records(timeline, last->records);
    kifu__find_input(timeline);
}

kifu_result kifu_undo(kifu_timeline *timeline)
{
    kifu_result result = kifu__require_calm(timeline, "kifu_undo");
    if (result)
        return result;
    uint32_t chain = kifu_can_undo(timeline, &timeline->error);
    if (!chain)
        return timeline->error.result;
    if (!kifu__push_undone(timeline))
        return kifu__error(&timeline->error, KIFU_NO_MEMORY,
                           "out of memory for what redo would bring back; nothing was "
                           "undone");
    timeline->delay = 0;
    result = kifu__take_back_to(timeline, timeline->executed - chain);
    kifu__record(timeline, KIFU__RECORD_BACK, NULL);
    return kifu__show_anew(timeline, result);
}

uint32_t kifu_can_redo(const kifu_timeline *timeline, kifu_error *error)
{
    if (!is_now(timeline, "kifu_redo", error))
        return 0;
    if (!timeline->undone_count)
        return nothing(error, KIFU_NOTHING_TO_REDO, KIFU_NONE, "nothing was undone since the last event");
    if (timeline->consequences.count || timeline->inputs.count)
        return nothing(error, KIFU_NOTHING_TO_REDO, KIFU_NONE, "a new input waits");
    return timeline->undone[timeline->undone_count - 1].executed - timeline->executed;
}

// The redo of the events from number `before` on failed on the way, and may not stand.
static kifu_result take_back(kifu_timeline *timeline, uint32_t before, kifu_result result)
{
    kifu_error error = timeline->error;
    kifu_result worse = kifu__take_back_to(timeline, before);
    if (worse)
        return kifu__show_anew(timeline, worse);
    timeline->error = error;
    return result;
}

kifu_result kifu_redo(kifu_timeline *timeline)
{
    kifu_result result = kifu__require_calm(timeline, "kifu_redo");
    if (result)
        return result;
    if (!kifu_can_redo(timeline, &timeline->error))
        return timeline->error.result;
    uint32_t before = timeline->executed;
    timeline->delay = 0;
    result = kifu__redo_to(timeline, timeline->undone[timeline->undone_count - 1].executed);
    if (result)
        return take_back(timeline, before, result);
    kifu__log_changed(&timeline->log, before);
    pop_undone(timeline);
    return kifu__show_anew(timeline, KIFU_OK);
}
