/// A game's news: what has happened since some time, as bytes. Another timeline of the game that gets them then has the
/// same log, the same state, the same redo, and the same events wait in it. If both keep variations, it has the same
/// lines; if both keep notes, the same notes. So one machine follows another:
///
///     uint64_t sent = 0;                             // the first news are the whole game
///     for (;;) {
///         …                                          // submit, run, undo, redo
///         if (kifu_change_count(timeline) != sent) {
///             result = kifu_news_since(timeline, sent, &bytes, &size);
///             sent = kifu_change_count(timeline);
///             …                                      // send the bytes, on any way that keeps them and their order
///             kifu_free_bytes(timeline, bytes);
///         }
///     }
///
///     result = kifu_apply_news(copy, bytes, size);   // where they arrive
///
/// **News contain everything that the game knows, hidden hands included.** Do not send them to a player who may cheat.
#ifndef KIFU_NEWS_H
#define KIFU_NEWS_H

#include <stddef.h>
#include <stdint.h>

#include "event.h"
#include "result.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How much has happened in this timeline: a number that only grows. Each event adds 1; so does anything else that
/// happened between two calls, for example an undo, a redo or events that were rolled back, a note that was set, a line
/// that was gone to, promoted or deleted. What waits does not count.
/// A new timeline is at 1, and one that was loaded, or is a fork, at 1 more than it has events. While an event runs, a
/// try or a transaction is open, the number is that of the last call.
uint64_t kifu_change_count(kifu_timeline *timeline);

/// The news since `change`, a number that `kifu_change_count` has returned; 0: the whole game. The caller frees them
/// with `kifu_free_bytes` of save.h. A timeline that has applied them is at the `kifu_change_count` of now.
///
/// They are what was added to the log (or all behind the place to which the log was cut back meanwhile), what redo can
/// bring back, what waits, and lines and notes that have changed. An event takes about as much as in a save, the rest
/// some 500 bytes. Going to another line changes both, from the place where they part, and the lines on the way.
/// In a timeline of which no news are asked for, they cost nothing. Otherwise each event is read once more, by this
/// call or by `kifu_change_count`.
///
/// A timeline remembers where it was at the last 256 numbers that were asked for, and at those between which there
/// were only events; and the last 1,024 notes that were removed. Since an older `change`, and since one that it does
/// not know, the news are all events; they fit to a timeline that has no others. Errors: KIFU_NO_MEMORY, KIFU_TOO_LARGE
/// (4 GiB); KIFU_MISUSE (an event runs, a try or a transaction is open; the past is forgotten: send a save); while
/// `kifu_seek` shows the past also those of `kifu_seek`.
KIFU_WARN_UNUSED kifu_result kifu_news_since(kifu_timeline *timeline, uint64_t change, unsigned char **bytes,
                                             size_t *size);

/// Makes this timeline what the timeline was from which the news are. Events that are new here are executed by Do
/// alone, and shown by listeners and Act, without a delay between them. Checks, hooks, reactions and triggers do not
/// run, because the news contain what came of them. Events that are undone or redone are shown as `kifu_undo` and
/// `kifu_redo` show them. News of the whole game are shown as `kifu_seek` shows a place: listeners of elements, then
/// `redraw`.
///
/// The news fit if this timeline is where they begin, or already has some of the events in them. What was undone here
/// or waits here is replaced. A timeline that keeps no variations follows the current line: another line is for it an
/// undo and other events. But if events happened here, or lines are here, of which the news do not know, nothing is
/// changed: KIFU_DIVERGED, and `event` of `kifu_last_error` is the first that differs (the message names a range if the
/// news do not say more; KIFU_NONE: only lines differ, and it is unknown which). Then the two games go apart, or get
/// the news since 0: these replace all events of this timeline.
///
/// If the game of the news keeps notes, they alone say which ones there are at events that are new in them, and at the
/// same places of lines that they bring. Other notes that were set here stay, unless the news are since 0.
///
/// Bytes from anywhere may be given: all is verified, and the events are executed on a copy of the state, before
/// anything changes. If the call fails, log, state, redo and what waits are as they were. (If a function of the view
/// did something wrong, the news were applied, and this is returned: KIFU_MISUSE.) Errors: KIFU_DIVERGED (also if the
/// events lead to another state here); KIFU_NOT_A_SAVE (no news); KIFU_OTHER_GAME (or another version of the game,
/// which may load a save instead); KIFU_NEWER_GAME (their rules version is higher); KIFU_DAMAGED, KIFU_UNKNOWN_EVENT,
/// KIFU_NEWER_FORMAT, KIFU_NO_MEMORY, KIFU_TOO_LARGE (they need more memory than `kifu_options.news_memory` allows, or
/// their notes more than `note_limit`); KIFU_FAILED (a Do failed); KIFU_MISUSE (as for `kifu_news_since`; the past is
/// shown).
KIFU_WARN_UNUSED kifu_result kifu_apply_news(kifu_timeline *timeline, const void *bytes, size_t size);

#ifdef __cplusplus
}
#endif

#endif
