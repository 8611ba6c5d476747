/// The sync test of `kifu_options.sync_test`: a twin of the state that follows every event, so that what changes the
/// state without an edit, or depends on anything but state and event, shows at the event that did it.
///
/// Where it finds something it puts the state right and remembers a fault, KIFU_DIVERGED: the running event is taken
/// back because of it, as for any fault. Every call here wants `timeline->sync`, which is NULL where the test is off.
#ifndef KIFU_SRC_SYNC_H
#define KIFU_SRC_SYNC_H

#include <kifu/timeline.h>

#include "base/memory.h"

typedef struct kifu__sync kifu__sync;

/// Fills what a Do will find on the stack where it has not written yet.
#if defined(__GNUC__)
__attribute__((noinline)) // so that its frame lies where that of the Do will
#endif
void kifu__scribble(unsigned char pattern);

/// For a state that is all zeros. NULL without memory.
kifu__sync *kifu__sync_new(const kifu_rules *rules, const kifu__memory *memory);

/// NULL is allowed.
void kifu__sync_free(kifu__sync *sync, const kifu__memory *memory);

/// A call begins: KIFU_DIVERGED when somebody wrote to the state since the last one.
kifu_result kifu__sync_begin(kifu_timeline *timeline);

/// The state was changed by other means than a live event: undo, redo, seek, load.
void kifu__sync_follow(kifu_timeline *timeline);

/// Before a live Do.
void kifu__sync_before_do(kifu_timeline *timeline);

/// After a live Do that gave `result`: undoes it on a copy, and does it again elsewhere. `event` is the last one in the
/// log.
void kifu__sync_after_do(kifu_timeline *timeline, uint32_t type, const void *event, kifu_result result);

/// `who` of `whose` ("the check of ", "nim.PTake") has run, on account of event `event`, and may not have changed the
/// state.
void kifu__sync_unchanged(kifu_timeline *timeline, uint32_t event, const char *who, const char *whose);

/// The running event will be taken back: the state becomes what it was before it, whatever was written since.
void kifu__sync_take_back(kifu_timeline *timeline);

#endif
