/// Transactions: keep what follows, or take it back whole: state, random numbers, log and queues. They can be nested,
/// around several events or inside one Do function.
///
/// From outside, for rules that only the outcome can judge, and for costs that are paid in steps:
///
///     if (kifu_begin(timeline, 0))
///         return …;
///     duel_submit_p_attack(timeline, player, attackers, count);
///     if (kifu_run(timeline) != KIFU_OK || !attack_is_legal(duel_get_state(timeline)))
///         kifu_roll_back(timeline);      // the view sees each change taken back
///     else
///         kifu_commit(timeline);
///
/// For an AI that tries moves, millions of times a second, and shows none of them:
///
///     if (kifu_begin(timeline, KIFU_SEARCH))
///         return …;
///     nim_submit_p_take(timeline, player, heap, count);
///     kifu_run(timeline);
///     score = judge(nim_get_state(timeline));
///     kifu_roll_back(timeline);
#ifndef KIFU_TRANSACTION_H
#define KIFU_TRANSACTION_H

#include <stdint.h>

#include "event.h"
#include "result.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Flags of `kifu_begin`: give one of them, or 0.
enum {
    /// Reactions and triggers wait until `kifu_commit`; after `kifu_roll_back` they never run. Use it for a cost that
    /// the player pays in steps, and may cancel as a whole. What is undone before `kifu_commit` cannot be redone after
    /// it, because nothing has reacted to it.
    KIFU_DEFERRED = 1,
    /// A search: the timeline is quiet until the transaction ends, and Kifu does not call the view and the listeners
    /// even at its end. It can only be rolled back.
    KIFU_SEARCH = 2,
    /// Undo flags stay as the events have them, as if there were no transaction: `kifu_commit` makes no chain. Use it
    /// for one input that is to happen with all its consequences, or not at all.
    KIFU_UNCHAINED = 4
};

/// Begins a transaction; `kifu_commit` or `kifu_roll_back` ends it. `flags`: 0, or one of the
/// flags above.
///
/// From outside: until the transaction ends, `kifu_save` and `kifu_seek` return KIFU_MISUSE, undo stops at its
/// beginning, and memory grows with what happens. In a Do function: `flags` is 0, and the transaction must end in the
/// same call of that Do. It is not allowed there if the model is outside the state.
///
/// If it fails, no transaction begins. Errors: KIFU_NO_MEMORY; KIFU_MISUSE (other flags; in a check, a reaction or a
/// view function; with flags in a Do function; `kifu_seek` shows the past); the error of an earlier submit.
KIFU_WARN_UNUSED kifu_result kifu_begin(kifu_timeline *timeline, uint32_t flags);

/// Ends the transaction that was begun last, and keeps what happened in it. The events of an outermost transaction
/// become one undo chain, unless it was begun with KIFU_UNCHAINED.
///
/// Reactions and triggers that waited run now, once for each event, in the order of the events. They see the state as
/// it is now, but `kifu_change.after` is the part as its event left it. What they submit waits for the next run. If one
/// of them fails, the result is KIFU_FAILED, and the transaction is open as before the call. Other errors: KIFU_MISUSE
/// (no transaction is open; the one that was begun last is a search); the error of an earlier submit.
kifu_result kifu_commit(kifu_timeline *timeline);

/// Ends the transaction that was begun last, and takes back what happened in it. State, random numbers, log, queues and
/// what redo can bring back are again as they were at its beginning. The time is proportional to what changed.
///
/// Undo flags do not stop a roll-back. Dice that are thrown again fall as before, but a player has seen what was
/// revealed. Kifu calls the listeners for each event that it takes back, the last one first, and then the view's
/// `redraw`; for a search it calls none of them. It calls no check and no reaction. Errors: KIFU_MISUSE (no transaction
/// is open); with a model outside the state, which has to be executed again, also those of `kifu_undo`.
kifu_result kifu_roll_back(kifu_timeline *timeline);

/// How many transactions are open, searches included.
uint32_t kifu_open_transactions(const kifu_timeline *timeline);

#ifdef __cplusplus
}
#endif

#endif
