/// Saving with the time given, as the tests of the format need it; and what saves and log files share.
#ifndef KIFU_SRC_SAVE_IMPL_H
#define KIFU_SRC_SAVE_IMPL_H

#include "base/os.h"
#include "save/plan.h"

/// As kifu_save and kifu_save_to_memory; `saved_at` in seconds since 1970-01-01 UTC.
kifu_result kifu__save_at(kifu_timeline *timeline, const char *path, const kifu_save_options *options,
                          int64_t saved_at);
kifu_result kifu__save_to_memory_at(kifu_timeline *timeline, const kifu_save_options *options, int64_t saved_at,
                                    unsigned char **bytes, size_t *size);

/// KIFU_MISUSE, naming `call`, while an event runs or inside a transaction.
kifu_result kifu__require_savable(kifu_timeline *timeline, const char *call);

/// The path of a save: a copy of `path`, with a name by the time behind it where that is a folder. The caller's, also
/// after a failure.
kifu_result kifu__save_path(kifu_timeline *timeline, const char *path, int64_t saved_at, char **whole);

/// Writes a whole file into the replacement that was begun.
kifu_result kifu__plan_replace(const kifu__plan *plan, kifu__replacement *replacement);

/// Replaces the file at `path`.
kifu_result kifu__plan_save(kifu__plan *plan, const char *path);

#endif
