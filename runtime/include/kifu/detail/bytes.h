/// Events as bytes: what their generated functions call.
#ifndef KIFU_DETAIL_BYTES_H
#define KIFU_DETAIL_BYTES_H

#include <stdbool.h>
#include <stdint.h>

#include "../bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Writes an event without references as bytes.
kifu_result kifu__bytes_of(kifu_timeline *timeline, uint32_t type, const void *table, uint32_t size,
                           kifu_buffer *buffer);

/// The same for one with references: open, call its submit function, and end.
bool kifu__bytes_open(kifu_timeline *timeline);
kifu_result kifu__bytes_end(kifu_timeline *timeline, kifu_buffer *buffer);

#ifdef __cplusplus
}
#endif

#endif
