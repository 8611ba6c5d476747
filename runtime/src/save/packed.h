/// The packed frame: another frame's payload through a codec, part by part, and back.
#ifndef KIFU_SRC_PACKED_H
#define KIFU_SRC_PACKED_H

#include "save/packing.h"

/// What the packed frames of a save may unpack to, all together: so much, and so many times what they have in the file.
/// Without such a bound a small file could ask for all memory there is. What would not keep to it is saved plain.
#define KIFU__UNPACKED_FREE (UINT64_C(16) << 20)
enum { KIFU__UNPACKED_TIMES = 1024 };

/// Adds one. False, with nothing added, when that is too much.
bool kifu__packed_sum_add(kifu__packed_sum *sum, uint32_t size, uint32_t unpacked);

/// Packs a payload of `kind`, or the columns of one, in parts of the given sizes, as the payload of a packed frame.
/// KIFU_NO_MEMORY, KIFU_TOO_LARGE, what the codec returns.
kifu_result kifu__packed_write(const kifu_codec *codec, const kifu__memory *memory, uint32_t kind,
                               const unsigned char *bytes, const uint32_t *parts, uint32_t part_count,
                               unsigned char **payload, uint32_t *size);

/// `struct kifu_packing.unpack`.
kifu_result kifu__packed_read(const kifu_codec *codec, const kifu__memory *memory, const kifu__frame *frame,
                              const kifu__save_packed *packed, kifu__packed_sum *sum, kifu__frame *inner,
                              kifu_error *error);

#endif
