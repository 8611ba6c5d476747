#include "core/go.h"

#include <stdio.h>

#include "core/part.h"
#include "core/timeline.h"

// --- Executing again: Do alone ---------------------------------------------------------------------------------------

// Sets the error of a Do that failed in a replay.
static kifu_result failed(kifu_timeline *timeline, uint32_t event, kifu_result result)
{
    const char *reason = kifu__reason(timeline, result);
    result = timeline->fault.result == KIFU_NO_MEMORY ? KIFU_NO_MEMORY : KIFU_FAILED;
    kifu__error_of_event(&timeline->error, result, event,
                         "event %u (%s) could not be replayed: %.200s; its Do must do the same whenever it runs",
                         (unsigned)event, kifu__name_of(timeline, event), reason);
    kifu__forget_reason(timeline);
    return result;
}

static void end_replayed_do(kifu_timeline *timeline, kifu_result result)
{
    if (kifu__has_handler(timeline, do_ends))
        timeline->dispatch->end_do(timeline, result);
    timeline->core.phase = KIFU__IDLE;
    kifu__journal_close(&timeline->core);
}

// How far the game goes, and where it is in branches from which others begin before that. Zeroed but for `to`.
typedef struct path_on {
    uint32_t to;
    kifu__branch *owner, *last; // Of the event that is executed, and of the last one.
} path_on;

// Each branch is linked to the next one, so that none is searched for.
static KIFU__COLD const kifu__segment *segment_above(const kifu__log *log, path_on *on, uint32_t event)
{
    const kifu__segment *near = kifu__log_near(log, event);
    if (near)
        return near;
    if (!on->owner) {
        on->owner = on->last = kifu__owner(log->branch, on->to, NULL);
        for (; on->owner->parent && on->owner->from > event; on->owner = on->owner->parent)
            on->owner->parent->next = on->owner;
    }
    while (on->owner != on->last && event >= on->owner->next->from)
        on->owner = on->owner->next;
    return kifu__segment_with(on->owner->segments, on->owner->segment_count, event);
}

// Event number `event`, journaled. `on` NULL: the game does not go there, and the links along its way stay as they are.
static KIFU__HOT kifu_result execute_on(kifu_timeline *timeline, path_on *on, uint32_t event)
{
    if (!kifu__journal_open(&timeline->journal, &timeline->core, &timeline->memory, event))
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for undo");
    timeline->core.event = event;
    timeline->core.phase = KIFU__REPLAYING;
    const kifu__log *log = &timeline->log;
    const kifu__segment *segment = KIFU__QUICK && on && event < log->branch->from ? segment_above(log, on, event)
                                                                                  : kifu__log_segment_of(log, event);
    const uint32_t slot = event - segment->first;
    kifu_result result = timeline->rules->do_event(timeline, segment->types[slot], timeline->core.state,
                                                   kifu__segment_table(segment, slot), timeline->transient);
    end_replayed_do(timeline, result);
    if (result || timeline->fault.result) {
        kifu__journal_restore(&timeline->journal, &timeline->core, event);
        return failed(timeline, event, result);
    }
    return KIFU_OK;
}

// Event number `executed`, journaled.
static KIFU__HOT kifu_result replay_one(kifu_timeline *timeline, path_on *on)
{
    kifu_result result = execute_on(timeline, on, timeline->executed);
    if (result)
        return result;
    if (++timeline->executed == timeline->due.at)
        kifu__record_due(timeline);
    return KIFU_OK;
}

// Executes events from `first` on without a journal, in one call of the rules: to `end` - 1 or to the end of their
// segment. `*done` becomes the number of executed events.
static kifu_result replay_run(kifu_timeline *timeline, uint32_t first, uint32_t end, uint32_t *done)
{
    uint32_t left;
    const kifu__segment *segment = kifu__path_segment(timeline->log.branch, first, &left);
    const uint32_t slot = first - segment->first;
    const kifu__run run = {
        .types = segment->types + slot,
        .offsets = segment->offsets + slot,
        .count = (left < end ? left : end) - first,
        .first = first,
    };
    timeline->core.phase = KIFU__REPLAYING;
    kifu_result result = timeline->rules->replay(timeline, &run, timeline->core.state, timeline->transient, done);
    end_replayed_do(timeline, result);
    if (timeline->fault.result)
        *done = timeline->fault.event == KIFU_NONE ? 0 : timeline->fault.event - first;
    return result || timeline->fault.result ? failed(timeline, first + *done, result) : KIFU_OK;
}

kifu_result kifu__replay_unkept(kifu_timeline *timeline, uint32_t count)
{
    kifu_result result = KIFU_OK;
    while (timeline->executed < count && !result) {
        uint32_t done = 0;
        result = replay_run(timeline, timeline->executed, timeline->due.at < count ? timeline->due.at : count, &done);
        timeline->executed += done;
        if (!result && timeline->executed == timeline->due.at)
            kifu__record_due(timeline);
    }
    return result;
}

