/// The past, shown for the library's own purposes.
#ifndef KIFU_SRC_SEEK_H
#define KIFU_SRC_SEEK_H

#include <kifu/kifu.h>

/// `kifu_seek` without its checks and without a redraw; KIFU_PRESENT is allowed.
kifu_result kifu__seek_quietly(kifu_timeline *timeline, uint32_t count);

#endif
