/// Search: an event is tried on the state and taken back, and "may this be played?" is answered, without a trace in the
/// log, the queues, the view or the listeners. For bots, for rules of the kind "a move must not leave the king in
/// check", and for a user interface that greys out what cannot be played.
///
/// `kifuc` generates these functions for each event, with the same arguments as its submit. An event without a check
/// has only the first:
///
///     if (nim_try_p_take(timeline, player, heap, count) == KIFU_OK) {
///         score = judge(nim_get_state(timeline));  // the state after the event and all that followed from it
///         kifu_take_back(timeline);
///     }
///     nim_try_legal_p_take(timeline, player, heap, count);          // asks no check: the move is known to be legal
///     bool possible = nim_can_p_take(timeline, player, heap, count); // asks alone
///
/// What a try does: the event's check, hooks, Do, reactions and triggers run, and so do all consequences, in the same
/// order as in play. The state, its random numbers, `kifu_event_count`, `kifu_event_at` and `kifu_state_at` are those
/// that playing the event would give. But the view and the listeners see nothing, followers hear nothing, no hash and
/// no keyframe is recorded, and the sync test and `kifu_record_inputs` leave it out. What waits in the queues goes on
/// waiting: a try happens before it.
///
/// Tries nest, as deep as memory allows: `kifu_take_back` takes back the last one that is open. While one is open,
/// nothing else may happen to the timeline. A submit, and any call that runs, saves, forks, seeks, undoes, begins a
/// transaction or adds an observer, is misuse, which is reported as always. Calls that only look work.
///
/// The table that `kifu_event_at` gives of a tried event is valid until the next try, and in a Do until it submits.
///
/// A try is no action of an actor (turns.h): it costs no energy. A game whose model is outside the state cannot be
/// tried, because the journal cannot take that model back; use `kifu_begin` with KIFU_SEARCH.
#ifndef KIFU_SEARCH_H
#define KIFU_SEARCH_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "event.h"
#include "result.h"
#include "rules.h"
#include "state.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Takes back the try that was opened last, with all that followed from its event: everything is again as it was before
/// the try. Errors: KIFU_MISUSE (no try is open; an event runs); the error of a submit that was made while the try was
/// open, which is taken back all the same.
static inline kifu_result kifu_take_back(kifu_timeline *timeline);

/// How many tries are open.
uint32_t kifu_open_tries(const kifu_timeline *timeline);

// --- For generated code ----------------------------------------------------------------------------------------------

/// Tries an event: `table` is a proposal of `size` bytes, as for `kifu__submit`. `trusted`: its own check is not asked
/// and its values are not looked at, because the caller knows that the check would accept it and leave it as it is.
/// Hooks, and all checks of what follows, are asked in any case.
///
/// KIFU_OK: the try is open. Otherwise nothing has changed, and `kifu_last_error` says why: KIFU_REJECTED, and what
/// else `kifu_run` may return for this event (KIFU_FAILED, KIFU_INVALID_EVENT, KIFU_RUNAWAY), also where a consequence
/// fails; KIFU_NO_MEMORY; KIFU_MISUSE (an event runs; the past is shown; the model is outside the state); the error of
/// an earlier submit.
kifu_result kifu__try(kifu_timeline *timeline, uint32_t type, int player, const void *table, uint32_t size,
                      bool trusted);

/// The same for a proposal with references. After `kifu__try_open` has returned true, submit one event, and end with
/// `kifu__try_run`. False: the error is the last one.
bool kifu__try_open(kifu_timeline *timeline);
kifu_result kifu__try_run(kifu_timeline *timeline, bool trusted);

/// Whether an event may be played now: its check accepts it, or wants another event instead whose check accepts, and no
/// hook stops it. Its Do does not run, so a move that only its Do or a consequence makes impossible counts as possible;
/// try it to know more. False: `kifu_last_error` says why (`kifu_error_reason` for the player).
///
/// May be called from outside, while tries are open, and in reactions and all functions of the view. Not in a Do, a
/// check or a hook, and not while the past is shown.
bool kifu__can(kifu_timeline *timeline, uint32_t type, int player, const void *table, uint32_t size);

/// The same for a proposal with references. After `kifu__can_open` has returned true, submit one event, and end with
/// `kifu__can_ask`.
bool kifu__can_open(kifu_timeline *timeline);
bool kifu__can_ask(kifu_timeline *timeline);

// --- Short tries -----------------------------------------------------------------------------------------------------

/// How large an event of a short try may be.
enum { KIFU__MOST_SHORT = 40 };

/// A try inside another one, of an event that is known to be legal and from whose Do nothing follows. All of it is
/// inline; where there is more to do, the other functions take over.
typedef struct kifu__short {
    uint32_t journal; ///< How many entries the journal had before it.
    uint8_t type;
    int8_t player;
    uint16_t size;
    uint64_t event[KIFU__MOST_SHORT / 8];
} kifu__short;

/// The Do of `event` runs next. False: use `kifu__try`.
static inline bool kifu__try_short(kifu_timeline *timeline, uint32_t type, int player, const void *event, uint32_t size)
{
    kifu__core *core = (kifu__core *)timeline;
    kifu__short *tried = core->next_short;
    if (tried == core->last_short || core->phase != KIFU__TRYING || player < -1 || player > INT8_MAX)
        return false;
    tried->journal = (uint32_t)(core->journal - core->journal_entries);
    tried->type = (uint8_t)type;
    tried->player = (int8_t)player;
    tried->size = (uint16_t)size;
    memcpy(tried->event, event, size);
    core->player = player;
    core->event = *core->executed;
    core->phase = KIFU__DOING;
    core->journal_end = core->journal_room;
    return true;
}

/// More than this Do has happened, or it failed.
kifu_result kifu__try_more(kifu_timeline *timeline, kifu_result result);

/// Its Do has returned `result`.
static inline kifu_result kifu__try_done(kifu_timeline *timeline, kifu_result result)
{
    kifu__core *core = (kifu__core *)timeline;
    if (result || core->slow)
        return kifu__try_more(timeline, result);
    core->next_short++;
    ++*core->executed;
    core->journal_end = core->journal;
    core->journal_last = 0;
    core->phase = KIFU__TRYING;
    return KIFU_OK;
}

kifu_result kifu__take_back(kifu_timeline *timeline);

static inline kifu_result kifu_take_back(kifu_timeline *timeline)
{
    kifu__core *core = (kifu__core *)timeline;
    if (core->next_short == core->shorts || core->slow || core->phase != KIFU__TRYING)
        return kifu__take_back(timeline);
    const kifu__short *tried = --core->next_short;
    kifu__journal_entry *const start = core->journal_entries + tried->journal;
    unsigned char *const state = core->state;
    for (kifu__journal_entry *entry = core->journal; entry > start;) {
        entry--;
        memcpy(state + entry->offset, &entry->old, sizeof entry->old);
    }
    core->journal = core->journal_end = start;
    const uint32_t event = --*core->executed;
    core->undone = event < core->undone ? event : core->undone;
    core->unclear = event < core->unclear ? event : core->unclear;
    return KIFU_OK;
}

#ifdef __cplusplus
}
#endif

#endif
