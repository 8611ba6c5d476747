/// The log: segments of sealed events. Each segment is a valid FlatBuffer at every moment (schema/FORMAT.md).
#ifndef KIFU_SRC_LOG_H
#define KIFU_SRC_LOG_H

#include <kifu/rules.h>

#include "memory.h"

enum { KIFU__SEGMENT_HEAD = 36, KIFU__FIRST_SLOTS = 16, KIFU__MOST_SLOTS = 4096 };

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
    bool borrowed; ///< The bytes are a part of a loaded file: not freed, not appended to.
    bool closed;   ///< Has more events than `count`, which are set aside: not appended to.
} kifu__segment;

typedef struct kifu__log {
    kifu__memory memory;
    const kifu_rules *rules;
    kifu__segment *segments;
    uint32_t segment_count;
    uint32_t segment_capacity;
    uint32_t event_count;
    uint32_t unchanged;  ///< Lowered to where events were dropped, or their undoing was: see log_file.c.
    kifu__segment *open; ///< The last segment, where it may be appended to; else NULL.
    kifu__segment spare; ///< The last owned segment that was emptied, kept for the next; bytes NULL when there is none.
} kifu__log;

void kifu__log_open(kifu__log *log, const kifu_rules *rules, const kifu__memory *memory);
void kifu__log_close(kifu__log *log);

/// Seals a proposal: copies its blob behind the last event, sets its vtables, and enters it in the head. `*table` is
/// the event in the log. KIFU_NO_MEMORY; KIFU_TOO_LARGE when the log would get more than about 2^32 events or the event
/// more than 1 GiB.
kifu_result kifu__log_append(kifu__log *log, uint32_t type, const void *blob, uint32_t size, kifu__mark mark,
                             const void **table);

/// Adds to the flags of the last event, which was appended.
static inline void kifu__log_add_flags(kifu__log *log, uint8_t flags)
{
    kifu__segment *segment = log->open;
    segment->marks[segment->count - 1].flags |= flags;
}

/// Appends a whole segment. An owned one's bytes pass to the log on success.
kifu_result kifu__log_adopt(kifu__log *log, const kifu__segment *segment);

/// Drops all events from number `count` on.
void kifu__log_truncate(kifu__log *log, uint32_t count);

/// Drops the entries of segments from number `begin` to `end` - 1, whose events are in others by now; also, with none
/// to drop, after others were put in the place of some.
void kifu__log_close_gap(kifu__log *log, uint32_t begin, uint32_t end);

/// From event `count` on, something is not as it was.
static inline void kifu__log_changed(kifu__log *log, uint32_t count)
{
    if (count < log->unchanged)
        log->unchanged = count;
}

/// Events that are set aside.
typedef struct kifu__log_tail {
    kifu__segment *segments; ///< Those behind; NULL: there are none.
    uint32_t segment_count;
    uint32_t last_count; ///< Of events of the last segment that stays,
    bool last_closed;    ///< and what else it was.
    uint32_t event_count;
    uint32_t unchanged; ///< As the log's was.
} kifu__log_tail;

/// Drops the events from number `count` on, to be brought back. False, with nothing changed, without memory.
bool kifu__log_set_aside(kifu__log *log, uint32_t count, kifu__log_tail *tail);

/// Drops the events from number `count` on, which is where they were set aside, and brings those back. Frees the tail.
void kifu__log_bring_back(kifu__log *log, uint32_t count, kifu__log_tail *tail);

/// Frees a tail that will not be brought back.
void kifu__log_tail_free(const kifu__log *log, kifu__log_tail *tail);

/// The segment of event `index`, which must be in the log.
const kifu__segment *kifu__log_segment_of(const kifu__log *log, uint32_t index);

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
kifu_result kifu__segment_new(const kifu__memory *memory, const kifu_rules *rules, uint32_t slots, uint32_t body,
                              kifu__segment *segment);

/// Seals a blob into a segment. False, with nothing changed, when there is no room.
bool kifu__segment_append(kifu__segment *segment, const kifu_rules *rules, uint32_t type, const void *blob,
                          uint32_t size, kifu__mark mark, const void **table);

/// Drops a segment's events from `count` on, counted from its first. A borrowed segment's bytes are not written: its
/// `count` is then less than what they say, and whoever writes it out converts it first.
void kifu__segment_truncate(kifu__segment *segment, uint32_t count);

#endif
