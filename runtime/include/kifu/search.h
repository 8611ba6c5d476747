/// Search: tries an event on the state and takes it back, or answers whether it may be played, without a trace in the
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
///     bool possible = nim_can_p_take(timeline, player, heap, count); // only asks
///
/// What a try does: the event's check, hooks, Do, reactions and triggers run, and so do all consequences, in the same
/// order as in play. The state, its random numbers, `kifu_event_count`, `kifu_event_at` and `kifu_state_at` are those
/// that playing the event would give. But Kifu calls no view, listener or follower, and records no hash and no
/// keyframe; the sync test and `kifu_record_inputs` ignore a try. What waits in the queues goes on waiting: a try
/// happens before it.
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

#include <stdint.h>

#include "detail/search.h"
#include "event.h"
#include "result.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Takes back the try that was opened last, with all that followed from its event: everything is again as it was before
/// the try. Errors: KIFU_MISUSE (no try is open; an event runs); the error of a submit that was made while the try was
/// open, which is taken back all the same.
static inline kifu_result kifu_take_back(kifu_timeline *timeline)
{
    kifu__core *core = (kifu__core *)timeline;
    if (core->next_short == core->inner_short || !kifu__is_simply(core, KIFU__TRYING))
        return kifu__take_back(timeline);
    kifu__take_short_back(core);
    return KIFU_OK;
}

/// How many tries are open.
uint32_t kifu_open_tries(const kifu_timeline *timeline);

#ifdef __cplusplus
}
#endif

#endif