// Executes the events from `executed` on: the last `journaled` ones with a journal, the others without.
static kifu_result go_on_along(kifu_timeline *timeline, uint32_t count, uint32_t journaled)
{
    kifu_result result = KIFU_OK;
    if (count - timeline->executed > journaled) {
        kifu__journal_clear(&timeline->journal, &timeline->core, count - journaled);
        result = kifu__replay_unkept(timeline, count - journaled);
    }
    path_on on = {.to = count};
    while (timeline->executed < count && !result)
        result = replay_one(timeline, &on);
    return result;
}

// Restores the last keyframe of at most `count` events, or the beginning.
static void jump(kifu_timeline *timeline, uint32_t count)
{
    timeline->executed = kifu__nearest_state(timeline, count, timeline->core.state);
    if (timeline->options.reset) // It has no keyframes.
        timeline->options.reset(timeline->options.user);
    kifu__journal_clear(&timeline->journal, &timeline->core, timeline->executed);
    kifu__find_due(timeline);
}

static kifu_result go_anew(kifu_timeline *timeline, uint32_t count);

// A Do failed without a journal, and its edits are in the state: replays up to the event before it.
static void go_before_failed(kifu_timeline *timeline)
{
    const kifu_error error = timeline->error;
    go_anew(timeline, timeline->executed);
    timeline->error = error;
    if (kifu__has_handler(timeline, called))
        timeline->dispatch->called(timeline, KIFU__CALL_OTHER, NULL, 0);
}

static kifu_result go_anew(kifu_timeline *timeline, uint32_t count)
{
    const uint32_t keep_from = timeline->journal.keep_from;
    uint32_t journaled = count > keep_from ? count - keep_from : 0; // what an open transaction asks for
    if (journaled < KIFU__JOURNAL_EVENTS)
        journaled = KIFU__JOURNAL_EVENTS;
    jump(timeline, count);
    kifu_result result = go_on_along(timeline, count, journaled);
    if (result == KIFU_NO_MEMORY) { // The journal can be done without: undo is slower then.
        jump(timeline, count);
        result = go_on_along(timeline, count, 0);
    }
    if (result)
        go_before_failed(timeline);
    return result;
}

// --- Going -----------------------------------------------------------------------------------------------------------

static kifu_result go_back_along(kifu_timeline *timeline, uint32_t count, unsigned how)
{
    const bool told = how & KIFU__NOTIFY && kifu__has_handler(timeline, changed);
    const bool anew = how & KIFU__ANEW || timeline->options.reset || !kifu__journal_reaches(&timeline->journal, count);
    kifu_result result = KIFU_OK;
    if (anew)
        result = go_anew(timeline, count);
    else if (told && !timeline->quiet)
        timeline->dispatch->take_back(timeline, count);
    else {
        kifu__journal_restore(&timeline->journal, &timeline->core, count);
        timeline->executed = count;
    }
    if (anew || !told || timeline->quiet)
        kifu__moved(timeline, told ? KIFU__ALL : KIFU__INTERNAL_MOVE);
    kifu__find_due(timeline);
    return result;
}

// Event by event, journaled, for all to see; `told`: there are handlers that are told.
static kifu_result redo_each(kifu_timeline *timeline, uint32_t count, bool told)
{
    path_on on = {.to = count};
    uint32_t compared = timeline->due.compare ? 0 : KIFU_NONE;
    kifu_result result = KIFU_OK;
    kifu_error misuse; // by a listener, or another state than in the save: no event failed because of it
    misuse.result = KIFU_OK;
    while (timeline->executed < count && !result) {
        const uint32_t event = timeline->executed;
        result = replay_one(timeline, &on);
        if (result)
            break;
        if (event >= compared)
            compared = timeline->due.compare(timeline, count) - 1;
        if (told)
            timeline->dispatch->happened(timeline, KIFU__REDONE, event);
        if (timeline->fault.result && (!misuse.result || timeline->fault.result == KIFU_DIVERGED))
            misuse = timeline->fault;
        timeline->fault.result = KIFU_OK;
    }
    if (misuse.result && !(result && misuse.result == KIFU_DIVERGED)) // The way failed, and leads nowhere.
        timeline->fault = misuse;
    return result;
}

