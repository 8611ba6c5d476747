/// Moving along the log, forward and back: the place changes, and the state with it.
#ifndef KIFU_SRC_GO_H
#define KIFU_SRC_GO_H

#include <kifu/kifu.h>

#include "core/branch.h"
#include "core/journal.h"

/// How to go.
enum {
    KIFU__SILENT = 0,    ///< Calls no listener; the caller may draw the view anew.
    KIFU__NOTIFY = 1,    ///< Calls listeners for each event that is passed: undo, redo, roll-back.
    KIFU__JOURNALED = 4, ///< Forward, with every event journaled.
    KIFU__ANEW = 2       ///< From a keyframe or the beginning in any case, whatever the state is now.
};

/// Goes backward or forward, until the first `count` events of the log are executed. It uses the journal if that
/// reaches far enough and the state is the whole model; else it executes the events after the keyframe before, or from
/// the beginning. It takes back what a running Do has changed so far. It journals the last events
/// that it executes, if there is memory for that. When a Do fails: KIFU_FAILED, and `executed` counts the events before
/// it. KIFU_NO_MEMORY.
kifu_result kifu__go(kifu_timeline *timeline, uint32_t count, unsigned how);

/// The part of it that has no journal: forward, after kifu__journal_clear up to there. When a Do fails, what it has
/// changed stays in the state.
kifu_result kifu__replay_unkept(kifu_timeline *timeline, uint32_t count);

/// Executes the events `from` to `to` - 1 of a path on another copy of the state, which is the state after `from`
/// events. Not inside a Do. Afterwards the timeline is as it was. KIFU_FAILED, KIFU_NO_MEMORY, in `timeline->error`.
kifu_result kifu__replay_into(kifu_timeline *timeline, kifu__branch *path, unsigned char *state, uint32_t from,
                              uint32_t to);

/// Another copy of the state, with a journal of its own: of the events up to `at`.
typedef struct kifu__beside {
    uint32_t at;     ///< The state is that after so many events.
    kifu__core core; ///< Of it, only the state and what belongs to the journal is used.
    kifu__journal journal;
} kifu__beside;

/// Begins at the state after `at` events, which the caller has set, with an empty journal.
static inline void kifu__beside_begin(kifu__beside *beside, uint32_t at)
{
    beside->at = at;
    beside->journal.keep_from = KIFU_NONE;
    kifu__journal_clear(&beside->journal, &beside->core, at);
}

/// Executes the events of a path up to number `to` - 1 on that copy, with its journal. Not inside a Do. When a Do
/// fails, the copy has the state before that event: KIFU_FAILED, KIFU_NO_MEMORY, in `timeline->error`.
kifu_result kifu__execute_beside(kifu_timeline *timeline, kifu__branch *path, kifu__beside *beside, uint32_t to);

/// Copies the state after `count` events into `state`, by the journal. False if the journal does not reach that far.
bool kifu__journal_state_at(const kifu_timeline *timeline, uint32_t count, unsigned char *state);

/// Copies a state of a path, after at most `count` events, into `state`: the last one for which none is executed, or
/// one before it. Returns how many events it is after.
uint32_t kifu__known_state(const kifu_timeline *timeline, kifu__branch *path, uint32_t count, unsigned char *state);

#endif
