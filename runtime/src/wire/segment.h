/// Segments of sealed events. Each is a valid FlatBuffer at every moment (schema/FORMAT.md).
#ifndef KIFU_SRC_SEGMENT_H
#define KIFU_SRC_SEGMENT_H

#include <kifu/rules.h>

#include "base/holders.h"
#include "base/memory.h"

enum { KIFU__SEGMENT_HEAD = 36 };

static inline void kifu__put32(unsigned char *bytes, uint32_t value)
{
    memcpy(bytes, &value, sizeof value);
}

typedef struct kifu__segment {
    unsigned char *bytes; ///< The FlatBuffer; 8-aligned.
    uint32_t size;        ///< Of the FlatBuffer, to the end of the last event.
    uint32_t capacity;    ///< Of `bytes`; equal to `size` where nothing may be appended.
    uint32_t first;       ///< Number of its first event.
    uint32_t count;       ///< Of its events.
    uint32_t slots;       ///< Room in the head.
    uint32_t vtables;     ///< Where its vtable block starts.
    uint32_t rules_version;
    kifu__mark *marks; ///< Inside `bytes`, as the next two: where its vectors' elements are.
    uint32_t *offsets;
    uint8_t *types;
    kifu__holders
        *holders;  ///< Of the bytes, which are not written while there are several. NULL: this is the only one.
    bool borrowed; ///< The bytes are a part of a loaded file: not freed, not appended to.
    bool closed;   ///< Has more events than `count`, for someone else or later: not written.
} kifu__segment;

/// The table of event `index` of a segment, counted from the segment's first.
static inline const void *kifu__segment_table(const kifu__segment *segment, uint32_t index)
{
    return (const unsigned char *)&segment->offsets[index] + segment->offsets[index];
}

/// Where the parts of the head are of a segment that Kifu writes: the first element of each vector, the vtables.
typedef struct kifu__head {
    uint32_t marks, offsets, types, vtables;
    uint32_t size;
} kifu__head;

/// Of a segment with room for `slots` events.
kifu__head kifu__segment_head(uint32_t slots, uint32_t vtables_size);

/// Writes such a head, of a segment without events.
void kifu__segment_begin(unsigned char *bytes, const kifu__head *head, const void *vtables, uint32_t vtables_size,
                         uint32_t rules_version);

/// Makes an empty segment with room for `slots` events and `body` bytes of them. Its bytes are from `memory`.
/// KIFU_NO_MEMORY, KIFU_TOO_LARGE.
kifu_result kifu__segment_new(const kifu__memory *memory, const kifu_rules *rules, uint32_t rules_version,
                              uint32_t slots, uint64_t body, kifu__segment *segment);

/// Seals a blob into a segment. False, with nothing changed, when there is no room.
bool kifu__segment_append(kifu__segment *segment, const kifu_rules *rules, uint32_t type, const void *blob,
                          uint32_t size, kifu__mark mark, const void **table);

/// The same; the bytes grow, where they must, but not beyond `most`. There is a slot. KIFU_NO_MEMORY, KIFU_TOO_LARGE.
kifu_result kifu__segment_add(kifu__segment *segment, const kifu__memory *memory, const kifu_rules *rules,
                              uint32_t type, const void *blob, uint32_t size, kifu__mark mark, uint64_t most);

/// Frees what is no part of a file, unless others hold it.
void kifu__segment_free(const kifu__segment *segment, const kifu__memory *memory);

/// Drops a segment's events from `count` on, counted from its first. If its bytes may not be written, its `count` is
/// then less than what they say, and a writer converts the segment first.
void kifu__segment_truncate(kifu__segment *segment, uint32_t count);

/// Enters the event at `at` into the next slot. All is read before `types` is written, which to the compiler might
/// change anything.
static inline void kifu__segment_enter(kifu__segment *segment, uint32_t type, uint32_t at, kifu__mark mark)
{
    const uint32_t slot = segment->count++;
    kifu__mark *marks = segment->marks;
    uint32_t *offsets = segment->offsets;
    uint8_t *types = segment->types;
    offsets[slot] = at - (uint32_t)((unsigned char *)&offsets[slot] - segment->bytes);
    marks[slot] = mark;
    types[slot] = (uint8_t)type;
    kifu__put32((unsigned char *)marks - 4, slot + 1);
    kifu__put32((unsigned char *)offsets - 4, slot + 1);
    kifu__put32(types - 4, slot + 1);
}

/// Where the next event would lie, if it has `size` bytes; NULL: there is no room.
/// `align`: 4 or 8.
static inline void *kifu__segment_room(const kifu__segment *segment, uint64_t size, uint32_t align)
{
    const uint64_t at = (segment->size + (align - 1U)) & ~(uint64_t)(align - 1U);
    return at + ((size + 3) & ~UINT64_C(3)) <= segment->capacity && segment->count < segment->slots
               ? segment->bytes + at
               : NULL;
}

/// What lies in front of it is zeros.
static inline void kifu__segment_pad(const kifu__segment *segment, unsigned char *event)
{
    if (event != segment->bytes + segment->size) // the alignments are 4 and 8
        kifu__put32(event - 4, 0);
}

/// Seals the event that was written there. It is of the usual kind: it has the compiled vtable, which lies at `vtable`
/// of the block of vtables, and no nested tables.
static inline void kifu__segment_seal(kifu__segment *segment, uint32_t type, uint32_t vtable, unsigned char *event,
                                      uint32_t size, kifu__mark mark)
{
    const uint32_t at = (uint32_t)(event - segment->bytes);
    kifu__segment_pad(segment, event);
    kifu__put32(event, at - segment->vtables - vtable);
    segment->size = at + size;
    kifu__segment_enter(segment, type, at, mark);
}

#endif
