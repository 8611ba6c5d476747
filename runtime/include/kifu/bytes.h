/// Events as bytes: a move that goes to another machine, or waits in a file.
///
///     kifu_buffer buffer = {0};
///     kifu_result result = nim_build_p_take(timeline, &buffer, heap, count); // It is not submitted.
///     if (!result)
///         send(connection, buffer.data, buffer.size, 0);
///     kifu_free_buffer(&buffer);
///
/// And where they arrive:
///
///     kifu_result result = kifu_submit_bytes(timeline, player, data, size, NULL);
///     if (!result)
///         result = kifu_run(timeline);
///
/// The bytes are a FlatBuffer of their own: a `kifu.Segment` of one event, with the game's file identifier
/// (schema/FORMAT.md, "Events as bytes"). So any FlatBuffers tool reads them by the game's .bfbs, and can make them.
/// They do not say who plays the event: the program that submits them does, because a player could lie about it.
/// Several events as one input, and requests to undo: request.h.
#ifndef KIFU_BYTES_H
#define KIFU_BYTES_H

#include <stddef.h>
#include <stdint.h>

#include "event.h"
#include "moves.h"
#include "result.h"
#include "timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A buffer for bytes. If you zero it, it grows, with memory of the timeline's allocator: free it with
/// `kifu_free_buffer`. To use memory of yours, set `data` and `capacity`. Each call writes from the beginning.
typedef struct kifu_buffer {
    unsigned char *data;     ///< The bytes.
    uint32_t size;           ///< How many the last call wrote; if that was KIFU_TOO_LARGE, how many it needs.
    uint32_t capacity;       ///< How many bytes have room at `data`.
    kifu_allocate *allocate; ///< For the library: the allocator, if the buffer grows,
    void *allocate_context;  ///< and its context.
} kifu_buffer;

/// Frees what has grown, and zeroes `buffer`. Memory of yours stays yours.
void kifu_free_buffer(kifu_buffer *buffer);

/// Writes event number `index` of the log as bytes, as `nim_build_…` built it: an event has the same bytes for each
/// player. It may be called anywhere but while a try is open. Errors: KIFU_MISUSE (there is no such event; a fork
/// without a past has no earlier events), KIFU_TOO_LARGE (`buffer` is memory of yours, and too small), KIFU_NO_MEMORY.
KIFU_WARN_UNUSED kifu_result kifu_event_bytes(kifu_timeline *timeline, uint32_t index, kifu_buffer *buffer);

/// Writes a move of a list as bytes, as `nim_build_…` builds its event. Errors: KIFU_TOO_LARGE, KIFU_NO_MEMORY.
KIFU_WARN_UNUSED kifu_result kifu_move_bytes(kifu_timeline *timeline, const kifu_move *move, kifu_buffer *buffer);

/// Writes proposal `index` of those that wait (`kifu_pending_at`) as bytes, as `nim_build_…` builds it. Errors:
/// KIFU_MISUSE (there is no such proposal; a try is open), KIFU_TOO_LARGE, KIFU_NO_MEMORY.
KIFU_WARN_UNUSED kifu_result kifu_pending_bytes(kifu_timeline *timeline, uint32_t index, kifu_buffer *buffer);

/// Submits the event in `bytes` as an input of `player`, like a generated submit function; `*ticket` (`ticket` may be
/// NULL) names it. The bytes may come from anywhere and have any alignment: Kifu verifies all of them before it uses
/// any, and keeps no pointer into them. If another version of the game wrote them, they are converted first, as a load
/// does. Whether `player` may play this event now is decided as for any input, when it runs.
///
/// If it fails, nothing was submitted. Errors: KIFU_OTHER_GAME; KIFU_NEWER_GAME (of a higher rules version);
/// KIFU_UNKNOWN_EVENT (a newer version of the game wrote it); KIFU_DAMAGED; KIFU_INVALID_EVENT (a string is not UTF-8);
/// KIFU_REJECTED (a player may not submit these bytes: they contain an engine event, not exactly one event, or a mark
/// with a cause, flags or another player); KIFU_FAILED, KIFU_DIVERGED (an upcast function); KIFU_TOO_LARGE;
/// KIFU_NO_MEMORY; KIFU_MISUSE (called while an event runs, a try is open, or `kifu_seek` shows the past). The error of
/// an earlier submit is reported first.
KIFU_WARN_UNUSED kifu_result kifu_submit_bytes(kifu_timeline *timeline, int player, const void *bytes, size_t size,
                                               kifu_ticket *ticket);

/// As `kifu_submit_bytes`, for bytes that come from the program itself: engine events, too, as their generated submit
/// functions submit them. So an event can be built, kept and submitted later, and a game can be made from a list of
/// events (runtime/docs/events-as-values.md). All else is as for `kifu_submit_bytes`: the bytes are verified, and
/// checks and hooks decide when the event runs. Not for bytes that a player sends: with an engine event, a player could
/// deal themselves any card.
KIFU_WARN_UNUSED kifu_result kifu_submit_trusted_bytes(kifu_timeline *timeline, int player, const void *bytes,
                                                       size_t size, kifu_ticket *ticket);

/// The file identifier of a game's events, 4 bytes: for FlatBuffers tools that make such bytes, as the last argument of
/// their `Finish`.
uint32_t kifu_file_identifier(const kifu_rules *rules);

#ifdef __cplusplus
}
#endif

#endif
