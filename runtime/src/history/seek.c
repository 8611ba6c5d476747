// Looking at the past: the whole timeline, or a copy of the state.
//
// Nothing can happen in the past that is shown: to play on from there, a game forks or undoes. So looking at the past
// loses nothing. Undo flags do not stop a seek, because it takes nothing back.
//
// The film is a replay followed by Act: Do alone, as in a redo, then listeners and Act with their delays. So nothing is
// recorded for a film.
//
// kifu_state_at is refused in a Do, which depends on the state and the event alone, and would replay once more in each
// replay. A check or a reaction may call it and put the answer into an event.

#include "core/go.h"
#include "core/timeline.h"
#include "history/seek.h"

kifu_result kifu__require_past(const kifu_timeline *timeline, const char *call, uint32_t count, kifu_error *error)
{
    if (count >= timeline->log.begin)
        return KIFU_OK;
    return kifu__error(
        error, KIFU_MISUSE,
        "%s: the game after %u events, but what was before event %u is forgotten (kifu_forget, KIFU_WITHOUT_PAST)",
        call, (unsigned)count, (unsigned)timeline->log.begin);
}

kifu_result kifu__require_outside(kifu_timeline *timeline, const char *call)
{
    kifu_result result = kifu__require_calm(timeline, call);
    if (!result && timeline->transactions.open)
        result = kifu__error(&timeline->error, KIFU_MISUSE, "%s inside a transaction: commit it or roll it back first",
                             call);
    return result;
}

kifu_result kifu__seek_quietly(kifu_timeline *timeline, uint32_t count)
{
    uint32_t present = kifu_event_count(timeline);
    const kifu_error fault = timeline->fault; // of a submit: no event that is executed now failed because of it
    timeline->fault.result = KIFU_OK;
    kifu_result result = kifu__go(timeline, count == KIFU_PRESENT ? present : count, KIFU__SILENT);
    timeline->fault = fault;
    timeline->past.present = present;
    timeline->past.shown = timeline->executed != present;
    return result;
}

kifu_result kifu_seek(kifu_timeline *timeline, uint32_t count)
{
    kifu_result result = kifu__require_outside(timeline, "kifu_seek");
    if (result)
        return result;
    uint32_t present = kifu_event_count(timeline);
    if (count != KIFU_PRESENT && count > present)
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "kifu_seek to after %u events, but only %u have happened (kifu_event_count)",
                           (unsigned)count, (unsigned)present);
    result = kifu__require_past(timeline, "kifu_seek", count, &timeline->error);
    if (result)
        return result;
    if (!timeline->past.shown)
        timeline->past.delay = timeline->delay;
    result = kifu__seek_quietly(timeline, count);
    timeline->past.speed = 0;
    timeline->delay = timeline->past.shown ? 0 : timeline->past.delay;
    kifu__moved(timeline, KIFU__JUMPED);
    return kifu__show_anew(timeline, result);
}

// A frame of the film: `dt` seconds pass.
static kifu_result play_film(kifu_timeline *timeline, kifu__part *part, double dt)
{
    (void)part;
    if (dt > 0 && timeline->delay > 0)
        timeline->delay -= dt * timeline->past.speed;
    kifu_result result = KIFU_OK;
    while (!result && timeline->delay <= 0 && timeline->executed < timeline->past.present) {
        uint32_t event = timeline->executed;
        timeline->core.player = kifu__log_mark(&timeline->log, event)->player;
        result = kifu__go(timeline, event + 1, KIFU__NOTIFY);
        if (result) {
            const kifu_error error = timeline->error;
            (void)kifu__go(timeline, event, KIFU__NOTIFY); // What it has done to a model outside is taken back.
            timeline->error = error;
            break;
        }
        kifu__show(timeline, kifu__log_type(&timeline->log, event), kifu__log_table(&timeline->log, event));
        if (kifu__has_handler(timeline, ran))
            timeline->dispatch->ran(timeline, event, "Act", "");
        result = kifu__report_fault(timeline);
    }
    if (timeline->executed == timeline->past.present) {
        timeline->past.shown = false;
        timeline->past.speed = 0;
    }
    if (timeline->delay < 0)
        timeline->delay = 0;
    return result;
}

kifu_result kifu_play(kifu_timeline *timeline, double speed)
{
    kifu_result result = kifu__require_idle(timeline, "kifu_play");
    if (result)
        return result;
    if (!(speed >= 0)) // not a number, too
        return kifu__error(&timeline->error, KIFU_MISUSE, "kifu_play: the speed must be 0 or more");
    if (!timeline->past.shown && speed > 0)
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "kifu_play plays the past: go there with kifu_seek first, to event 0 for instance");
    static const kifu__part_table table = {.size = sizeof(kifu__part), .order = KIFU__FILM, .plays = play_film};
    if (speed > 0 && !kifu__attach(timeline, &table))
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory to play the past");
    timeline->past.speed = speed;
    return KIFU_OK;
}

double kifu_play_speed(const kifu_timeline *timeline)
{
    return timeline->past.speed;
}

kifu_result kifu__require_readable(kifu_timeline *timeline, const char *call, uint32_t count, uint32_t end)
{
    if (timeline->core.phase == KIFU__DOING || timeline->core.phase == KIFU__REPLAYING)
        return kifu__misuse(timeline,
                            "%s was called in a Do function, which may depend on nothing but state and event: ask in "
                            "a check or reaction, and put the answer into an event",
                            call);
    if (timeline->options.reset)
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "%s: this game keeps its model outside the state: use kifu_fork", call);
    if (count > end)
        return kifu__error(&timeline->error, KIFU_MISUSE, "%s: the state after %u events, but only %u have happened",
                           call, (unsigned)count, (unsigned)end);
    if (!kifu__settled(timeline))
        return kifu__report_fault(timeline); // out of memory for the events of a try
    return kifu__require_past(timeline, call, count, &timeline->error);
}

kifu_result kifu_state_at(kifu_timeline *timeline, uint32_t count, void *state, size_t size)
{
    kifu_result result = kifu__require_readable(timeline, "kifu_state_at", count, kifu_event_count(timeline));
    if (result)
        return result;
    if (size != timeline->rules->state_size)
        return kifu__error(&timeline->error, KIFU_MISUSE, "kifu_state_at was given %zu bytes; the state has %u", size,
                           (unsigned)timeline->rules->state_size);
    if (count <= kifu__now(timeline) && kifu__journal_state_at(timeline, count, (unsigned char *)state))
        return KIFU_OK;
    // The caller's memory may be aligned as it likes; Do wants the state's own alignment.
    unsigned char *room = (unsigned char *)kifu__new(&timeline->memory, kifu__state_room(timeline->rules));
    if (!room)
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for a copy of the state");
    const uint32_t from = kifu__known_state(timeline, timeline->log.branch, count, room);
    result = kifu__replay_into(timeline, timeline->log.branch, room, from, count);
    if (!result)
        memcpy(state, room, size);
    kifu__free(&timeline->memory, room);
    return result;
}
