/// The history of a game: shows any moment of it, copies the state as it was, makes copies that play on, and verifies
/// that a replay is exact.
///
/// Past states come from the journal (the old bytes of the last 1,024 to 2,048 events), from keyframes (copies of the
/// state along the log), and from executing the events after a keyframe. All three give the same bytes.
/// `kifu_options.keyframe_bytes` sets the memory for keyframes, which are denser near the end of the log.
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

/// For `kifu_fork`: copies only the state that is shown and, if that is the present, what waits.
#define KIFU_WITHOUT_PAST (UINT32_MAX - 1)

/// Shows the game as it was after its first `count` events; KIFU_PRESENT (or `kifu_event_count`) shows the present.
///
/// While the past is shown, nothing is lost and nothing can happen. Proposals go on waiting, and `kifu_update` lets no
/// time pass. Submit, undo and redo return KIFU_MISUSE. `kifu_save` saves the present. To play on from the past, use
/// `kifu_fork`, or go there by `kifu_undo`. Kifu calls the listeners of elements (listen.h) and then the view's
/// `redraw`, but no Act and no other listener.
///
/// Undo flags do not stop a seek. Errors: KIFU_MISUSE (there are fewer events; an event runs; a transaction is open),
/// KIFU_NO_MEMORY, KIFU_FAILED (a Do failed that did not fail before; the game is then shown as it was before that
/// event).
kifu_result kifu_seek(kifu_timeline *timeline, uint32_t count);

/// Plays the past as a film, from the place where `kifu_seek` went. From now on `kifu_update` executes one event after
/// the other, and shows each by listeners and Act; their delays pass `speed` times as fast. The film ends at the
/// present, at the next seek, or at a call with `speed` 0. No check, hook or reaction runs, and proposals go on
/// waiting. Errors: KIFU_MISUSE (`speed` is below 0 or not a number; the present is shown; an event runs),
/// KIFU_NO_MEMORY.
kifu_result kifu_play(kifu_timeline *timeline, double speed);

/// How fast the film runs; 0 if there is none.
double kifu_play_speed(const kifu_timeline *timeline);

/// Copies the state as it was after the first `count` events, at most `kifu_event_count`, into `state`: the game's
/// state struct, of `size` bytes. The timeline does not change, except for `kifu_last_error`.
///
/// A check, a reaction, a trigger or a view function may call it, too, for example to ask what power a creature had
/// when it died. A Do function may not, because it may depend only on the state and its event. Let a check or a
/// reaction put the answer into an event instead. The call takes as long as a seek to this place. Errors: KIFU_MISUSE
/// (wrong size; there are fewer events; called in a Do; the model is outside the state), KIFU_NO_MEMORY, KIFU_FAILED (a
/// Do failed that did not fail before).
KIFU_WARN_UNUSED kifu_result kifu_state_at(kifu_timeline *timeline, uint32_t count, void *state, size_t size);

/// Walks through past states, forward and backward, event by event. A step costs only what its event changed, and not a
/// whole state. Use it to look at many past states, for example to count how often a chess position has come up:
///
///     kifu_cursor *past;
///     kifu_result result = kifu_cursor_open(timeline, KIFU_PRESENT, &past);
///     while (!result && kifu_cursor_position(past) > 0) {
///         result = kifu_cursor_back(past);
///         const chess_state *then = (const chess_state *)kifu_cursor_state(past);
///         …
///     }
///     kifu_cursor_close(past);
typedef struct kifu_cursor kifu_cursor;

/// Opens a cursor at the state after the first `count` events; KIFU_PRESENT is the present. It may be called wherever
/// `kifu_state_at` may, and takes as long. The timeline does not change, except for `kifu_last_error`. Close the cursor
/// before the timeline is destroyed. The next cursor then needs no new memory. On failure `*cursor` is NULL. For
/// another line of a game with variations, call `kifu_cursor_open_line`. Errors: KIFU_MISUSE (there are fewer events;
/// called in a Do; the model is outside the state), KIFU_NO_MEMORY, KIFU_FAILED (a Do failed that did not fail before).
KIFU_WARN_UNUSED kifu_result kifu_cursor_open(kifu_timeline *timeline, uint32_t count, kifu_cursor **cursor);

/// NULL is allowed.
void kifu_cursor_close(kifu_cursor *cursor);

/// The state where the cursor is: the game's state struct. Valid until the cursor moves or is closed.
const void *kifu_cursor_state(const kifu_cursor *cursor);

/// After how many events that state was.
uint32_t kifu_cursor_position(const kifu_cursor *cursor);

