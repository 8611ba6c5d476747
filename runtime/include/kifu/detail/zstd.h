/// The functions of the codec in zstd.h.
#ifndef KIFU_DETAIL_ZSTD_H
#define KIFU_DETAIL_ZSTD_H

#include <zstd.h>
#include <zstd_errors.h>

#include "../result.h"

#ifdef __cplusplus
extern "C" {
#endif

static inline size_t kifu__zstd_bound(void *context, size_t size)
{
    (void)context;
    return ZSTD_compressBound(size);
}

static inline kifu_result kifu__zstd_compress(void *context, const void *bytes, size_t size, void *packed, size_t room,
                                              size_t *packed_size)
{
    const int usual = size < (size_t)1 << 20 ? 19 : 12;
    const int level = context ? *(const int *)context : usual;
    *packed_size = ZSTD_compress(packed, room, bytes, size, level);
    return ZSTD_isError(*packed_size) ? KIFU_NO_MEMORY : KIFU_OK; // there is room: nothing else can fail
}

static inline kifu_result kifu__zstd_decompress(void *context, const void *packed, size_t packed_size, void *bytes,
                                                size_t size)
{
    (void)context;
    // What the bytes say about their size: 0 or huge if they say nothing, or are not from zstd.
    if (ZSTD_getFrameContentSize(packed, packed_size) != size)
        return KIFU_DAMAGED;
    const size_t result = ZSTD_decompress(bytes, size, packed, packed_size);
    if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation)
        return KIFU_NO_MEMORY;
    return result == size ? KIFU_OK : KIFU_DAMAGED;
}

#ifdef __cplusplus
}
#endif

#endif
