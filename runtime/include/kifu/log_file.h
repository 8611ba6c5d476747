/// A log file: a save to which what happens is appended as it happens, so that a process that is killed loses nothing.
///
///     kifu_recovery recovery;
///     const kifu_load_options load_options = {.recover = kifu_recover, .recovery = &recovery};
///     if (kifu_load(&nim_rules, "game.kifu", &options, &load_options, &timeline, &error)) …
///     if (kifu_log_open(timeline, "game.kifu", NULL)) …
///     for (;;) {
///         …                                  // submit, undo, redo
///         kifu_update(timeline, dt);
///         if (kifu_log_append(timeline)) …   // once a frame, or after each input
///     }
///     if (kifu_log_close(timeline, NULL)) …  // the file is a plain save
///
/// A timeline has at most one log file. `kifu_destroy` lets go of one that is open as a killed process would: what was
/// appended is in it, and a load with `kifu_load_options.recover` finds it.
#ifndef KIFU_LOG_FILE_H
#define KIFU_LOG_FILE_H

#include "event.h"
#include "result.h"
#include "save.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Puts a whole save of now in the place of `path`, as `kifu_save` does (a `path` that ends in '/' is a folder here,
/// too), but without its end, and keeps the file open. A relative `path` means what it means now, whatever folder the
/// process goes to later. `options` are needed during the call only; `durable` is for the appends. A log file is plain:
/// `codec` counts for `kifu_log_close` alone. A listing shows the file as it was then. Errors: those of `kifu_save`;
/// KIFU_MISUSE when a log file is open.
KIFU_WARN_UNUSED kifu_result kifu_log_open(kifu_timeline *timeline, const char *path, const kifu_save_options *options);

/// Appends what has happened since the last call: new events, undo, redo, what waits now. Some 300 to 400 bytes and the
/// events for each call, in one write where they are few; where nothing has happened it costs next to nothing. KIFU_OK:
/// a process that is killed from now on loses nothing of it, and with `kifu_save_options.durable` neither does a power
/// cut. It may be called where `kifu_seek` shows the past. Inside a transaction it does nothing, for all may still be
/// rolled back: what happened there is appended when it has ended.
///
/// Failed, the game is as it was, the file has what it had, and the next call appends what this one could not. Where
/// somebody has removed or replaced the file, or changed its length, it is written anew when there is something new; so
/// is one that has become far longer than it need be. Of two timelines with the same path each writes over what the
/// other has written. Errors: KIFU_IO, KIFU_NO_MEMORY, KIFU_TOO_LARGE, KIFU_MISUSE (no log file is open; while an event
/// runs); where `kifu_seek` shows the past also those of `kifu_seek`.
KIFU_WARN_UNUSED kifu_result kifu_log_append(kifu_timeline *timeline);

/// Puts a plain save of now in the file's place, smaller than the log file, and lets go of it. `options`: what the save
/// says of itself; NULL: what `kifu_log_open` was told. Failed, the log file is still open. Errors: those of
/// `kifu_save`; KIFU_MISUSE when no log file is open.
KIFU_WARN_UNUSED kifu_result kifu_log_close(kifu_timeline *timeline, const kifu_save_options *options);

#ifdef __cplusplus
}
#endif

#endif
