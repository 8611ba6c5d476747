/// Events as rows: the form in which they are appended, sent and packed (schema/FORMAT.md, "Rows").
///
/// A row is the event's bytes as they lie in its segment, from its table to the end of what belongs to it, without what
/// the place and the segment say: the offsets of vtables and the vtables themselves. These are told once for a whole
/// stream, as the *shape* of a table. A reader needs no schema, and makes a segment again, in which all of a table's
/// bytes are what they were.
#ifndef KIFU_SRC_ROWS_H
#define KIFU_SRC_ROWS_H

#include "core/branch.h"
#include "wire/number.h"
#include "wire/table.h"

/// What a stream has said of a table.
typedef struct kifu__shape {
    uint32_t vtable; ///< Where it is in `kifu__shapes.vtables`.
    uint32_t run;    ///< Reading: the last run that named it,
    uint32_t place;  ///< and where the vtable is in the segment of that.
    uint32_t next;   ///< An older shape of this type, and 1; 0: there is none.
    uint8_t type;    ///< Of the event; 0: of a table that is nested in one.
    uint8_t flags;
} kifu__shape;

/// All shapes of one stream, by number. `memory` is set, everything else zeroed at first.
typedef struct kifu__shapes {
    const kifu__memory *memory;
    kifu__shape *all;
    uint32_t count, capacity;
    kifu__blob vtables;
    uint32_t newest[256]; ///< Of each type, and 1.
    uint32_t run;         ///< Reading: how many there were.
} kifu__shapes;

/// Forgets those from number `count` on: what named them was taken back.
void kifu__shapes_cut(kifu__shapes *shapes, uint32_t count);

void kifu__shapes_free(kifu__shapes *shapes);

/// Adds the events of a segment from `slot` up to number `end` - 1, counted from its first: one run, also of none. Any
/// layout is good that a segment in memory has; events of which parts lie elsewhere are rebuilt. `out->result` has the
/// first failure: KIFU_NO_MEMORY, KIFU_TOO_LARGE.
void kifu__rows_add(kifu__blob *out, kifu__shapes *shapes, const kifu_rules *rules, const kifu__segment *segment,
                    uint32_t slot, uint32_t end);

/// The parts of that, for a run of the events of several segments: how many they are, and then the rows of each.
void kifu__rows_begin(kifu__blob *out, uint32_t count, uint32_t rules_version);
void kifu__rows_of(kifu__blob *out, kifu__shapes *shapes, const kifu_rules *rules, const kifu__segment *segment,
                   uint32_t slot, uint32_t end);

/// Reads one run from bytes that may be any, and makes a segment of it, in new memory, of which nothing is verified
/// yet: kifu__verify_segment is next. It has the vtables that the rows name, so nothing can be appended to it. It takes
/// steps and memory in proportion to the run, and to the vtables of the shapes that it names. KIFU_NO_MEMORY,
/// KIFU_TOO_LARGE; KIFU_DAMAGED, with a `reason`. Then, the caller cuts the shapes back.
kifu_result kifu__rows_read(kifu__shapes *shapes, kifu__bytes *from, unsigned char **bytes, uint32_t *size,
                            const char **reason);

// --- For rows.c and read_rows.c --------------------------------------------------------------------------------------

/// What a shape says besides the type and the vtable.
enum {
    KIFU__WIDE = 1,   ///< The event lies at a multiple of 8, else of 4.
    KIFU__TAIL = 2,   ///< There may be more than the table's inline part.
    KIFU__NESTED = 4, ///< There may be tables in it.
    KIFU__SHAPE_FLAGS = 7
};

/// What is said in front of an event's flags.
enum { KIFU__ROW_HAS_CAUSE = 1, KIFU__ROW_HAS_PLAYER = 2, KIFU__FLAG_SHIFT = 2 };

/// Adds a shape, whose vtable is the last in `vtables`. False: out of memory.
bool kifu__shape_add(kifu__shapes *shapes, uint32_t vtable, uint32_t type, uint32_t flags);

static inline const unsigned char *kifu__shape_vtable(const kifu__shapes *shapes, const kifu__shape *shape)
{
    return shapes->vtables.bytes + shape->vtable;
}

#endif