static kifu_result go_forward(kifu_timeline *timeline, uint32_t count, unsigned how)
{
    const bool told = kifu__has_handler(timeline, changed);
    if (how & KIFU__NOTIFY)
        return KIFU__QUICK && !told && !timeline->due.compare ? go_on_along(timeline, count, count)
                                                              : redo_each(timeline, count, told);
    if (how & KIFU__JOURNALED) {
        kifu_result result = go_on_along(timeline, count, count);
        kifu__moved(timeline, KIFU__INTERNAL_MOVE);
        return result;
    }
    const kifu__keyframe *keyframe = kifu__find_keyframe(timeline, count);
    const bool nearer = keyframe && keyframe->event_count > timeline->executed;
    kifu_result result = KIFU_NO_MEMORY;
    if (!(how & KIFU__ANEW) && !nearer)
        result = go_on_along(timeline, count, KIFU__JOURNAL_EVENTS);
    if (result == KIFU_NO_MEMORY)
        result = go_anew(timeline, count);
    else if (result)
        go_before_failed(timeline);
    return result; // A silent move is reported by its caller, at the end.
}

kifu_result kifu__go(kifu_timeline *timeline, uint32_t count, unsigned how)
{
    return count <= timeline->executed ? go_back_along(timeline, count, how) : go_forward(timeline, count, how);
}

// --- Beside the timeline's own state ---------------------------------------------------------------------------------

bool kifu__journal_state_at(const kifu_timeline *timeline, uint32_t count, unsigned char *state)
{
    if (!kifu__journal_reaches(&timeline->journal, count))
        return false;
    uint32_t size = timeline->rules->state_size;
    memcpy(state, timeline->core.state, size);
    kifu__journal_look_back(&timeline->journal, &timeline->core, count, 0, size, state);
    return true;
}

// What executing events on another copy of the state replaces for a time.
typedef struct replaced {
    kifu__core core;
    kifu__branch *branch;
    kifu__journal journal;
    kifu_error fault;
    unsigned char *transient;
} replaced;

static replaced begin_beside(kifu_timeline *timeline, kifu__branch *path, unsigned char *state)
{
    const replaced replaced = {timeline->core, timeline->log.branch, timeline->journal, timeline->fault,
                               timeline->transient};
    timeline->log.branch = path;
    kifu__log_forget_near(&timeline->log);
    timeline->core.state = state;
    timeline->core.undone = 0;
    timeline->core.journal = timeline->core.journal_end = NULL;
    timeline->journal = (kifu__journal){0};          // For transactions in a Do. The caller may be reading the other.
    timeline->transient += timeline->transient_size; // An Act may be reading it.
    timeline->fault.result = KIFU_OK;
    return replaced;
}

static void end_beside(kifu_timeline *timeline, const replaced *replaced)
{
    timeline->transient = replaced->transient;
    timeline->fault = replaced->fault;
    timeline->journal = replaced->journal;
    timeline->core = replaced->core;
    timeline->log.branch = replaced->branch;
    kifu__log_forget_near(&timeline->log);
}

kifu_result kifu__replay_into(kifu_timeline *timeline, kifu__branch *path, unsigned char *state, uint32_t from,
                              uint32_t to)
{
    const replaced replaced = begin_beside(timeline, path, state);
    kifu_result result = KIFU_OK;
    while (from < to && !result) {
        uint32_t done = 0;
        result = replay_run(timeline, from, to, &done);
        from += done;
    }
    kifu__journal_free(&timeline->journal, &timeline->memory);
    end_beside(timeline, &replaced);
    return result;
}

uint32_t kifu__known_state(const kifu_timeline *timeline, kifu__branch *path, uint32_t count, unsigned char *state)
{
    const uint32_t shared = kifu__common(timeline->log.branch, path), most = count < shared ? count : shared;
    const uint32_t known = most < timeline->executed ? most : timeline->executed;
    const kifu__keyframe *keyframe = kifu__find_keyframe(timeline, most);
    const bool nearer = keyframe && keyframe->event_count > known; // The past is shown.
    return !nearer && kifu__journal_state_at(timeline, known, state) ? known
                                                                     : kifu__nearest_state(timeline, most, state);
}

kifu_result kifu__execute_beside(kifu_timeline *timeline, kifu__branch *path, kifu__beside *beside, uint32_t to)
{
    if (to > path->end) { // They were tried: the log has them in a hidden branch, from now on.
        if (!timeline->dispatch->seal(timeline))
            return kifu__report_fault(timeline);
        path = timeline->log.branch;
    }
    const replaced replaced = begin_beside(timeline, path, beside->core.state);
    timeline->core.journal = beside->core.journal;
    timeline->core.journal_end = beside->core.journal_end;
    timeline->journal = beside->journal;
    kifu_result result = KIFU_OK;
    while (beside->at < to && !result) {
        result = execute_on(timeline, NULL, beside->at);
        beside->at += !result;
    }
    beside->journal = timeline->journal;
    beside->core = timeline->core;
    end_beside(timeline, &replaced);
    return result;
}
