/// Progress: how far a long call is, and whether it goes on.
///
///     static bool show(void *context, uint64_t done, uint64_t total)
///     {
///         draw_bar(context, (double)done / (double)total);
///         return !escape_is_pressed();
///     }
///
///     const kifu_load_options load_options = {.progress = show, .context = window};
///     kifu_result result = kifu_load(&nim_rules, path, &options, &load_options, &timeline, &error);
///     if (result == KIFU_CANCELLED) …
///
/// A load and a listing take the function in their options (save.h), a bot as it thinks (bot.h). For calls on a
/// timeline, `kifu_set_progress` sets it.
#ifndef KIFU_PROGRESS_H
#define KIFU_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Called now and then while a call works that may take long: `done` of `total` is done, and neither ever decreases.
/// Return false to cancel the call: it then returns KIFU_CANCELLED and has changed nothing. (A bot that is cancelled
/// takes the best move so far.) A short call may end without calling the function.
///
/// The calls depend on the number of events or bytes, and not on a clock, so the same work always makes as many calls:
/// mostly ten to a thousand in a second. It may look at the timeline. If it calls something that would change the
/// timeline, or another long call, the running call returns KIFU_MISUSE.
///
/// What is counted: a load counts thousandths, half of them for the file and half for executing its events. A bot
/// counts thousandths of its tries or of its time. A packed save and `kifu_verify_replay` count events,
/// `kifu_verify_rules` the bytes of the recorded calls, and a listing files.
typedef bool kifu_progress(void *context, uint64_t done, uint64_t total);

/// From now on, long calls on this timeline call `progress`: `kifu_save`, `kifu_save_to_memory` and `kifu_log_close`
/// with a codec, `kifu_verify_replay` and `kifu_verify_rules`. NULL: none any more. A fork does not have it.
void kifu_set_progress(kifu_timeline *timeline, kifu_progress *progress, void *context);

#ifdef __cplusplus
}
#endif

#endif
