/// Changes: what has happened in a game since some position, as bytes. Another timeline of the game that applies them
/// then has the same branches, the same place in them, the same state, and the same waiting events. So one machine
/// follows another:
///
///     kifu_stream_position sent = {0};                        // nothing: the first changes are the whole game
///     for (;;) {
///         …                                            // submit, run, undo, redo, kifu_log_append
///         kifu_changes changes;
///         result = kifu_changes_since(timeline, &sent, &changes);
///         if (!result && changes.size) {
///             …                                        // send the bytes, on any way
///             sent = changes.until;
///             kifu_free_bytes(timeline, changes.bytes);
///         }
///     }
///
///     result = kifu_apply_changes(copy, bytes, size);  // where they arrive
///
/// A follower that has missed changes returns KIFU_GAP, and asks for those since `kifu_followed`.
///
/// **Changes contain everything that the game knows, hidden hands included.** Do not send them to a player who may
/// cheat.
#ifndef KIFU_CHANGES_H
#define KIFU_CHANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"
#include "result.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A position in the stream of a game: behind one of its commits (schema/FORMAT.md, "Changes"). All zeros: no position.
typedef struct kifu_stream_position {
    uint64_t stream;   ///< Which stream: a random number.
    uint32_t commit;   ///< The number of the commit,
    uint32_t checksum; ///< and the checksum up to it.
} kifu_stream_position;

/// What `kifu_changes_since` returns.
typedef struct kifu_changes {
    unsigned char *bytes;       ///< The caller frees them with `kifu_free_bytes` of save.h. NULL: nothing has changed.
    size_t size;                ///< How many.
    bool whole;                 ///< They are the whole game, and replace that of the follower.
    kifu_stream_position until; ///< The position of a follower that has applied them.
} kifu_changes;

/// How much has happened in this timeline: a number that only grows. Each event adds 1. Anything else between two calls
/// adds 1, too, such as an undo, a redo, a roll-back of events, a note that was set, or a line that was entered,
/// promoted or deleted. What waits does not count. A new timeline is at 1, and one that was loaded, or is a fork, at 1
/// more than it has events. While an event runs, a try or a transaction is open, the number is that of the last call.
uint64_t kifu_change_count(kifu_timeline *timeline);

/// What has changed since a position: that of a follower (`kifu_followed`), or `until` of earlier changes. An undo
/// takes less than 50 bytes, an event some 10 besides its fields, at any length of the game. If `since` is NULL, all
/// zeros, or no longer retained: the whole game, as a save has it. A timeline retains the last 256 KiB of changes. With
/// a log file open, it has all changes in the file, also after a restart that loaded and opened the file. The call
/// first appends what the file does not have yet, so that a follower never has more than the file. Errors:
/// KIFU_NO_MEMORY, KIFU_TOO_LARGE (1 GiB); KIFU_MISUSE (an event runs, a try or a transaction is open); those of
/// `kifu_log_append`; while `kifu_seek` shows the past also those of `kifu_seek`. After an error, the next changes
/// contain what has happened.
KIFU_WARN_UNUSED kifu_result kifu_changes_since(kifu_timeline *timeline, const kifu_stream_position *since,
                                                kifu_changes *changes);

/// The end of the changes that this timeline has applied last; all zeros: it has applied none. For `kifu_changes_since`
/// on the other side.
kifu_stream_position kifu_followed(const kifu_timeline *timeline);

/// Makes this timeline equal to the timeline that made the changes, as it was then. Events that are new here are
/// executed by Do alone, and shown by listeners and Act, without a delay between them. Checks, hooks, reactions and
/// triggers do not run, because the changes contain their results. Events that are undone or redone are shown as
/// `kifu_undo` and `kifu_redo` show them. The whole game is shown as `kifu_seek` shows a place: listeners of elements,
/// then `redraw`.
///
/// A follower may undo and redo, and may play events before the changes that contain them arrive: then they are not
/// shown again. If the changes have other events, those that it played itself are taken back first, which is shown as
/// an undo (KIFU_DIVERGED if the game keeps variations). It may not run or drop what waited after the last changes. It
/// keeps variations if the game does, even against its own options, and notes if its options say so. Its own actions
/// must not conflict with the changes. A follower's own notes stay unless the changes contain notes for the same event.
///
/// Each commit of the changes is applied as a whole or not at all. If one is refused, those before it stay applied.
/// Results: KIFU_OK, also for changes that it has already. KIFU_GAP: changes in between are missing; ask for those
/// since `kifu_followed`. KIFU_OTHER_STREAM: this timeline follows another stream, or none; or the other side has begun
/// a new stream, because it was loaded or has forgotten its past. KIFU_DIVERGED: what the changes rely on was
/// replaced, deleted or forgotten here, or the same events lead to another state; `event` of `kifu_last_error` is the
/// first that differs, or KIFU_NONE. After these two, only the whole game helps, which replaces this one: ask for the
/// changes since NULL.
///
/// The bytes may come from anywhere: all of them are verified, and the events are executed on a copy of the state,
/// before anything is shown. (If a view function makes a call that is not allowed, the changes are applied, and the
/// result is KIFU_MISUSE.) Errors: KIFU_NOT_A_SAVE (no changes); KIFU_OTHER_GAME (or another version of the game, which
/// may load a save instead); KIFU_NEWER_GAME (their rules version is higher); KIFU_DAMAGED, KIFU_UNKNOWN_EVENT,
/// KIFU_NEWER_FORMAT, KIFU_NO_MEMORY, KIFU_TOO_LARGE (they need more memory than `kifu_options.changes_memory` allows,
/// or their notes more than `note_limit`); KIFU_FAILED (a Do failed); KIFU_MISUSE (as for `kifu_changes_since`; the
/// past is shown).
KIFU_WARN_UNUSED kifu_result kifu_apply_changes(kifu_timeline *timeline, const void *bytes, size_t size);

#ifdef __cplusplus
}
#endif

#endif
