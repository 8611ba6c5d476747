/// Packed saves by zstd (https://facebook.github.io/zstd, 1.3 or later). `kifu.h` does not include this header. A game
/// that includes it links zstd (`target_link_libraries(game PRIVATE zstd)`; Debian: libzstd-dev). While it works, zstd
/// takes some hundred KB from malloc.
#ifndef KIFU_ZSTD_H
#define KIFU_ZSTD_H

#include "codec.h"
#include "detail/zstd.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The codec "zstd". `kifu_save_options.codec` and `kifu_load_options.codec` take it. Its level is 19 below 1 MiB of
/// rows (some 60,000 events), and 12 from there on. For another level, when saving: `int level = 3; kifu_codec quick =
/// *kifu_zstd(); quick.context = &level;`.
static inline const kifu_codec *kifu_zstd(void)
{
    static const kifu_codec codec = {"zstd", kifu__zstd_bound, kifu__zstd_compress, kifu__zstd_decompress,
                                     NULL,   &kifu_packing};
    return &codec;
}

#ifdef __cplusplus
}
#endif

#endif
