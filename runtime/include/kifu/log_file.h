/// A log file: a save to which a game is appended while it goes on, so that a killed process loses nothing.
///
///     kifu_recovery recovery;
///     const kifu_load_options load_options = {.recover = kifu_recover, .recovery = &recovery};
///     result = kifu_load(&nim_rules, "game.kifu", &options, &load_options, &timeline, &error);
///     if (result == KIFU_NOT_FOUND)
///         …                                  // there is no game yet: kifu_create, and begin one
///     else if (result)
///         …                                  // say error.message, and leave the file as it is
///     if (kifu_log_open(timeline, "game.kifu", NULL)) …
///     if (kifu_kept_path(timeline)) …        // the file was damaged: say where it is
///     for (;;) {
///         …                                  // submit, undo, redo
///         kifu_update(timeline, dt);
///         if (kifu_log_append(timeline)) …   // once a frame, or after each input
///     }
///     if (kifu_log_close(timeline, NULL)) …  // the file is a plain save
///
/// A timeline has at most one log file. `kifu_destroy` leaves an open one as a killed process would: the file contains
/// what was appended, and a load with `kifu_load_options.recover` reads it.
#ifndef KIFU_LOG_FILE_H
#define KIFU_LOG_FILE_H

#include "event.h"
#include "result.h"
#include "save.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Writes a save of the whole game, but without its end, in place of `path`, and keeps the file open. If `path` ends in
/// '/', it is a folder, as for `kifu_save`. A relative `path` refers to the working directory at this call, even if the
/// process changes it later. `options` are needed during the call only. `durable` applies to the appends. A log file is
/// never packed; only `kifu_log_close` uses `codec`. A listing shows the file as it was at this call.
///
/// If the timeline was loaded from the whole log file, nothing has happened since, and the options are those with which
/// the file was begun, the log goes on behind its end instead. Opening then writes nothing, and followers (changes.h)
/// get the changes that they missed.
///
/// If `path` is where the game was loaded from, the call refuses a file that another program has written since
/// (KIFU_CHANGED), and keeps a copy of a file of which the load did not take all, as `kifu_save` does. It keeps no copy
/// of a log file that is whole but was not closed.
///
/// One timeline at a time has a log file open: for another one, of this process or another, the call returns
/// KIFU_IN_USE. Kifu locks the file `.NAME.lock` beside the log file NAME (of a name of more than 240 bytes, the first
/// 240). The lock ends with its process, or with `kifu_log_close` or `kifu_destroy`, which remove that file; a lock
/// file that a killed process left locks nothing. A child made by fork() shares the lock until it ends. Loads and
/// listings never ask for the lock. Where there are no locks (plain C, some network file systems, NFS among them), take
/// care of this yourself.
///
/// Errors: those of `kifu_save`; KIFU_IN_USE; KIFU_MISUSE (a log file is open); KIFU_UNSUPPORTED (`durable` in a build
/// for plain C).
KIFU_WARN_UNUSED kifu_result kifu_log_open(kifu_timeline *timeline, const char *path, const kifu_save_options *options);

/// Appends what has happened since the last call: new events, undo, redo, and what waits now. The call costs almost
/// nothing if nothing has happened. After KIFU_OK, a killed process loses nothing that was appended; with
/// `kifu_save_options.durable` a power cut loses nothing either. You may call it while `kifu_seek` shows the past.
/// Inside a transaction it does nothing, because everything may still be rolled back; the next append after the
/// transaction writes what happened in it.
///
/// An append takes at most 64 bytes, and for each new event 4 bytes besides its fields; what waits since then takes
/// some 24 bytes each besides its fields. An undo or redo takes 40 bytes. In addition, each type of event is described
/// once; with a small `kifu_options.hash_interval`, each hash takes 9 bytes; and once in 256 KiB of events, the state
/// is appended. The size does not depend on the length of the game.
///
/// If the call fails, the game does not change, the file contains what it contained, and the next call appends what
/// this one could not. If the file was removed, the next append that has something new writes the whole file again. It
/// also does so if the file has become much longer than it needs to be.
///
/// If another program has replaced or overwritten the file, the append is refused (KIFU_CHANGED), and the file stays as
/// it is: move it away, and the next append writes this game there again. Errors: KIFU_IO, KIFU_CHANGED,
/// KIFU_NO_MEMORY, KIFU_TOO_LARGE, KIFU_MISUSE (no log file is open; an event runs; the past was forgotten, and
/// `kifu_options.from_state` is missing); while `kifu_seek` shows the past also those of `kifu_seek`.
KIFU_WARN_UNUSED kifu_result kifu_log_append(kifu_timeline *timeline);

/// Replaces the log file by a plain save of the game, which is smaller, and closes it. `options` set what the save says
/// about itself; NULL takes those of `kifu_log_open`. If the call fails, the log file is still open. Errors: those of
/// `kifu_save`; KIFU_MISUSE (no log file is open).
KIFU_WARN_UNUSED kifu_result kifu_log_close(kifu_timeline *timeline, const kifu_save_options *options);

#ifdef __cplusplus
}
#endif

#endif
