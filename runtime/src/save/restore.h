/// From a log that was loaded to its state: by executing it, compared on the way with what the save says that the state
/// was, or from a snapshot in the save.
#ifndef KIFU_SRC_RESTORE_H
#define KIFU_SRC_RESTORE_H

#include <stdbool.h>

#include "save/frame.h"
#include "core/timeline.h"

/// A snapshot on the branch of the log that is executed.
typedef struct kifu__saved_snapshot {
    kifu__frame frame;
    uint64_t hash;
    uint32_t event_count;
    bool has_state;
} kifu__saved_snapshot;

/// What the save says of states. Its checkpoints are the timeline's already.
typedef struct kifu__saved_states {
    bool fast;                       ///< The state may be taken from a snapshot.
    bool comparable;                 ///< The very version of the game that loads has written it.
    kifu__saved_snapshot *snapshots; ///< `event_count` never descends.
    uint32_t snapshot_count;
    uint32_t snapshot_capacity;
} kifu__saved_states;

/// Verifies a snapshot's payload against the frames before it, and remembers it. KIFU_DAMAGED, KIFU_NO_MEMORY.
kifu_result kifu__take_snapshot(kifu__saved_states *saved, kifu_timeline *timeline, const kifu__frame *frame,
                                kifu_error *error);

/// The same for checkpoints, which the timeline remembers.
kifu_result kifu__take_checkpoints(kifu_timeline *timeline, const kifu__frame *frame, kifu_error *error);

/// Forgets the snapshots of more than `count` events: a rewind went back there.
void kifu__saved_states_rewind(kifu__saved_states *saved, uint32_t count);

void kifu__saved_states_free(kifu__saved_states *saved, const kifu__memory *memory);

/// Brings the state to `timeline->executed`, which so far says only how many events are to be executed. KIFU_DIVERGED,
/// KIFU_FAILED, KIFU_NO_MEMORY.
kifu_result kifu__restore_state(const kifu__saved_states *saved, kifu_timeline *timeline, kifu_error *error);

#endif
