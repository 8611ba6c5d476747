/// The past, shown for the library's own purposes.
#ifndef KIFU_SRC_SEEK_H
#define KIFU_SRC_SEEK_H

#include <kifu/kifu.h>

/// KIFU_OK, or KIFU_MISUSE in `error`: the timeline is a fork without a past, which begins after `count` events.
kifu_result kifu__require_past(const kifu_timeline *timeline, const char *call, uint32_t count, kifu_error *error);

/// KIFU_OK where no event runs and no transaction is open; else KIFU_MISUSE, naming `call`. A remembered fault is
/// reported first.
kifu_result kifu__require_outside(kifu_timeline *timeline, const char *call);

/// Before a call reads the state after `count` events, of which there are `end`: KIFU_OK, or why it may not. Then the
/// events of a try are in the log.
kifu_result kifu__require_readable(kifu_timeline *timeline, const char *call, uint32_t count, uint32_t end);

/// `kifu_seek` without its checks and without a redraw; KIFU_PRESENT is allowed.
kifu_result kifu__seek_quietly(kifu_timeline *timeline, uint32_t count);

#endif
