// Undo and redo: whole chains, back and forth.

#include "core/timeline.h"

const char kifu__back_to_present[] = "go back with kifu_seek(timeline, KIFU_PRESENT), or make a copy to play on with "
                                     "kifu_fork";

static uint32_t refuse(const kifu_timeline *timeline, kifu_error *error, uint32_t event, const char *why)
{
    kifu__error_of_event(error, KIFU_NOT_UNDOABLE, event, "event %u (%s) %s", (unsigned)event,
                         kifu__name_of(timeline, event), why);
    return 0;
}

uint32_t kifu_can_undo(const kifu_timeline *timeline, kifu_error *error)
{
    if (timeline->phase != KIFU__IDLE) {
        kifu__error(error, KIFU_MISUSE, "undo is not allowed while an event runs: call it from outside");
        return 0;
    }
    if (timeline->sought) {
        kifu__error(error, KIFU_MISUSE, "undo while the past is shown: %s", kifu__back_to_present);
        return 0;
    }
    if (!timeline->executed) {
        kifu__error(error, KIFU_NOTHING_TO_UNDO, "there is nothing to undo: nothing has happened yet");
        return 0;
    }
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
            return refuse(timeline, error, event, "cannot be undone");
        if (flags & KIFU_REVEALS)
            return refuse(timeline, error, event, "cannot be undone: it revealed hidden information");
        if (flags & KIFU_UNLESS_RANDOM)
            unless = event;
        if (flags & KIFU_RANDOM)
            random = event;
        if (unless != KIFU_NONE && random != KIFU_NONE)
            return refuse(timeline, error, unless,
                          random == unless ? "cannot be undone: it drew random numbers"
                                           : "cannot be undone: random numbers were drawn together with it");
        if (!(flags & KIFU_CONTINUE_UNDO))
            return timeline->executed - event;
    }
    if (open) {
        bool mark = timeline->transactions[open - 1].kind == KIFU__MARK;
        kifu__error_of_event(error, KIFU_NOT_UNDOABLE, begin, "undo would go back to before event %u, where a %s",
                             (unsigned)begin,
                             mark ? "mark is: rewind it first" : "transaction began: roll it back, or commit it first");
    } else
        kifu__error_of_event(error, KIFU_NOT_UNDOABLE, 0,
                             "undo would go back to the beginning of the game: no player event came before");
    return 0;
}

bool kifu__push_undone(kifu_timeline *timeline)
{
    kifu__undone *undone = (kifu__undone *)kifu__grow(&timeline->memory, timeline->undone, &timeline->undone_capacity,
                                                      (uint64_t)timeline->undone_count + 1, sizeof *undone);
    if (!undone)
        return false;
    timeline->undone = undone;
    kifu__undone *last = &undone[timeline->undone_count++];
    *last = (kifu__undone){.executed = timeline->executed};
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
    timeline->consequence_count = happened + timeline->consequences.count;
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
    if (timeline->records)
        kifu__records_called(timeline, timeline->records, KIFU__CALL_UNDO, NULL, 0);
    result = kifu__take_back_to(timeline, timeline->executed - chain);
    return kifu__show_anew(timeline, result);
}

uint32_t kifu_can_redo(const kifu_timeline *timeline, kifu_error *error)
{
    if (timeline->phase != KIFU__IDLE) {
        kifu__error(error, KIFU_MISUSE, "redo is not allowed while an event runs: call it from outside");
        return 0;
    }
    if (timeline->sought) {
        kifu__error(error, KIFU_MISUSE, "redo while the past is shown: %s", kifu__back_to_present);
        return 0;
    }
    if (!timeline->undone_count) {
        kifu__error(error, KIFU_NOTHING_TO_REDO, "there is nothing to redo: nothing was undone since the last event");
        return 0;
    }
    if (timeline->consequences.count || timeline->inputs.count) {
        kifu__error(error, KIFU_NOTHING_TO_REDO, "there is nothing to redo: a new input waits");
        return 0;
    }
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
    if (timeline->records)
        kifu__records_called(timeline, timeline->records, KIFU__CALL_REDO, NULL, 0);
    result = kifu__redo_to(timeline, timeline->undone[timeline->undone_count - 1].executed);
    if (result && timeline->records)
        kifu__records_lose(timeline, timeline->records);
    if (result)
        return take_back(timeline, before, result);
    kifu__log_changed(&timeline->log, before);
    pop_undone(timeline);
    return kifu__show_anew(timeline, KIFU_OK);
}
