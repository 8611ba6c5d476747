/// Bytes that were made go into the buffer of a caller.
#ifndef KIFU_SRC_PUT_OUT_H
#define KIFU_SRC_PUT_OUT_H

#include "core/timeline.h"

/// Into the caller's memory, or what grows. `name`: what the bytes are, for messages. An error that the blob has
/// remembered, KIFU_TOO_LARGE, KIFU_NO_MEMORY.
kifu_result kifu__put_out(kifu_timeline *timeline, const char *name, const kifu__blob *made, kifu_buffer *buffer);

#endif
