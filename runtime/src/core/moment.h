/// Moments: how everything was at one time, for going back there when an event fails, when a transaction is rolled
/// back, and when a redo brings back what waited before an undo.
#ifndef KIFU_SRC_MOMENT_H
#define KIFU_SRC_MOMENT_H

#include <kifu/kifu.h>

#include "core/queue.h"
#include "wire/table.h"

/// A moment since which consequences were only added to their queue.
typedef struct kifu__moment {
    uint32_t executed;     ///< So many events were executed.
    uint32_t journal_used; ///< Entries of the journal. Only for a moment inside of a Do.
    uint32_t queue_bytes;  ///< Of the waiting consequences, from head to tail: submitting may move them.
    uint32_t queue_count;
    int64_t consequence_count; ///< Of the running input.
} kifu__moment;

/// Copies of the queues.
typedef struct kifu__queues {
    kifu__queue consequences;
    kifu__queue inputs;
} kifu__queues;

/// What was at a moment, whatever happened since. Each undo of a long row has one: small, and most lead to nothing.
typedef struct kifu__kept {
    uint32_t executed;
    uint32_t input_first;
    int64_t consequence_count;
    kifu__queues *waiting; ///< Of an undo: what waited before it. NULL: nothing did.
    kifu__blob *parts;     ///< What the parts of the timeline added: see part.c. NULL: nothing.
} kifu__kept;

/// What redo can bring back, the last undo last: the moments before each. The events lie in the log behind the executed
/// ones.
typedef struct kifu__redo {
    kifu__kept *items; ///< Those behind the last one have memory still, for the next.
    uint32_t count;
    uint32_t made;
    uint32_t capacity;
} kifu__redo;

/// Goes back to a moment. While an event runs, to a moment of this event: takes back its edits and what it submitted.
/// Otherwise takes back all events since, calls listeners for them, and drops them from the log, with what waited
/// because of them. `timeline->error` stays as it is, unless the log has to be executed again and a Do fails: then the
/// log ends earlier, and the parts are called.
kifu_result kifu__return_to(kifu_timeline *timeline, const kifu__moment *moment);

/// Remembers the moment, but for the queues, in `kept`, whose memory it uses again. False without memory: what `kept`
/// has must not be used then.
bool kifu__keep(kifu_timeline *timeline, kifu__kept *kept);

/// Restores that.
void kifu__bring_back(kifu_timeline *timeline, const kifu__kept *kept);

void kifu__kept_free(kifu__kept *kept, const kifu__memory *memory);

/// Remembers the moment before an undo; nothing waits after it. False without memory, with nothing changed.
bool kifu__redo_push(kifu_timeline *timeline);

/// What waited before the last undo waits again. The events are executed.
void kifu__redo_pop(kifu_timeline *timeline);

/// Forgets everything that redo could bring back, in the log as well.
void kifu__redo_drop(kifu_timeline *timeline);

void kifu__redo_free(kifu__redo *redo, const kifu__memory *memory);

/// Finds out which input is running, and how many consequences it has, once its waiting consequences are in their
/// queue.
void kifu__find_input(kifu_timeline *timeline);

#endif
