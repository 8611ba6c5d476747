/// Packed saves by zstd (https://facebook.github.io/zstd, 1.3 or later). `kifu.h` does not include this header. A game
/// that includes it links zstd (`target_link_libraries(game PRIVATE zstd)`; Debian: libzstd-dev). While it works, zstd
/// takes some hundred KB from malloc.
#ifndef KIFU_ZSTD_H
#define KIFU_ZSTD_H

#include <zstd.h>
#include <zstd_errors.h>

#include "codec.h"

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
    const int level = context ? *(const int *)context : 3;
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

/// The codec "zstd", at level 3. `kifu_save_options.codec` and `kifu_load_options.codec` take it. For another level,
/// when saving: `int level = 19; kifu_codec slow = *kifu_zstd(); slow.context = &level;`.
static inline const kifu_codec *kifu_zstd(void)
{
    static const kifu_codec codec = {"zstd", kifu__zstd_bound,   kifu__zstd_compress, kifu__zstd_decompress,
                                     NULL,   &kifu_small_packing};
    return &codec;
}

#ifdef __cplusplus
}
#endif

#endif
