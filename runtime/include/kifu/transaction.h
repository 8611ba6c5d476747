/// Transactions: what follows can be kept or taken back whole: state, random numbers, log and queues. They nest, around
/// several events or inside one Do function.
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
///     reversi_submit_p_place(timeline, player, column, row);
///     kifu_run(timeline);
///     score = judge(reversi_get_state(timeline));
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
    /// Reactions and triggers wait until `kifu_commit`, and never run after `kifu_roll_back`: for a cost that is paid
    /// in steps, of which the player may cancel the whole. What is undone before `kifu_commit` cannot be redone after
    /// it, because nothing has reacted to it.
    KIFU_DEFERRED = 1,
    /// A search: the timeline is quiet until the transaction ends, and the view and listeners learn nothing of it, nor
    /// of its end. It can only be rolled back.
    KIFU_SEARCH = 2
};

/// Begins a transaction; `kifu_commit` or `kifu_roll_back` ends it. `flags`: 0, KIFU_DEFERRED or KIFU_SEARCH.
///
/// From outside: until the transaction ends, `kifu_save` and `kifu_seek` are KIFU_MISUSE, undo stops at its beginning,
/// and memory grows with what happens. In a Do function: `flags` is 0, and the transaction must end in the same call of
/// that Do; a game that keeps its model outside the state cannot have one there.
///
/// Errors: KIFU_NO_MEMORY; KIFU_MISUSE (other flags; in a check, a reaction or a view callback; with flags in a Do
/// function; while `kifu_seek` shows the past); what an earlier submit could not do. No transaction is begun then.
KIFU_WARN_UNUSED kifu_result kifu_begin(kifu_timeline *timeline, uint32_t flags);

/// Ends the transaction that was begun last, and keeps what happened in it. The events of an outermost transaction
/// become one undo chain. Reactions and triggers that waited run now, in the order of the events, once for each event,
/// with the state as it is now (`kifu_change.after` is the part as its event left it); what they submit waits for the
/// next run. Where one of them fails, the result is KIFU_FAILED, and the transaction is open as before the call.
/// Errors: KIFU_MISUSE (no transaction is open; a search was begun last); what an earlier submit could not do.
kifu_result kifu_commit(kifu_timeline *timeline);

/// Ends the transaction that was begun last, and takes back what happened in it, in time proportional to what changed:
/// state, random numbers, log, queues and redo possibilities are as they were at its beginning. Undo flags do not hold
/// it back: dice that are thrown again fall as before, but what was revealed has been seen. Listeners hear of each
/// event that is taken back, the last one first, then the view gets a redraw; a search ends unseen. No check is asked
/// and no reaction runs. Errors: KIFU_MISUSE (no transaction is open), and those of `kifu_undo`, where a model outside
/// the state has to be executed again.
kifu_result kifu_roll_back(kifu_timeline *timeline);

/// How many transactions are open, searches included.
uint32_t kifu_open_transactions(const kifu_timeline *timeline);

#ifdef __cplusplus
}
#endif

#endif
