/// Going along the log: the one way to bring the state to after another event.
#ifndef KIFU_SRC_GO_H
#define KIFU_SRC_GO_H

#include <kifu/kifu.h>

/// How to go.
enum {
    KIFU__SILENT = 0,    ///< No listener hears of it; the view is drawn anew, if anything.
    KIFU__TOLD = 1,      ///< Listeners hear of each event on the way: undo, redo, roll-back.
    KIFU__JOURNALED = 4, ///< Forward, with every event journaled.
    KIFU__ANEW = 2       ///< From a keyframe or the beginning in any case: what the state is now does not count.
};

/// Goes to where the first `count` events of the log are executed, backward or forward: by the journal where it reaches
/// that far and the state is the whole model, else by Do alone from the keyframe before, or from the beginning. What a
/// Do has changed for an event that is not executed yet is taken back. The last events on the way are journaled; where
/// there is no memory for that, silently, it goes without. When a Do fails: KIFU_FAILED, and `executed` counts the
/// events before it. KIFU_NO_MEMORY.
kifu_result kifu__go(kifu_timeline *timeline, uint32_t count, unsigned how);

/// Executes the events `from` to `to` - 1 of the log on another block of state, which is that after `from` events. Not
/// inside a Do. The timeline is as it was afterwards. KIFU_FAILED, KIFU_NO_MEMORY, in `timeline->error`.
kifu_result kifu__replay_into(kifu_timeline *timeline, unsigned char *state, uint32_t from, uint32_t to);

/// The state after `count` events as the journal says it, copied into `state`; false where it does not reach that far.
bool kifu__journal_state_at(const kifu_timeline *timeline, uint32_t count, unsigned char *state);

#endif
