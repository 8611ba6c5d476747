/// Codecs: what makes the bytes of a packed save small. zstd.h has a ready one.
#ifndef KIFU_CODEC_H
#define KIFU_CODEC_H

#include <stddef.h>

#include "result.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A general-purpose compressor. Kifu lays the bytes out so that it has an easy task, and cuts them where their kind
/// changes; each part comes in a call of its own, from a few bytes to some megabytes. What a codec has packed, each of
/// its later versions must unpack.
typedef struct kifu_codec {
    /// Written into the save, and compared by whoever loads it: "zstd".
    const char *name;
    /// The most bytes that packing `size` bytes can take.
    size_t (*bound)(void *context, size_t size);
    /// Packs `size` bytes into `packed`, which has room for as many as `bound` said. KIFU_NO_MEMORY, or any other
    /// failure, is what the call that saves returns.
    kifu_result (*compress)(void *context, const void *bytes, size_t size, void *packed, size_t room,
                            size_t *packed_size);
    /// Unpacks to exactly `size` bytes. These come out of a file, so they may be anything: KIFU_DAMAGED when they do
    /// not unpack to that many. It must not allocate memory in proportion to what they say of themselves.
    kifu_result (*decompress)(void *context, const void *packed, size_t packed_size, void *bytes, size_t size);
    /// Given to each function.
    void *context;
    /// The address of `kifu_packing`. A program that names it links the code for packed saves.
    const struct kifu_packing *packing;
} kifu_codec;

/// What takes events apart into columns for a codec, and puts them together again. It has nothing for a game to read.
extern const struct kifu_packing kifu_packing;

#ifdef __cplusplus
}
#endif

#endif
