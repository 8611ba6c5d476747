// Undo and redo: whole chains, back and forth.

#include "history/undo.h"

#include "core/go.h"

#include <stdio.h>

// Whether undo or redo is allowed now. The last words of each message are for a player (kifu_error_reason).
static bool may_move(const kifu_timeline *timeline, const char *call, kifu_error *error)
{
    const char *reason;
    if (timeline->core.phase != KIFU__IDLE) {
        const bool tried = timeline->core.phase == KIFU__TRYING;
        reason = tried ? "a move is being tried" : "something is still happening";
        kifu__error(error, KIFU_MISUSE, "%s is not allowed while %s: %s", call,
                    tried ? kifu__try_is_open : "an event runs; call it from outside", reason);
    } else if (timeline->past.shown) {
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

static bool has_played(const kifu_timeline *timeline, uint32_t executed)
{
    const kifu__segment *segment = NULL;
    for (uint32_t event = executed; event-- > timeline->log.begin;) {
        if (!segment || event < segment->first)
            segment = kifu__log_segment_of(&timeline->log, event);
        const uint32_t slot = event - segment->first;
        if (is_decision(&timeline->rules->types[segment->types[slot]], segment->marks[slot].flags))
            return true;
    }
    return false;
}

// `drew`: the event that drew random numbers, if that is why.
static KIFU__COLD uint32_t refuse_undo(const kifu_timeline *timeline, uint32_t executed, kifu_error *error,
                                       uint32_t event, uint32_t drew, const char *reason)
{
    char why[200] = "";
    if (!has_played(timeline, executed)) {
        snprintf(why, sizeof why, "event %u (%.100s) cannot be undone, and no player has done anything yet",
                 (unsigned)event, kifu__name_of(timeline, event));
        return nothing(error, KIFU_NOTHING_TO_UNDO, event, why);
    }
    if (drew != KIFU_NONE && drew != event)
        snprintf(why, sizeof why, " because event %u (%.100s) drew random numbers", (unsigned)drew,
                 kifu__name_of(timeline, drew));
    kifu__error_of_event(error, KIFU_NOT_UNDOABLE, event, "event %u (%s) cannot be undone%s: %s", (unsigned)event,
                         kifu__name_of(timeline, event), why, reason);
    kifu__error_ends_in(error, reason);
    return 0;
}

// The chain would go on to before event `begin`, where an open transaction or the game began.
static KIFU__COLD uint32_t refuse_beginning(const kifu_timeline *timeline, uint32_t executed, kifu_error *error,
                                            uint32_t begin)
{
    const bool open = timeline->transactions.open > 0;
    const char *reason = open ? "what was begun is not finished" : "the beginning of the game stays";
    if (!has_played(timeline, executed))
        return nothing(error, KIFU_NOTHING_TO_UNDO, begin, "no player has done anything yet");
    const char *what = begin ? "the past is forgotten" : "the game begins; no event since then stops undo";
    if (open)
        what = timeline->transactions.searching ? "a search began, or a transaction in one: end that first"
                                                : "a transaction began; commit it or roll it back first";
    kifu__error_of_event(error, KIFU_NOT_UNDOABLE, begin, "undo would go back to before event %u, where %s: %s",
                         (unsigned)begin, what, reason);
    kifu__error_ends_in(error, reason);
    return 0;
}

uint32_t kifu_chain_start(const kifu_timeline *timeline, uint32_t event)
{
    kifu_event at = {.flags = KIFU_CONTINUE_UNDO};
    while (at.flags & KIFU_CONTINUE_UNDO && kifu_event_at(timeline, event, &at))
        event--;
    const bool begins = !(at.flags & KIFU_CONTINUE_UNDO) && !timeline->rules->types[at.type].never_undoable;
    return begins ? at.index : KIFU_NONE;
}

// The segment of an event, on the way back from one to the next.
static KIFU__HOT const kifu__segment *segment_before(kifu__branch *path, kifu__chains *chains, uint32_t event)
{
    if (chains->segment && event >= chains->segment->first)
        return chains->segment;
    if (!chains->owner)
        chains->owner = kifu__owner(path, event + 1, NULL);
    while (chains->owner->parent && event < chains->owner->from)
        chains->owner = chains->owner->parent;
    const kifu__branch *owner = chains->owner;
    const kifu__segment *last = &owner->segments[owner->segment_count - 1];
    return chains->segment =
               event >= last->first ? last : kifu__segment_with(owner->segments, owner->segment_count, event);
}

static KIFU__HOT uint32_t length_of(const kifu_timeline *timeline, kifu__chains *chains, kifu_error *error)
{
    const uint32_t begin = timeline->transactions.floor;
    uint32_t event = chains->executed;
    uint32_t unless = KIFU_NONE, random = KIFU_NONE; // events of the chain that ask for no random number, and drew one
    while (event > begin) {
        --event;
        const kifu__segment *segment = KIFU__QUICK ? segment_before(timeline->log.branch, chains, event)
                                                   : kifu__log_segment_of(&timeline->log, event);
        const kifu__type *type = &timeline->rules->types[segment->types[event - segment->first]];
        const uint8_t flags = segment->marks[event - segment->first].flags;
        if (!(flags & KIFU_UNDOABLE) || type->never_undoable) // whatever a save says
            return refuse_undo(timeline, chains->executed, error, event, KIFU_NONE, "what was done is final");
        if (flags & KIFU_REVEALS)
            return refuse_undo(timeline, chains->executed, error, event, KIFU_NONE, "hidden information was revealed");
        if (flags & KIFU_UNLESS_RANDOM)
            unless = event;
        if (flags & KIFU_RANDOM)
            random = event;
        if (unless != KIFU_NONE && random != KIFU_NONE)
            return refuse_undo(timeline, chains->executed, error, unless, random, "the outcome was random");
        if (!(flags & KIFU_CONTINUE_UNDO))
            return chains->executed - event;
    }
    return refuse_beginning(timeline, chains->executed, error, begin);
}

uint32_t kifu__chain_length(const kifu_timeline *timeline, kifu__chains *chains, kifu_error *error)
{
    return length_of(timeline, chains, error);
}

uint32_t kifu_can_undo(const kifu_timeline *timeline, kifu_error *error)
{
    if (!may_move(timeline, "kifu_undo", error))
        return 0;
    if (timeline->executed == timeline->log.begin)
        return nothing(error, KIFU_NOTHING_TO_UNDO, KIFU_NONE,
                       timeline->log.begin ? "no event is left to undo, since the past is forgotten"
                                           : "nothing has happened yet");
    kifu__chains chains = kifu__chains_of(timeline);
    return length_of(timeline, &chains, error);
}

// So that the next undo or redo, in front of where the current branch begins, need not search.
static KIFU__HOT void come_near(kifu_timeline *timeline)
{
    if (KIFU__QUICK && timeline->executed < timeline->log.branch->from)
        kifu__log_come_near(&timeline->log, timeline->executed);
}

kifu_result kifu_undo(kifu_timeline *timeline)
{
    kifu_result result = kifu__require_calm(timeline, "kifu_undo");
    if (result)
        return result;
    uint32_t chain = kifu_can_undo(timeline, &timeline->error);
    if (!chain)
        return timeline->error.result;
    if (!kifu__store_kept(timeline))
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory; nothing was undone");
    timeline->delay = 0;
    if (kifu__has_handler(timeline, called))
        timeline->dispatch->called(timeline, KIFU__CALL_UNDO, NULL, 0);
    result = kifu__go(timeline, timeline->executed - chain, KIFU__NOTIFY);
    kifu__drop_kept(timeline, timeline->executed);
    come_near(timeline);
    return kifu__show_anew(timeline, result);
}

uint32_t kifu__redo_stop(const kifu_timeline *timeline, uint32_t count)
{
    kifu__branch *path = timeline->log.branch;
    const bool may_keep = kifu__may_keep(timeline);
    count++;
    while (count < path->end && kifu__log_mark(&timeline->log, count)->flags & KIFU_CONTINUE_UNDO &&
           !(may_keep && kifu__find_kept(kifu__owner(path, count, NULL), count)))
        count++;
    return count;
}

uint32_t kifu_can_redo(const kifu_timeline *timeline, kifu_error *error)
{
    if (!may_move(timeline, "kifu_redo", error))
        return 0;
    if (!kifu__has_redo(timeline))
        return nothing(error, KIFU_NOTHING_TO_REDO, KIFU_NONE, "nothing was undone");
    if (timeline->consequences.count || timeline->inputs.count)
        return nothing(error, KIFU_NOTHING_TO_REDO, KIFU_NONE, "an input waits; run it or drop it first");
    return kifu__redo_stop(timeline, timeline->executed) - timeline->executed;
}

// The redo of the events from number `before` on failed on the way: takes it back.
static kifu_result take_back_chain(kifu_timeline *timeline, uint32_t before, kifu_result result)
{
    kifu_error error = timeline->error;
    if (kifu__has_handler(timeline, called))
        timeline->dispatch->called(timeline, KIFU__CALL_OTHER, NULL, 0);
    kifu_result worse = kifu__go(timeline, before, KIFU__NOTIFY);
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
    const uint32_t chain = kifu_can_redo(timeline, &timeline->error), before = timeline->executed;
    if (!chain)
        return timeline->error.result;
    if (kifu__may_keep(timeline) && !kifu__make_room_for_kept(timeline, timeline->log.branch, before + chain))
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory; nothing was redone");
    timeline->delay = 0;
    if (kifu__has_handler(timeline, called))
        timeline->dispatch->called(timeline, KIFU__CALL_REDO, NULL, 0);
    result = kifu__go(timeline, before + chain, KIFU__NOTIFY);
    if (result)
        return take_back_chain(timeline, before, result);
    kifu__restore_kept(timeline);
    come_near(timeline);
    return kifu__show_anew(timeline, KIFU_OK);
}
