/// What one viewer sees of a game, as bytes. A viewer is a player's number, or -1, a spectator.
///
/// The machine that knows everything sends each viewer a message after each input; a watcher (watch.h) takes it:
///
///     kifu_buffer message = {0};
///     result = kifu_seen_since(timeline, player, before, KIFU_SEEN_PLAYED, &message); // `before`: events until then
///     …                                                                            // send it, on any way
///
/// A message has the events, without the fields that this viewer does not see, and how the masked state changes with
/// each of them. In a masked state, hidden values that the viewer does not see are zero, and so are secret fields and
/// the random numbers: `kifu.Rng` is {0, 1} once it is seeded. Nothing else goes into a message, and nothing is stored
/// for it: it follows from the log.
#ifndef KIFU_SEEN_H
#define KIFU_SEEN_H

#include <stdint.h>

#include "bytes.h"
#include "result.h"
#include "timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What has happened, and so how a watcher shows it.
typedef enum kifu_seen_how {
    KIFU_SEEN_PLAYED, ///< The events from number `from` on happened: Act shows each of them.
    KIFU_SEEN_UNDONE, ///< The game went back to `from`, where it stands now.
    KIFU_SEEN_REDONE, ///< The events from number `from` on were brought back.
    KIFU_SEEN_JUMPED, ///< The game went to another line, which has the events before `from`, too.
    KIFU_SEEN_WHOLE   ///< All of it, for a watcher that begins or has missed something: the masked state after `from`
                      ///< events goes along, and replaces whatever the watcher has.
} kifu_seen_how;

/// Writes the message that brings a watcher of `viewer` from place `from` of the current path (a number of events) to
/// the place where the game stands. `from` of KIFU_SEEN_WHOLE is where its events begin: 0, `kifu_first_event`, or any
/// later place, so that a long game needs no long message. `buffer` is as for `kifu_event_bytes`. An input takes some
/// 30 bytes. A message of the last 1,024 events or less executes nothing.
///
/// Not while an event runs or a try is open. Errors: KIFU_MISUSE (called there; no such place; the past is forgotten
/// there; a viewer below -1 or above 127; KIFU_SEEN_UNDONE where the game does not stand at `from`; the model is
/// outside the state), KIFU_TOO_LARGE (`buffer` is memory of yours, and too small; 1 GiB; the state has 512 MiB or
/// more), KIFU_NO_MEMORY, KIFU_FAILED (a Do failed that did not fail before).
KIFU_WARN_UNUSED kifu_result kifu_seen_since(kifu_timeline *timeline, int viewer, uint32_t from, kifu_seen_how how,
                                             kifu_buffer *buffer);

#ifdef __cplusplus
}
#endif

#endif
