/// Packing, as saves and loads see it: only a codec brings it (`kifu_codec.packing`), so that a program without one
/// does not link it.
#ifndef KIFU_SRC_PACKING_H
#define KIFU_SRC_PACKING_H

#include <kifu/codec.h>

#include "save/writer.h"

/// What the packed frames of a save have, and unpack to, so far.
typedef struct kifu__packed_sum {
    uint64_t size;
    uint64_t unpacked;
} kifu__packed_sum;

struct kifu_packing {
    /// Packs what can be packed and gets smaller by it. On failure a part of it may be packed. KIFU_NO_MEMORY, what the
    /// codec returns.
    kifu_result (*pack)(kifu__plan *plan, const kifu_codec *codec);
    /// Unpacks a packed frame, whose payload was read into `fields`: `inner` is the frame in it, at the place in the
    /// file of the outer, its payload new memory. Segments are as Kifu writes them, and nothing is verified yet.
    /// KIFU_NO_MEMORY, KIFU_DAMAGED.
    kifu_result (*unpack)(const kifu_codec *codec, const kifu__memory *memory, const kifu__frame *frame,
                          const kifu__save_packed *fields, kifu__packed_sum *sum, kifu__frame *inner,
                          kifu_error *error);
};

/// A codec without it is misuse.
static inline kifu_result kifu__require_packing(const kifu_codec *codec, kifu_error *error)
{
    if (!codec || codec->packing)
        return KIFU_OK;
    return kifu__error(error, KIFU_MISUSE,
                       "the codec '%.60s' has no packing: kifu_codec.packing must be &kifu_packing, which is in the "
                       "library",
                       codec->name);
}

#endif
