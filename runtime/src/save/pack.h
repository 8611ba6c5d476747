/// Segments of events as columns, from which what every table repeats is gone, and back (schema/FORMAT.md, "Columns").
/// What comes out is larger than what a general compressor makes of it, and easy for one.
#ifndef KIFU_SRC_PACK_H
#define KIFU_SRC_PACK_H

#include "wire/table.h"

/// Columns, and where a compressor should begin anew.
typedef struct kifu__columns {
    unsigned char *bytes;
    uint32_t size;
    uint32_t *parts; ///< Their sizes: together `size`.
    uint32_t part_count;
    uint32_t part_capacity;
} kifu__columns;

void kifu__columns_free(kifu__columns *columns, const kifu__memory *memory);

/// Whether a verified, castable segment can be turned into columns: each event lies in front of the next one, with all
/// that it leads to, and has the compiled vtable or one of its own. What Kifu wrote always can; anything else must be
/// converted first. Its `marks`, `offsets`, `types`, `bytes`, `size` and `count` are what counts.
bool kifu__is_packable(const kifu_rules *rules, const kifu__segment *segment);

/// Turns `count` segments, which follow each other and are packable, into columns. KIFU_NO_MEMORY, KIFU_TOO_LARGE.
kifu_result kifu__pack(const kifu_rules *rules, const kifu__segment *segments, uint32_t count,
                       const kifu__memory *memory, kifu__columns *columns);

/// Makes a segment, in the layout that Kifu writes, of columns that may be anything. It has the vtables of whoever
/// wrote them, and is not verified. KIFU_NO_MEMORY; KIFU_DAMAGED, with a `reason`. At most twice as large as
/// the columns, and 64 bytes.
kifu_result kifu__unpack(const unsigned char *columns, uint32_t size, const kifu__memory *memory, unsigned char **bytes,
                         uint32_t *bytes_size, const char **reason);

#endif
