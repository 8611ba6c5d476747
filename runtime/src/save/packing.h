/// Packing, for saves and loads. Only a codec names it (`kifu_codec.packing`), so a program without a codec does not
/// link it.
///
/// A codec is two functions and a bound, given by pointers: the columns do the rest. So the library links no
/// compressor, and a game may use the one that it has; zlib, lz4 and zstd fit without a context of their own. A codec
/// without packing is misuse, which the first run notices, and not the first packed save.
#ifndef KIFU_SRC_PACKING_H
#define KIFU_SRC_PACKING_H

#include <kifu/codec.h>

#include "save/budget.h"
#include "save/columns.h"
#include "save/writer.h"

/// How many bytes the packed frames of a save have so far, packed and unpacked.
typedef struct kifu__packed_sum {
    uint64_t size;
    uint64_t unpacked;
} kifu__packed_sum;

struct kifu_packing {
    /// Packs what can be packed and gets smaller by it. On failure a part of it may be packed. KIFU_NO_MEMORY, what the
    /// codec returns.
    kifu_result (*pack)(kifu__plan *plan, const kifu_codec *codec);
    /// Does what the frames in a packed frame do: that of a load, which has this codec.
    kifu_result (*take)(struct kifu__reader *reader, const kifu__frame *frame, const kifu__save_packed *fields);
};

/// A codec without packing is misuse (reader.c).
kifu_result kifu__require_packing(const kifu_codec *codec, kifu_error *error);

// --- For packing.c, small.c, and the tests of the bounds
// ----------------------------------------------------------------------

/// How many bytes all packed frames of a save together may unpack to: so many, and so many times their bytes in the
/// file. The writer saves plain whatever would exceed this, so that a load has memory for it, and for converting it,
/// without a budget of its own (budget.h).
#define KIFU__UNPACKED_FREE (KIFU__BUDGET_LEAST / 2)
enum { KIFU__UNPACKED_TIMES = KIFU__BUDGET_TIMES / 2 };

/// The columns of segments that follow each other in a plan, from piece `first` on, and how many they are. Pieces that
/// have no columns are converted first. KIFU_NO_MEMORY, KIFU_TOO_LARGE.
kifu_result kifu__pack_columns(kifu__plan *plan, uint32_t first, uint32_t *count, kifu__columns *columns);

/// What `kifu_packing` has.
kifu_result kifu__pack_frames(kifu__plan *plan, const kifu_codec *codec);

/// The frame in a packed one: at the place in the file of the outer, its payload new memory. Segments are as Kifu
/// writes them, and nothing is verified yet. KIFU_NO_MEMORY, KIFU_DAMAGED.
kifu_result kifu__unpack_frame(const kifu_codec *codec, const kifu__memory *memory, const kifu__frame *frame,
                               const kifu__save_packed *packed, kifu__frame *inner, kifu_error *error);

/// Adds one. False, with nothing added, when that is too much.
bool kifu__packed_sum_add(kifu__packed_sum *sum, uint32_t size, uint64_t unpacked);

/// Whether the payload of such a frame is a segment, which is packed as columns.
static inline bool kifu__has_columns(uint32_t kind)
{
    kind &= ~(uint32_t)KIFU__OF_LINE;
    return kind == KIFU__FRAME_SEGMENT || kind == KIFU__FRAME_PENDING;
}

/// Packs the columns of a payload of `kind`, or any payload's bytes, part by part, as the payload of a packed frame.
/// KIFU_NO_MEMORY, KIFU_TOO_LARGE, what the codec returns.
kifu_result kifu__packed_write(const kifu_codec *codec, const kifu__memory *memory, uint32_t kind,
                               const kifu__columns *columns, unsigned char **payload, uint32_t *size);

#endif
