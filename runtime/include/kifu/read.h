/// Reads the events of a save without playing them: the events of all lines, with their notes, in place in the file.
///
///     const kifu_timeline *save;
///     kifu_result result = kifu_read_save(&nim_rules, "game.kifu", NULL, NULL, &save, &error);
///     kifu_event event;
///     for (uint32_t i = result ? 0 : kifu_first_event(save); !result && kifu_event_at(save, i, &event); i++)
///         printf("%u: %s, player %d\n", (unsigned)event.index, event.name, event.player);
///     kifu_close_save(save);
#ifndef KIFU_READ_H
#define KIFU_READ_H

#include <stddef.h>

#include "event.h"
#include "result.h"
#include "save.h"
#include "timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Reads a save or a log file, as `kifu_load` does: it verifies all of the file, and converts what another version of
/// the game wrote; upcast functions run, and no Do does. So a damaged file gives the error that `kifu_load` gives, but
/// for KIFU_DIVERGED and KIFU_FAILED of a Do, which come from playing. A log file that was not closed needs
/// `kifu_load_options.recover`.
///
/// `*save` can be looked at by every call that takes a `const kifu_timeline *`: `kifu_event_count` and `kifu_event_at`;
/// `kifu_line_at` and `kifu_line_event` (also for events that are undone), `kifu_next_note`, `kifu_chain_start`,
/// `kifu_pending_at`, `kifu_event_text`. Calls that would change it, and `kifu_fork`, return KIFU_MISUSE. Its state is
/// the one with which the game begins: only a load finds out whose turn it was, how the game stood and what can be
/// undone.
///
/// Events of a plain save lie in the mapped file, and `kifu_event.table` points there. Otherwise the memory is that of
/// a load, and `kifu_load_options.memory` limits it. Of `options` (may be NULL), `allocate` and `user` count: all lines
/// and notes are read. Of `load_options` (may be NULL), `fast`, `allow_changed` and `changed` mean nothing.
///
/// If it fails, `*save` is NULL and `error` (may be NULL) says why. On success, free it with `kifu_close_save`.
KIFU_WARN_UNUSED kifu_result kifu_read_save(const kifu_rules *rules, const char *path, const kifu_options *options,
                                            const kifu_load_options *load_options, const kifu_timeline **save,
                                            kifu_error *error);

/// The same of bytes in memory, which are copied.
KIFU_WARN_UNUSED kifu_result kifu_read_save_from_memory(const kifu_rules *rules, const void *bytes, size_t size,
                                                        const kifu_options *options,
                                                        const kifu_load_options *load_options,
                                                        const kifu_timeline **save, kifu_error *error);

/// Frees what `kifu_read_save` has read. NULL is allowed.
void kifu_close_save(const kifu_timeline *save);

#ifdef __cplusplus
}
#endif

#endif
