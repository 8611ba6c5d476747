/// Saving with the time given: what the public calls and the tests of the format share.
#ifndef KIFU_SRC_SAVE_IMPL_H
#define KIFU_SRC_SAVE_IMPL_H

#include <kifu/save.h>

/// As kifu_save and kifu_save_to_memory; `saved_at` in seconds since 1970-01-01 UTC.
kifu_result kifu__save_at(kifu_timeline *timeline, const char *path, const kifu_save_options *options,
                          int64_t saved_at);
kifu_result kifu__save_to_memory_at(kifu_timeline *timeline, const kifu_save_options *options, int64_t saved_at,
                                    unsigned char **bytes, size_t *size);

#endif
