/// Moments: snapshots of what is not in the state or the log, to restore when an event fails, when a transaction is
/// rolled back, and when the game returns to a place where something waited.
#ifndef KIFU_SRC_MOMENT_H
#define KIFU_SRC_MOMENT_H

#include <kifu/kifu.h>

#include "core/kept.h"

/// A short snapshot. Since it was taken, consequences may have been added to their queue, but not removed.
typedef struct kifu__moment {
    uint32_t executed;     ///< So many events were executed.
    uint32_t journal_used; ///< Entries of the journal. Only for a moment inside of a Do.
    uint32_t queue_bytes;  ///< Of the waiting consequences, from head to tail: submitting may move them.
    uint32_t queue_count;
    int64_t consequence_count; ///< Of the running input.
} kifu__moment;

/// A snapshot of what there is besides events and queues. Anything may happen after it was taken.
typedef struct kifu__standing {
    uint32_t input_first;
    int64_t consequence_count;
    kifu__blob *parts; ///< What the parts of the timeline added: see part.c. NULL: nothing.
} kifu__standing;

/// Goes back to a moment. While an event runs, to a moment of this event: takes back its edits and what it submitted.
/// Otherwise takes back all events since, calls listeners for them, and drops them from the log, with what waited
/// because of them. `timeline->error` stays as it is, unless the log has to be executed again and a Do fails: then the
/// log ends earlier, and the parts are called.
kifu_result kifu__return_to(kifu_timeline *timeline, const kifu__moment *moment);

/// Takes a snapshot into `standing`, and reuses its memory. False: out of memory, and `standing` must not be used.
bool kifu__keep(kifu_timeline *timeline, kifu__standing *standing);

/// Restores a snapshot.
void kifu__bring_back(kifu_timeline *timeline, const kifu__standing *standing);

void kifu__standing_free(kifu__standing *standing, const kifu__memory *memory);

/// Before the game goes back from its place: moves what waits from the queues to the branch, by this place, where it
/// replaces what was kept. False: out of memory, nothing changed.
bool kifu__store_kept(kifu_timeline *timeline);

/// After the game came to its place forward or from another branch: moves what is kept there back to the queues.
/// Nothing else waits then.
void kifu__restore_kept(kifu_timeline *timeline);

/// Removes what is kept at a place. It becomes the first of the timeline's spare ones: its contents stay valid until
/// its memory is used again. NULL: nothing is.
kifu__kept *kifu__take_out_kept(kifu_timeline *timeline, kifu__branch *branch, uint32_t place);

/// Frees what is kept at a place of the current path.
void kifu__drop_kept(kifu_timeline *timeline, uint32_t place);

/// Frees what is kept in a branch up to a place.
void kifu__drop_kept_up_to(kifu_timeline *timeline, kifu__branch *branch, uint32_t place);

/// Reserves room in the queues for what is kept at a place of a path. False: out of memory.
bool kifu__make_room_for_kept(kifu_timeline *timeline, kifu__branch *path, uint32_t place);

/// Frees all of a tree, or of the timeline's spare ones.
void kifu__free_kept(kifu__kept **kept, const kifu__memory *memory);

/// Drops the events behind the place, with what is kept there.
void kifu__redo_drop(kifu_timeline *timeline);

/// Drops the events of a branch from number `count` on, with the checkpoints and what waits behind that.
void kifu__branch_cut(kifu_timeline *timeline, kifu__branch *branch, uint32_t count);

/// Moves all that `more` has to the end of `branch`: segments, checkpoints, what waits. `more` must begin where
/// `branch` ends, and `branch` must have room for the segments. Without memory for the checkpoints, some are dropped.
void kifu__branch_extend(kifu_timeline *timeline, kifu__branch *branch, kifu__branch *more);

/// Frees what belongs to a branch. It has no events then.
void kifu__branch_free(kifu_timeline *timeline, kifu__branch *branch);

/// Computes which input is running, and how many consequences it has. Its waiting consequences must be in their queue.
void kifu__find_input(kifu_timeline *timeline);

#endif
