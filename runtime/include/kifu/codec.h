/// Codecs: what makes the bytes of a packed save small. zstd.h has a ready one, and a game without it has
/// `kifu_compact`.
#ifndef KIFU_CODEC_H
#define KIFU_CODEC_H

#include <stddef.h>

#include "result.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A general-purpose compressor. Kifu leaves out of a save what repeats in each event, and gives the codec the rest in
/// one call: some hundred bytes to many megabytes. Every later version of a codec must unpack what earlier versions
/// have packed.
typedef struct kifu_codec {
    /// Kifu writes this name into the save, and a load compares it: "zstd".
    const char *name;
    /// The most bytes that packing `size` bytes can take.
    size_t (*bound)(void *context, size_t size);
    /// Packs `size` bytes into `packed`, which has room for as many bytes as `bound` said. If it returns
    /// KIFU_TOO_LARGE, the save is plain. If it fails in another way, for example with KIFU_NO_MEMORY, the call that
    /// saves returns this result.
    kifu_result (*compress)(void *context, const void *bytes, size_t size, void *packed, size_t room,
                            size_t *packed_size);
    /// Unpacks to exactly `size` bytes. The packed bytes come from a file, so they may be anything: return KIFU_DAMAGED
    /// if they do not unpack to `size` bytes. Do not trust a size that is written in them when you allocate memory.
    kifu_result (*decompress)(void *context, const void *packed, size_t packed_size, void *bytes, size_t size);
    /// Kifu passes it to each function.
    void *context;
    /// The address of `kifu_packing`. A program that names it links the code for packed saves.
    const struct kifu_packing *packing;
} kifu_codec;

/// The code that turns a save into one block for a codec, and back. A game only takes its address.
extern const struct kifu_packing kifu_packing;

/// The codec that compresses nothing: `kifu_save_options.codec = &kifu_compact` needs no other library, and makes a
/// save of many events a third as large as a plain one. A load needs it as `kifu_load_options.codec`, or any other
/// codec.
extern const kifu_codec kifu_compact;

#ifdef __cplusplus
}
#endif

#endif
