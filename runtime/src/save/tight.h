/// The codec "kifu" (schema/FORMAT.md): all frames of a small save together, by the statistics of their bytes. A
/// general-purpose compressor needs some kilobytes before it is good; this one begins with what it knows about columns.
///
/// Each packed frame costs about 100 bytes, too. The range coder learns each column by itself, and begins with no
/// tables. A save of 1,000 events of the benchmark's mix takes 3.6 bytes for each in this way, with zstd 4.9; at about
/// 1.4 us for each, larger saves go through the codec.
#ifndef KIFU_SRC_TIGHT_H
#define KIFU_SRC_TIGHT_H

#include "wire/builder.h"

/// The most bytes of all frames together: it takes some 100 ns for each.
#define KIFU__TIGHT_MOST (UINT32_C(1) << 16)

/// Each frame in the frames that it packs: this, then the payload (events as columns), then zeros up to a multiple
/// of 8.
typedef struct kifu__tight_head {
    uint32_t kind;
    uint32_t size; ///< Of the payload.
} kifu__tight_head;

/// Packs such frames behind what is in `to`. KIFU_NO_MEMORY.
kifu_result kifu__tighten(const kifu__memory *memory, const unsigned char *frames, uint32_t size, kifu__blob *to);

/// Unpacks bytes that may be any to exactly `size` bytes, which look like frames or not. KIFU_NO_MEMORY.
kifu_result kifu__loosen(const kifu__memory *memory, const unsigned char *bytes, uint32_t packed_size,
                         unsigned char *frames, uint32_t size);

#endif