/// Goes back by one event. This costs what the event changed, as far as the journal reaches; further back, Kifu now and
/// then executes the events after a keyframe. The game may go on while a cursor is open. Errors: KIFU_MISUSE (the
/// cursor is at the beginning; other events have replaced those at the cursor; called in a Do), KIFU_NO_MEMORY,
/// KIFU_FAILED; after the last two, open another cursor.
KIFU_WARN_UNUSED kifu_result kifu_cursor_back(kifu_cursor *cursor);

/// Goes forward by one event, at most to `kifu_event_count`: executes its Do on the cursor's own copy of the state.
/// Errors as for `kifu_cursor_back`.
KIFU_WARN_UNUSED kifu_result kifu_cursor_forward(kifu_cursor *cursor);

/// Makes a new timeline, a fork, from the first `count` events. KIFU_PRESENT takes all events and all proposals that
/// wait. The fork will draw the same random numbers, and it plays on by itself, on another thread if you like: the two
/// timelines share nothing that either could change. They share the rules, what the options point to, and older events,
/// which are copied before they are changed; so a fork of a long game takes microseconds. (Where the compiler has no
/// atomics, or the fork has another allocator, all events are copied.) Undo works in the fork. `timeline` does not
/// change. Free the fork with `kifu_destroy`, before or after `timeline`. From another line: `kifu_fork_line`.
///
/// `options` are as for `kifu_create`. NULL takes the options of `timeline`, without its view, and quiet. If you use a
/// fork on another thread, an allocator of your own must allow calls from both threads. A game with its model outside
/// the state must give options with another `user`. A fork does not copy observers (the options add them), nor what
/// redo could bring back.
///
/// KIFU_WITHOUT_PAST copies only the state that is shown, and, if that is the present, what waits: for an AI that makes
/// many forks of a long game. This takes as long as copying the state. Events keep their numbers, so the fork's first
/// event is the next one. `kifu_event_at` finds none before it, and undo stops there. Seek, `kifu_state_at`, cursors
/// and forks return KIFU_MISUSE for earlier places, and so does saving the fork, unless its options have `from_state`
/// (forget.h). Rules that ask for older states or events need a fork with its past. The fork also gets timed events.
///
/// If reactions and triggers wait for a commit (KIFU_DEFERRED), they run in a fork of the present when it is made, and
/// what they submit waits there. If one of them fails, there is no fork. Errors, in `error`: KIFU_MISUSE (there are
/// fewer events; an event runs; two timelines would share a model; a fork without a past while reactions wait, or of a
/// model outside the state), KIFU_NO_MEMORY, KIFU_FAILED as `kifu_seek`.
KIFU_WARN_UNUSED kifu_result kifu_fork(const kifu_timeline *timeline, uint32_t count, const kifu_options *options,
                                       kifu_timeline **fork, kifu_error *error);

/// What `kifu_verify_replay` found. (The sync test says the same in the error's message.)
typedef struct kifu_difference {
    uint32_t event;    ///< Number of the first event after which the states differ; KIFU_NONE: no difference.
    uint32_t first;    ///< Any event from `first` to `event` may be the cause; equal to `event` if hashes tell it.
    const char *name;  ///< The type of `event`, "nim.PTake"; NULL: no difference.
    char field[160];   ///< The first field that differs, "heaps[2]" or "game.rng.state"; "" if Kifu cannot name it.
    char expected[48]; ///< Its value when the event happened; "" if Kifu cannot tell it.
    char actual[48];   ///< Its value when the event was executed again.
    uint32_t line;     ///< With `kifu_options.keep_variations`, the line that has `event`; else 0.
} kifu_difference;

/// Executes the whole log again, beside the state, and compares the result with the recorded hashes, the journal, the
/// keyframes and the state itself. With `kifu_options.keep_variations`, it executes all lines, each from where it
/// branches off; of the other lines only hashes are recorded, so events behind the last hash are executed twice, and
/// the results are compared. KIFU_OK: all are the same. KIFU_DIVERGED: `*difference` (may be NULL) and the error say
/// where and how they differ; nothing changes. More recorded hashes name the event more exactly: see
/// `kifu_options.hash_interval`. Other errors: KIFU_NO_MEMORY; KIFU_MISUSE (an event runs; the model is outside the
/// state).
KIFU_WARN_UNUSED kifu_result kifu_verify_replay(kifu_timeline *timeline, kifu_difference *difference);

/// For `kifu_options.sync_test`.
kifu_result kifu_sync_test(kifu_timeline *timeline);

#ifdef __cplusplus
}
#endif

#endif
