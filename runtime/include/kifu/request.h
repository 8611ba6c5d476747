/// Requests: what a player's program sends to the program that runs the game. A request is bytes: an event, a batch of
/// events, an undo or a redo.
///
///     kifu_buffer request = {0};
///     kifu_result result = kifu_move_bytes(timeline, &moves.items[chosen], &request); // or nim_build_p_take, …
///     if (!result)
///         result = kifu_undo_bytes(timeline, 1, &request);                            // or this
///     if (!result)
///         send(connection, request.data, request.size, 0);
///
/// And where it arrives, for the player at the other end of the connection:
///
///     kifu_request request;
///     kifu_result result = kifu_read_request(timeline, player, data, size, &request);
///     if (!result && request.kind == KIFU_REQUEST_UNDO)
///         …                                                                           // ask the other players
///     if (!result)
///         result = kifu_run_request(timeline, player, data, size);
///
/// The bytes may come from anywhere, have any alignment, and be of another version of the game, as those of
/// `kifu_submit_bytes`.
///
/// **Late and doubled requests.** An undo or redo says at which place it was made: after how many events, with which
/// state. Anywhere else it is refused, because it would undo something else. (Only if the game has come to the same
/// state again, by the same events, a second copy undoes these.) Events do not say where they were made: to play the
/// same move twice may be what a player wants, and whether a move is legal now is for its check. To recognise second
/// copies, number the messages of each connection.
#ifndef KIFU_REQUEST_H
#define KIFU_REQUEST_H

#include <stddef.h>
#include <stdint.h>

#include "bytes.h"
#include "event.h"
#include "result.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How many events a batch has at most.
#define KIFU_MOST_IN_BATCH 256

/// Adds the event in `bytes`, or each event of a batch, to the end of the batch in `batch`. An empty buffer becomes a
/// batch of one event, which has the bytes of that event. A batch is a `kifu.Segment` as one event is (bytes.h), and
/// FlatBuffers tools read and make it. Its rules version is that of this program, because events of other versions are
/// converted.
///
/// If it fails, the batch does not change. Errors: those of `kifu_submit_bytes`, for the bytes or the batch (no mark
/// may name a player); KIFU_TOO_LARGE (more than KIFU_MOST_IN_BATCH events; `batch` is memory of yours, and too small).
KIFU_WARN_UNUSED kifu_result kifu_add_bytes(kifu_timeline *timeline, kifu_buffer *batch, const void *bytes,
                                            size_t size);

/// Writes a request to undo the last `steps` undo chains, as so many calls of `kifu_undo` would: 28 bytes. `timeline`
/// is that of the player's program, at the same place and in the same state as the game. Errors: KIFU_MISUSE (`steps`
/// is 0; an event runs, or `kifu_seek` shows the past); those of `kifu_can_undo`; KIFU_TOO_LARGE (`buffer` is memory of
/// yours, and too small); KIFU_NO_MEMORY.
KIFU_WARN_UNUSED kifu_result kifu_undo_bytes(kifu_timeline *timeline, uint32_t steps, kifu_buffer *buffer);

/// The same for a redo of the next `steps` chains. Errors: those of `kifu_can_redo`, and the others.
KIFU_WARN_UNUSED kifu_result kifu_redo_bytes(kifu_timeline *timeline, uint32_t steps, kifu_buffer *buffer);

/// What a request asks for.
typedef enum kifu_request_kind { KIFU_REQUEST_PLAY, KIFU_REQUEST_UNDO, KIFU_REQUEST_REDO } kifu_request_kind;

/// A request that was read.
typedef struct kifu_request {
    kifu_request_kind kind; ///< What it asks for.
    uint32_t events;        ///< How many events are to be played, undone or redone.
    uint32_t place; ///< After how many events an undo or redo was made; KIFU_NONE for events, which do not say it.
} kifu_request;

/// Reads a request of `player` without executing it. Events are verified whole, but no check decides about them; an
/// undo or redo must be possible here and now. Errors: those of `kifu_submit_bytes` (for more than KIFU_MOST_IN_BATCH
/// events: KIFU_REJECTED); for an undo or redo those of `kifu_can_undo` and `kifu_can_redo`, and KIFU_REJECTED ("the
/// game has gone on since": it was made at another place); KIFU_NEWER_FORMAT (a request that this version of Kifu does
/// not know). KIFU_MISUSE: called while an event runs or a try is open.
KIFU_WARN_UNUSED kifu_result kifu_read_request(kifu_timeline *timeline, int player, const void *bytes, size_t size,
                                               kifu_request *request);

/// Executes a request of `player`, all of it or nothing.
///
/// Events are inputs of this player, each with all its consequences before the next one; with
/// `kifu_options.defer_batches`, reactions and triggers come after all of them. Those of a batch become one
/// undo chain, as a transaction does. `kifu_options.judge_request` may forbid what they have led to. One event leaves
/// what `kifu_submit_bytes` and `kifu_run` leave. If an event does not happen, or one of its consequences fails, the
/// result is that of `kifu_run`, and the message says which event of the batch it was. The timeline is then as before:
/// state, log, random numbers, redo. View and listeners are called only for what stays, because Kifu first executes the
/// events in a search and takes them back. So checks, hooks and Do functions are called twice, but on a quiet timeline
/// once. If the second time fails where the first did not (memory runs out, or a view function makes a call that is not
/// allowed), the view sees that the events are taken back.
///
/// An undo or redo is as many calls of `kifu_undo` or `kifu_redo`. If one of them fails (KIFU_FAILED, KIFU_NO_MEMORY),
/// the opposite calls take back those before it.
///
/// Errors: those of `kifu_read_request`, of `kifu_run`, of `kifu_undo` and `kifu_redo`; KIFU_MISUSE (an input waits:
/// run it or drop it first; `kifu_seek` shows the past).
KIFU_WARN_UNUSED kifu_result kifu_run_request(kifu_timeline *timeline, int player, const void *bytes, size_t size);

#ifdef __cplusplus
}
#endif

#endif
