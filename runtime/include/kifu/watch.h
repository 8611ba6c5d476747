/// Watchers: timelines that have what one viewer sees of a game, from the messages of seen.h.
///
///     const kifu_rules *rules = kifu_watch_rules(&duel_rules, player);
///     kifu_create(rules, &options, &timeline, &error);      // or kifu_load, of a game that was watched
///     …
///     result = kifu_watch(timeline, bytes, size);           // where a message arrives
///     …
///     kifu_destroy(timeline);
///     kifu_free_watch_rules(rules);
///
/// A watcher is an ordinary timeline. Its state is the masked state; its events lack the fields that its viewer does
/// not see, and each has with it how the state changes, so nothing of them is executed. Act, listeners, lists of moves,
/// questions whether an event may be played (asked of the masked state), seek, film, notes, saves and log files work.
/// The transient fields of its events are zero. Its saves are loaded with the same rules, and by no others.
///
/// **Prediction.** A watcher may submit and run a move of its viewer at once. The Do functions run on the masked state,
/// up to the first event that reveals something or draws a random number: that event and what follows are left for the
/// answer. Until it arrives, no further move of a player is accepted. `kifu_watch` with the message about this move
/// confirms what was predicted, without showing it again, or takes back what was wrong, which is shown as an undo. A
/// message without events says that the move was refused.
#ifndef KIFU_WATCH_H
#define KIFU_WATCH_H

#include <stddef.h>

#include "result.h"
#include "timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Rules for watchers of `viewer` (a player's number, or -1, a spectator) of the game with these `rules`. They must
/// outlive all timelines made with them, forks included; any number of timelines may use them, on any threads. The name
/// of such rules says whose they are. NULL: out of memory; no such viewer; or an event whose struct has more than
/// 65,531 bytes.
const kifu_rules *kifu_watch_rules(const kifu_rules *rules, int viewer);

/// Frees them. NULL is allowed.
void kifu_free_watch_rules(const kifu_rules *rules);

/// Makes this watcher show what a message says. New events are shown by listeners and Act, without a delay between
/// them, and no check, hook, reaction or trigger runs; KIFU_SEEN_UNDONE and KIFU_SEEN_REDONE are shown as `kifu_undo`
/// and `kifu_redo` show it, KIFU_SEEN_JUMPED by listeners and `redraw`, KIFU_SEEN_WHOLE by `redraw`.
///
/// Messages must come in the order in which they were made. One that was taken already changes nothing. The bytes may
/// come from anywhere: all of them are verified before anything is shown. After an error nothing is changed, except
/// that after KIFU_NO_MEMORY predictions may have been taken back. Errors: KIFU_GAP (the message does not begin where
/// this watcher is, because others are missing: ask for KIFU_SEEN_WHOLE); KIFU_DAMAGED (get it again);
/// KIFU_NEWER_FORMAT; KIFU_OTHER_GAME (of another game, version of it, or viewer); KIFU_TOO_LARGE (it needs more memory
/// than `kifu_options.changes_memory` allows); KIFU_NO_MEMORY; KIFU_MISUSE (no watcher; an event runs, a try or a
/// transaction is open, the past is shown; or a view function made a call that is not allowed, and the message was
/// taken all the same).
KIFU_WARN_UNUSED kifu_result kifu_watch(kifu_timeline *timeline, const void *bytes, size_t size);

/// How many events of this watcher the messages have confirmed; what it has behind them is predicted.
uint32_t kifu_watched(const kifu_timeline *timeline);

#ifdef __cplusplus
}
#endif

#endif
