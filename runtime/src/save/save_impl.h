/// Saving with the time given, which the tests of the format want, too; and what saves and log files share.
#ifndef KIFU_SRC_SAVE_IMPL_H
#define KIFU_SRC_SAVE_IMPL_H

#include "save/save_plan.h"

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

/// All that follows the header of a save that is whole; packed, unless `codec` is NULL.
kifu_result kifu__plan_rest(kifu__save_plan *plan, bool with_state, const kifu_codec *codec);

/// Writes a whole file, which begins with its header, in the place of another that has been begun.
kifu_result kifu__plan_replace(const kifu__save_plan *plan, kifu__replacement *replacement);

/// The same, begun and ended here.
kifu_result kifu__plan_save(kifu__save_plan *plan, const char *path);

#endif
