/// The past, shown for the library's own purposes.
#ifndef KIFU_SRC_SEEK_H
#define KIFU_SRC_SEEK_H

#include <kifu/kifu.h>

/// KIFU_OK, or KIFU_MISUSE in `error`: the timeline is a fork without a past, which begins after `count` events.
kifu_result kifu__require_past(const kifu_timeline *timeline, const char *call, uint32_t count, kifu_error *error);

/// `kifu_seek` without its checks and without a redraw; KIFU_PRESENT is allowed.
kifu_result kifu__seek_quietly(kifu_timeline *timeline, uint32_t count);

#endif
