/// Segments of sealed events. Each is a valid FlatBuffer wherever its bytes leave the library (schema/FORMAT.md).
#ifndef KIFU_SRC_SEGMENT_H
#define KIFU_SRC_SEGMENT_H

#include <kifu/detail/event.h>
#include <kifu/detail/rules.h>

#include "base/refcount.h"
#include "base/memory.h"

enum { KIFU__SEGMENT_HEAD = 36 };

static inline void kifu__put32(unsigned char *bytes, uint32_t value)
{
    memcpy(bytes, &value, sizeof value);
}

typedef struct kifu__segment {
    // What is read of each on the way along many comes first.
    uint32_t first;       ///< Number of its first event.
    uint32_t count;       ///< Of its events.
    unsigned char *bytes; ///< The FlatBuffer; 8-aligned.
    kifu__mark *marks;    ///< Inside `bytes`, as the next two: where its vectors' elements are.
    uint32_t *offsets;
    uint8_t *types;
    uint32_t size;     ///< Of the FlatBuffer, to the end of the last event.
    uint32_t capacity; ///< Of `bytes`; equal to `size` where nothing may be appended.
    uint32_t slots;    ///< Room in the head.
    uint32_t vtables;  ///< Where its vtable block starts.
    uint32_t rules_version;
    /// Of the bytes, which are not written while there are several; behind the bytes. NULL: this is the only one.
    kifu__refcount *refs;
    bool borrowed; ///< The bytes are a part of a loaded file: not freed, not appended to.
    bool closed;   ///< Has more events than `count`, for another timeline or later: not written.
} kifu__segment;

/// The table of event `index` of a segment, counted from the segment's first.
static inline const void *kifu__segment_table(const kifu__segment *segment, uint32_t index)
{
    return (const unsigned char *)&segment->offsets[index] + segment->offsets[index];
}

/// The same as its position in the bytes.
static inline uint32_t kifu__segment_at(const kifu__segment *segment, uint32_t index)
{
    return (uint32_t)((const unsigned char *)kifu__segment_table(segment, index) - segment->bytes);
}

/// Of several segments, the one with event number `index`, which is not before the first one's.
const kifu__segment *kifu__segment_with(const kifu__segment *segments, uint32_t count, uint32_t index);

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

/// Seals a blob into a segment. False, with nothing changed, when there is no room. The head does not count the event
/// yet: this and the inline functions below leave that to kifu__segment_show.
bool kifu__segment_append(kifu__segment *segment, const kifu_rules *rules, uint32_t type, const void *blob,
                          uint32_t size, kifu__mark mark, const void **table);

/// Writes into the head how many events there are: the bytes are a valid FlatBuffer then.
void kifu__segment_show(kifu__segment *segment);

/// Seals a blob, and shows the segment; the bytes grow, where they must, but not beyond `most`. There is a slot.
/// KIFU_NO_MEMORY, KIFU_TOO_LARGE.
kifu_result kifu__segment_add(kifu__segment *segment, const kifu__memory *memory, const kifu_rules *rules,
                              uint32_t type, const void *blob, uint32_t size, kifu__mark mark, uint64_t most);

/// Copies one that is no part of a file, with room for as much as it has, and with the events for which it is closed.
/// False: there is no memory.
bool kifu__segment_copy(const kifu__segment *segment, const kifu__memory *memory, kifu__segment *copy);

/// Frees what is no part of a file, unless others hold it.
void kifu__segment_free(const kifu__segment *segment, const kifu__memory *memory);

/// Drops a segment's events from `count` on, counted from its first. If its bytes may not be written, its `count` is
/// then less than what they say, and a writer converts the segment first.
void kifu__segment_truncate(kifu__segment *segment, uint32_t count);

/// Enters an event into the next slot. All is read before `types` is written, which to the compiler might change
/// anything.
static inline void kifu__segment_enter(kifu__segment *segment, uint32_t type, const unsigned char *event,
                                       kifu__mark mark)
{
    const uint32_t slot = segment->count++;
    uint8_t *types = segment->types;
    uint32_t *offset = segment->offsets + slot;
    *offset = (uint32_t)(event - (unsigned char *)offset);
    memcpy(&segment->marks[slot], &mark, sizeof mark);
    types[slot] = (uint8_t)type;
}

/// Where the next event lies, counted from the segment's first byte. `align`: 4 or 8.
static inline uint32_t kifu__segment_next(const kifu__segment *segment, uint32_t align)
{
    return segment->size + (segment->size & (align - 4)); // which is a multiple of 4
}

/// The same in memory, if there is room for `size` bytes; else NULL. What lies in front of it is zeros.
static inline void *kifu__segment_room(const kifu__segment *segment, uint64_t size, uint32_t align)
{
    const uint64_t at = kifu__segment_next(segment, align);
    if (at + ((size + 3) & ~UINT64_C(3)) > segment->capacity || segment->count >= segment->slots)
        return NULL;
    if (align > 4)
        kifu__put32(segment->bytes + segment->size, 0);
    return segment->bytes + at;
}

/// Seals the event that was written there. It is of the usual kind: it has the compiled vtable and no nested tables.
static inline void kifu__segment_seal(kifu__segment *segment, const kifu__type *type, unsigned char *event,
                                      uint32_t size, kifu__mark mark)
{
    const uint32_t at = kifu__segment_next(segment, type->align);
    kifu__put32(event, at - segment->vtables - type->vtable_at);
    segment->size = at + size;
    kifu__segment_enter(segment, type->id, event, mark);
}

#endif
