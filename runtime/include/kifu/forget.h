/// Forgetting the past: a long game goes on in bounded memory.
///
///     if (kifu_event_count(timeline) - kifu_first_event(timeline) > 20000)
///         result = kifu_forget(timeline, kifu_event_count(timeline) - 10000);
///
/// After that, the game begins from a state: the one after the forgotten events. Undo, seek and `kifu_verify_replay` go
/// back to this place and no further. The numbers of events stay, so the first event that is left has the number that
/// it had.
#ifndef KIFU_FORGET_H
#define KIFU_FORGET_H

#include <stdint.h>

#include "event.h"
#include "result.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Drops the game's first `count` events, with their memory; KIFU_PRESENT drops all that have happened. The state after
/// them becomes the state with which the game begins. If event number `count` is inside an undo chain that may be
/// undone, the whole chain stays: undo never finds half a chain. Nothing happens if these events are forgotten already.
///
/// Forgotten are: events (with the rest of the block of memory in which they are), hashes, keyframes, and variations
/// that branch off earlier (with `kifu_options.keep_variations`). The line that is shown stays, and its number. The
/// line that leads through the place becomes the first one and keeps its number, which need not be 0. If the main line
/// is forgotten, the first line becomes the main one. `kifu_event_at` finds no event before `kifu_first_event`. An
/// event whose cause is forgotten has the cause KIFU_NONE. Timed events that wait stay: they happen when their game
/// turn comes. What waits stays, and so does what redo can bring back.
///
/// Errors: KIFU_MISUSE (fewer events have happened; an event runs; a transaction or a try is open; the past is shown;
/// the model is outside the state), KIFU_NO_MEMORY, KIFU_FAILED as `kifu_seek`. After an error, nothing is forgotten.
KIFU_WARN_UNUSED kifu_result kifu_forget(kifu_timeline *timeline, uint32_t count);

/// For `kifu_options.from_state`: a timeline whose past is forgotten may be saved, and saves and log files that begin
/// from a state may be loaded. Such a file has the state, the events since, and those that timers refer to. Only a
/// program that names this function links the code for it. An older library refuses such a file as newer.
///
/// A log file that is open goes on with the whole past until the next `kifu_log_append`, which writes the file anew: it
/// then begins from the state, too. (Close the log file before you forget to keep the whole game in it.)
kifu_result kifu_begin_from_state(kifu_timeline *timeline);

/// Number of the first event that is not forgotten: 0 in a game that has its whole past. In a fork without a past
/// (KIFU_WITHOUT_PAST), that of its first event.
uint32_t kifu_first_event(const kifu_timeline *timeline);

#ifdef __cplusplus
}
#endif

#endif
