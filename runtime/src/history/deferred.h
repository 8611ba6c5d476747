/// Reactions and triggers that have waited for the end of a transaction.
///
/// They run at the commit, event by event. The values that a trigger gets come from the journal, as they were at its
/// event. If one fails, the commit is refused and the transaction stays open, because its owner must decide. The commit
/// also ends redo of what was undone inside the transaction: nothing has reacted to it, and a redo runs no reactions.
///
/// A fork made inside has no transaction, so they run in it at once: it would wait for a commit that never comes. For
/// the triggers, the fork executes the events again with a journal.
#ifndef KIFU_SRC_DEFERRED_H
#define KIFU_SRC_DEFERRED_H

#include <kifu/kifu.h>

/// Runs the reactions and triggers of the events from number `first` on. If one of them fails, takes back what they
/// submitted; the error says what did not happen: `otherwise`.
kifu_result kifu__react_to_all(kifu_timeline *timeline, uint32_t first, const char *otherwise);

#endif
