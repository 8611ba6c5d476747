/// Transactions: what follows can be kept or taken back whole, state, random numbers, log and queues. They nest, around
/// several events or inside one Do function.
///
/// From outside, for rules that only the outcome can judge, and costs that are paid in steps:
///
///     if (kifu_begin(timeline))
///         return …;
///     duel_submit_p_attack(timeline, player, attackers, count);
///     if (kifu_run(timeline) != KIFU_OK || !attack_is_legal(duel_get_state(timeline)))
///         kifu_roll_back(timeline);      // the view sees each change taken back
///     else
///         kifu_commit(timeline);
///
/// For an AI that searches, millions of times a second, unseen by any view:
///
///     if (kifu_mark(timeline))
///         return …;
///     reversi_submit_p_place(timeline, player, column, row);
///     kifu_run(timeline);
///     score = judge(reversi_get_state(timeline));
///     kifu_rewind(timeline);
#ifndef KIFU_TRANSACTION_H
#define KIFU_TRANSACTION_H

#include <stdint.h>

#include "event.h"
#include "result.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Opens a transaction. From outside: until it is committed or rolled back, there is no saving and seeking, undo stops
/// at its beginning, and memory grows with what happens. In a Do function: it must end in the same call of that Do; not
/// for a model outside the state. Errors: KIFU_NO_MEMORY; KIFU_MISUSE (from a check, a reaction or a view callback;
/// while `kifu_seek` shows the past).
KIFU_WARN_UNUSED kifu_result kifu_begin(kifu_timeline *timeline);

/// The same from outside, where reactions and triggers wait until `kifu_commit`, and never run after `kifu_roll_back`:
/// for a cost paid in steps, of which the player may cancel the whole. What is undone before `kifu_commit` cannot be
/// redone after it: nothing has reacted to it.
KIFU_WARN_UNUSED kifu_result kifu_begin_deferred(kifu_timeline *timeline);

/// Keeps what happened since the last `kifu_begin` or `kifu_begin_deferred` that is open. The events of an outermost
/// transaction become one undo chain. Reactions and triggers that waited run now, in the order of the events, once for
/// each, with the state as it is now (`kifu_change.after` is the part as its event left it); what they submit waits for
/// the next run. Where one of them fails: KIFU_FAILED, and the transaction is open still, as before the call. Errors:
/// KIFU_MISUSE (no transaction is open; the last one is a mark).
kifu_result kifu_commit(kifu_timeline *timeline);

/// Takes back what happened since the last `kifu_begin` or `kifu_begin_deferred` that is open: state, random numbers,
/// log, queues, redo possibilities are as they were. Undo flags do not hold it back: dice that are thrown again fall as
/// before, but what was revealed has been seen. Listeners hear of each event that is taken back, the last one
/// first, then the view gets a redraw; no check is asked and no reaction runs. Errors: KIFU_MISUSE (no transaction is
/// open; the last one is a mark), and those of `kifu_undo`, where a model outside the state has to be executed again.
kifu_result kifu_roll_back(kifu_timeline *timeline);

/// Opens a transaction that is only ever taken back, with the timeline quiet and no listener told.
/// Errors: as `kifu_begin`; KIFU_MISUSE in a Do function.
KIFU_WARN_UNUSED kifu_result kifu_mark(kifu_timeline *timeline);

/// Takes back what happened since the last `kifu_mark`, in time proportional to what changed.
/// Errors: KIFU_MISUSE (the last transaction open is no mark, or none is).
kifu_result kifu_rewind(kifu_timeline *timeline);

/// How many transactions and marks are open.
uint32_t kifu_open_transactions(const kifu_timeline *timeline);

#ifdef __cplusplus
}
#endif

#endif
