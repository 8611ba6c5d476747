/// Moments: how everything was at one time, for going back there when an event fails, when a transaction is rolled
/// back, and when the game comes again to a place where something waited.
#ifndef KIFU_SRC_MOMENT_H
#define KIFU_SRC_MOMENT_H

#include <kifu/kifu.h>

#include "core/branch.h"
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

/// What was at a moment besides events and queues, whatever happened since.
typedef struct kifu__standing {
    uint32_t input_first;
    int64_t consequence_count;
    kifu__blob *parts; ///< What the parts of the timeline added: see part.c. NULL: nothing.
} kifu__standing;

/// What waits elsewhere, by its place. Which input was running, is found anew.
typedef struct kifu__kept kifu__kept;
struct kifu__kept {
    kifu__kept *next;  ///< What waits at the nearest place before this one; NULL: nothing does.
    uint32_t executed; ///< The place: so many events are executed.
    bool said;         ///< The log file has it.
    kifu__queue consequences;
    kifu__queue inputs;
    kifu__blob *parts; ///< As in kifu__standing.
};

/// Goes back to a moment. While an event runs, to a moment of this event: takes back its edits and what it submitted.
/// Otherwise takes back all events since, calls listeners for them, and drops them from the log, with what waited
/// because of them. `timeline->error` stays as it is, unless the log has to be executed again and a Do fails: then the
/// log ends earlier, and the parts are called.
kifu_result kifu__return_to(kifu_timeline *timeline, const kifu__moment *moment);

/// Remembers that in `standing`, whose memory it uses again. False without memory: what it has must not be used then.
bool kifu__keep(kifu_timeline *timeline, kifu__standing *standing);

/// Restores that.
void kifu__bring_back(kifu_timeline *timeline, const kifu__standing *standing);

void kifu__standing_free(kifu__standing *standing, const kifu__memory *memory);

/// The game leaves the place where it is by an undo, or goes back from there: what waits is kept by this place, in
/// place of what was kept, and waits no more. False without memory, with nothing changed.
bool kifu__put_away(kifu_timeline *timeline);

/// It has come to its place forward or sideways: what was kept here waits again, and nothing else.
void kifu__take_up(kifu_timeline *timeline);

/// What waits along a path, from the last place of at most `most` events on to the first.
typedef struct kifu__kept_at {
    kifu__kept *kept;     ///< NULL: nothing more does.
    kifu__branch *branch; ///< To which its place belongs.
} kifu__kept_at;

kifu__kept_at kifu__kept_along(kifu__branch *path, uint32_t most);
void kifu__kept_before(kifu__kept_at *waiting);

/// What is kept at a place goes.
void kifu__drop_kept(kifu_timeline *timeline, uint32_t place);

/// What is kept in a branch behind a place goes.
void kifu__drop_kept_behind(kifu_timeline *timeline, kifu__branch *branch, uint32_t place);

/// And what is kept in it up to a place.
void kifu__drop_kept_up_to(kifu_timeline *timeline, kifu__branch *branch, uint32_t place);

/// Room for what is kept at a place of a path, so that it can wait again. False without memory.
bool kifu__make_room_for_kept(kifu_timeline *timeline, kifu__branch *path, uint32_t place);

/// Frees all from `*kept` on.
void kifu__free_kept(kifu__kept **kept, const kifu__memory *memory);

/// The events behind the place go, and what is kept there.
void kifu__redo_drop(kifu_timeline *timeline);

/// Drops the events of a branch from number `count` on, with what waits behind that and the hashes.
void kifu__branch_cut(kifu_timeline *timeline, kifu__branch *branch, uint32_t count);

/// Moves the segments of `more`, which begins where `branch` ends, to the end of that, with hashes and what waits. It
/// has room for them; without memory for the hashes, fewer are there. `more` has nothing then.
void kifu__branch_extend(kifu_timeline *timeline, kifu__branch *branch, kifu__branch *more);

/// Frees what belongs to a branch, which has no events then.
void kifu__branch_free(kifu_timeline *timeline, kifu__branch *branch);

/// Finds out which input is running, and how many consequences it has, once its waiting consequences are in their
/// queue.
void kifu__find_input(kifu_timeline *timeline);

#endif
