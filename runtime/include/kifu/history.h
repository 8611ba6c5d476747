/// Moving through a game's history: any event and back, the state as it was, copies that play on, and the proof that a
/// replay is exact.
///
/// The past is had from the journal (the old bytes of the last thousand edited events or so), from keyframes (copies of
/// the state along the log, as many as `kifu_options.keyframe_bytes` allows, denser towards the end) and from executing
/// the log again from the one before. All three give the same bytes.
#ifndef KIFU_HISTORY_H
#define KIFU_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"
#include "result.h"
#include "timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

/// For `kifu_seek` and `kifu_fork`: all events that have happened.
#define KIFU_PRESENT UINT32_MAX

/// Shows the game as it was after its first `count` events, or, with KIFU_PRESENT (or `kifu_event_count`), as it is.
/// Nothing is lost and nothing can happen meanwhile: what waits goes on waiting, `kifu_update` lets no time pass, a
/// submit is KIFU_MISUSE, and so are undo and redo; `kifu_save` saves the present. To play on from a point in the past
/// use `kifu_fork`, or go there by `kifu_undo`. The view gets one redraw, and no Act; listeners hear nothing.
///
/// Undo flags do not hold it back. Errors: KIFU_MISUSE (there are fewer events; while an event runs; inside a
/// transaction), KIFU_NO_MEMORY, KIFU_FAILED (a Do failed that did not fail before: the game is shown as after the
/// events before that one).
kifu_result kifu_seek(kifu_timeline *timeline, uint32_t count);

/// Plays the past as a film, from where `kifu_seek` has gone: from now on `kifu_update` executes event after event as
/// they happened, and shows each by listeners and Act, whose delays pass `speed` times as fast. Ends at the present,
/// with the next seek, or with `speed` 0. Nothing new happens meanwhile: no check, no hook, no reaction; all that waits
/// goes on waiting. Errors: KIFU_MISUSE (`speed` below 0 or no number; no past is shown; while an event runs).
kifu_result kifu_play(kifu_timeline *timeline, double speed);

/// How fast the film runs; 0: none does.
double kifu_play_speed(const kifu_timeline *timeline);

/// Copies the state as it was after the first `count` events into `state`, of `size` bytes: the game's state struct.
/// `count` goes up to `kifu_event_count`. For last-known information it may be called from a check, a reaction, a
/// trigger or a view callback, too; not from a Do function, which may depend on nothing but state and event (let a
/// check or a reaction put what it found into an event). The timeline is afterwards as before, but for
/// `kifu_last_error`. Costs what the journal or the way from the last keyframe costs. Errors: KIFU_MISUSE (another
/// size; there are fewer events; in a Do; the model is outside the state), KIFU_NO_MEMORY, KIFU_FAILED (a Do failed
/// that did not fail before).
KIFU_WARN_UNUSED kifu_result kifu_state_at(kifu_timeline *timeline, uint32_t count, void *state, size_t size);

/// Makes a timeline of its own out of the first `count` events; with KIFU_PRESENT all of them, and what waits. It has
/// the same random numbers to come. It plays on by itself, on another thread if need be: the two share nothing but the
/// rules and what the options point to. `options` as for `kifu_create`; NULL: those of `timeline`, without its view,
/// and quiet. An allocator of your own must then bear two threads, and a game with its model outside the state must
/// give options: another `user`. Observers are not copied (the options add them), redo
/// possibilities neither; undo is possible. In a fork of the present, the reactions and triggers that wait for a commit
/// (KIFU_DEFERRED) run when it is made: what they submit waits in it, and where one fails, there is no fork. Does not
/// change `timeline`; free the fork with `kifu_destroy`. Errors, in `error`: KIFU_MISUSE (there are fewer events; while
/// an event runs; a model that would be shared), KIFU_NO_MEMORY, KIFU_FAILED as `kifu_seek`.
KIFU_WARN_UNUSED kifu_result kifu_fork(const kifu_timeline *timeline, uint32_t count, const kifu_options *options,
                                       kifu_timeline **fork, kifu_error *error);

/// What `kifu_verify_replay` found. (The sync test says the same in the error's message.)
typedef struct kifu_difference {
    uint32_t event;    ///< Number of the first event after which the states are known to differ; KIFU_NONE: none.
    uint32_t first;    ///< Where nothing was recorded in between, any from this one to `event` did it; else `event`.
    const char *name;  ///< The type of `event`, "nim.PTake"; NULL: none.
    char field[160];   ///< The first field that differs, "heaps[2]" or "game.rng.state"; "" where it is not known.
    char expected[48]; ///< Its value when the event happened; "" where it is not known.
    char actual[48];   ///< Its value when the event was executed again.
} kifu_difference;

/// Executes the whole log again, beside the state, and compares with the hashes recorded along the log, with the
/// journal, the keyframes and the state itself. KIFU_OK: the same. KIFU_DIVERGED: `*difference` (may be NULL) and the
/// error say where and how; nothing is changed. How exactly the event can be named depends on how many hashes there
/// are: see `kifu_options.hash_interval`. Other errors: KIFU_NO_MEMORY; KIFU_MISUSE (while an event runs; a model
/// outside the state).
KIFU_WARN_UNUSED kifu_result kifu_verify_replay(kifu_timeline *timeline, kifu_difference *difference);

/// For `kifu_options.sync_test`.
kifu_result kifu_sync_test(kifu_timeline *timeline);

#ifdef __cplusplus
}
#endif

#endif
