/// Segments of events as columns, and back (schema/FORMAT.md, "Columns"). Columns leave out what every table repeats,
/// and are easy to compress.
///
/// Columns are unpacked part by part, straight into their segment: a load has in memory the segment, one part of its
/// columns, and 4 bytes for each event that say where it lies (8, if it has tails). Less than a part at a time would
/// save nothing: a compressor looks back over all of it.
///
/// Packing trusts nothing about the layout of a segment. One look at each event shows whether all of it lies before the
/// next event; if not, the segment is rebuilt. That look costs about 10 ns for each event, of the 70 that a packed save
/// takes.
#ifndef KIFU_SRC_COLUMNS_H
#define KIFU_SRC_COLUMNS_H

#include "wire/table.h"

/// Columns, and where a compressor should begin anew.
typedef struct kifu__columns {
    unsigned char *bytes;
    uint32_t size;
    uint32_t *parts; ///< Their sizes: together `size`.
    uint32_t part_count;
} kifu__columns;

void kifu__columns_free(kifu__columns *columns, const kifu__memory *memory);

/// Whether a verified, castable segment can be turned into columns: each event lies in front of the next one, with all
/// that it leads to, and has the compiled vtable or one of its own. What Kifu wrote always can; anything else must be
/// converted first. Its `marks`, `offsets`, `types`, `bytes`, `size` and `count` are what counts.
bool kifu__is_packable(const kifu_rules *rules, const kifu__segment *segment);

/// Turns `count` segments, at least one, which follow each other, are packable, and have less than 4 GiB, into columns.
/// KIFU_NO_MEMORY, KIFU_TOO_LARGE.
kifu_result kifu__pack(const kifu_rules *rules, const kifu__segment *segments, uint32_t count,
                       const kifu__memory *memory, kifu__columns *columns);

/// Makes a segment, in the layout that Kifu writes, from columns that may be any bytes. It has the vtables of the game
/// that wrote them, and is not verified. KIFU_NO_MEMORY; KIFU_DAMAGED, with a `reason`. At most twice as large as the
/// columns, and 64 bytes.
kifu_result kifu__unpack(const unsigned char *columns, uint32_t size, const kifu__memory *memory, unsigned char **bytes,
                         uint32_t *bytes_size, const char **reason);

/// Columns that come piece by piece, so that not all of them are in memory.
typedef struct kifu__column_source {
    uint32_t size; ///< Of all columns.
    /// The bytes from `at` on that lie together, of which there is one at least: valid until the next call. It may go
    /// back. KIFU_NO_MEMORY; KIFU_DAMAGED.
    kifu_result (*read)(struct kifu__column_source *source, uint64_t at, const unsigned char **bytes, uint32_t *size);
} kifu__column_source;

/// The same, from such columns.
kifu_result kifu__unpack_from(kifu__column_source *source, const kifu__memory *memory, unsigned char **bytes,
                              uint32_t *bytes_size, const char **reason);

// --- How they lie in memory (schema/FORMAT.md, "Columns"): for pack.c and unpack.c -----------------------------------

/// Columns:
///
///     0   kifu__columns_head
///    16   the types that there are: the first 16 bytes of a kifu__column_entry each
///         the vtable block
///         a type for each event
///         for each type, of its n events: n bytes for each byte of the mark; n for each byte of the table's inline
///         part, the offset of the vtable replaced; and where the type has tails: n for each byte of the tail's length
///         in words, all tails, and where there are nested tables: a byte for each word of the tails
enum { KIFU__COLUMNS_ENTRY = 16, KIFU__MARK_BYTES = 4, KIFU__TAIL_BYTES = 4 };

typedef struct kifu__columns_head {
    uint32_t count; ///< Of events.
    uint32_t rules_version;
    uint32_t vtables_size;
    uint32_t types; ///< How many there are.
} kifu__columns_head;

/// What is in an event behind its table's inline part: strings, vectors, nested tables, vtables of its own.
enum { KIFU__HAS_TAILS = 1, KIFU__HAS_TABLES = 2, KIFU__ALL_FLAGS = 3 };

/// One type, when packing and when unpacking.
typedef struct kifu__column_entry {
    uint8_t type;
    uint8_t align; ///< of its events: 4 or 8
    uint8_t lanes; ///< byte k of a tail goes to lane k % lanes
    uint8_t flags;
    uint32_t size;       ///< of a table's inline part
    uint32_t count;      ///< of events
    uint32_t tails;      ///< bytes of all tails
    uint32_t done;       ///< Events so far: this and what follows is not in the columns.
    uint32_t tails_done; ///< bytes
    uint64_t at;         ///< where its columns begin
} kifu__column_entry;

/// Rows of one byte for each event.
static inline uint32_t kifu__column_count(const kifu__column_entry *entry)
{
    return KIFU__MARK_BYTES + entry->size + (entry->flags & KIFU__HAS_TAILS ? KIFU__TAIL_BYTES : 0);
}

/// Bytes of everything that a type has.
static inline uint64_t kifu__columns_size(const kifu__column_entry *entry)
{
    uint64_t tables = entry->flags & KIFU__HAS_TABLES ? entry->tails / 4 : 0;
    return (uint64_t)entry->count * kifu__column_count(entry) + entry->tails + tables;
}

static inline uint64_t kifu__column_tails(const kifu__column_entry *entry)
{
    return entry->at + (uint64_t)entry->count * kifu__column_count(entry);
}

/// Where the next tail's bytes of one lane begin.
static inline uint64_t kifu__column_lane(const kifu__column_entry *entry, uint32_t lane)
{
    return kifu__column_tails(entry) + lane * (entry->tails / entry->lanes) + entry->tails_done / entry->lanes;
}

/// Where the next tail's words are told apart.
static inline uint64_t kifu__column_tables(const kifu__column_entry *entry)
{
    return kifu__column_tails(entry) + entry->tails + entry->tails_done / 4;
}

#endif
