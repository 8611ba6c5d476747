// Undo and redo: whole chains, back and forth.

#include "core/go.h"
#include "core/timeline.h"

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
    const uint32_t begin = timeline->floor;
    uint32_t event = timeline->executed;
    uint32_t unless = KIFU_NONE, random = KIFU_NONE; // events of the chain that ask for no random number, and drew one
    while (event > begin) {
        event--;
        const kifu__type *type = &timeline->rules->types[kifu__log_type(&timeline->log, event)];
        const uint8_t flags = kifu__log_mark(&timeline->log, event)->flags;
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
    if (timeline->open)
        kifu__error_of_event(error, KIFU_NOT_UNDOABLE, begin,
                             "undo would go back to before event %u, where a transaction began: roll it back, or commit "
                             "it first",
                             (unsigned)begin);
    else
        kifu__error_of_event(error, KIFU_NOT_UNDOABLE, 0,
                             "undo would go back to the beginning of the game: no player event came before");
    return 0;
}

kifu_result kifu_undo(kifu_timeline *timeline)
{
    kifu_result result = kifu__require_calm(timeline, "kifu_undo");
    if (result)
        return result;
    uint32_t chain = kifu_can_undo(timeline, &timeline->error);
    if (!chain)
        return timeline->error.result;
    if (!kifu__redo_push(timeline))
        return kifu__error(&timeline->error, KIFU_NO_MEMORY,
                           "out of memory for what redo would bring back; nothing was "
                           "undone");
    timeline->delay = 0;
    result = kifu__go(timeline, timeline->executed - chain, KIFU__TOLD);
    if (timeline->parts)
        kifu__parts_called(timeline, KIFU__CALL_UNDO, NULL, 0);
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
    if (!timeline->redo.count) {
        kifu__error(error, KIFU_NOTHING_TO_REDO, "there is nothing to redo: nothing was undone since the last event");
        return 0;
    }
    if (timeline->consequences.count || timeline->inputs.count) {
        kifu__error(error, KIFU_NOTHING_TO_REDO, "there is nothing to redo: a new input waits");
        return 0;
    }
    return timeline->redo.items[timeline->redo.count - 1].at.executed - timeline->executed;
}

// The redo of the events from number `before` on failed on the way, and may not stand.
static kifu_result take_back(kifu_timeline *timeline, uint32_t before, kifu_result result)
{
    kifu_error error = timeline->error;
    kifu_result worse = kifu__go(timeline, before, KIFU__TOLD);
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
    result = kifu__go(timeline, timeline->redo.items[timeline->redo.count - 1].at.executed, KIFU__TOLD);
    if (result)
        return take_back(timeline, before, result);
    kifu__log_changed(&timeline->log, before);
    kifu__redo_pop(timeline);
    if (timeline->parts)
        kifu__parts_called(timeline, KIFU__CALL_REDO, NULL, 0);
    return kifu__show_anew(timeline, KIFU_OK);
}
