/// The log: executed events, and those that redo can bring back, in segments.
///
/// A segment reserves what events need, and a quarter more, once a full one with 1,024 events has shown what that is;
/// before that, 24 bytes for each slot. The quarter keeps a segment from ending before its slots do.
///
/// A segment's head counts its events when its bytes may be seen (kifu__log_show): before a save writes them, when the
/// segment is full or left, and before another branch is entered. So an event costs three stores less, and only the
/// open segment, which no fork shares, can lag behind.
#ifndef KIFU_SRC_LOG_H
#define KIFU_SRC_LOG_H

#include "core/branch.h"

enum { KIFU__FIRST_SLOTS = 16, KIFU__MOST_SLOTS = 4096 };

/// Who owns the memory in which borrowed segments lie: a loaded file.
typedef struct kifu__lender kifu__lender;
struct kifu__lender {
    kifu__refcount refs; ///< Of the log, and those of forks.
    void (*free)(kifu__lender *lender, const kifu__memory *memory);
};

typedef struct kifu__log {
    kifu__memory memory;
    kifu__lender *lender; ///< NULL: no segment is borrowed.
    const kifu_rules *rules;
    kifu__branch *branch; ///< The current one: the log is its path.
    kifu__segment *open;  ///< Its last segment, where it may be appended to; else NULL.
    uint32_t begin;       ///< Number of its first event: 0, but in a game that begins from a state. What is in front of
                          ///< it is there for timers.
    uint32_t cut_at;      ///< For watchers: lowered to where events were dropped.
    uint32_t keeps_from;  ///< A watermark: at no place before this one has anything been kept; KIFU_NONE: nowhere.
    kifu__segment spare; ///< The last owned segment that was emptied, kept for the next; bytes NULL when there is none.
    kifu__branch first;  ///< A game without variations has no other.
    /// While the game is in front of the current branch: a segment near the place, so that an undo or redo after
    /// another one need not search for it. It has the `near_count` events from number `near_from` on; 0: none was
    /// looked for.
    const kifu__segment *near;
    uint32_t near_from, near_count;
} kifu__log;

void kifu__log_open(kifu__log *log, const kifu_rules *rules, const kifu__memory *memory);
void kifu__log_close(kifu__log *log);

/// Seals a proposal: copies its blob behind the last event, sets its vtables, and enters it in the head. `*table` is
/// the event in the log. KIFU_NO_MEMORY; KIFU_TOO_LARGE when the log would get more than about 2^32 events or the event
/// more than 1 GiB.
kifu_result kifu__log_append(kifu__log *log, uint32_t type, const void *blob, uint32_t size, kifu__mark mark,
                             const void **table);

/// Adds an empty segment with room for an event of `needed` bytes. KIFU_NO_MEMORY, KIFU_TOO_LARGE.
kifu_result kifu__log_grow(kifu__log *log, uint64_t needed);

/// Where to write the next event, of `size` bytes, before kifu__log_seal. NULL: the segment has no room. `align`: 4
/// or 8.
static inline void *kifu__log_room(const kifu__log *log, uint32_t size, uint32_t align)
{
    const kifu__segment *segment = log->open;
    return segment ? kifu__segment_room(segment, size, align) : NULL;
}

/// Seals the event that was written to kifu__log_room. It must have the compiled vtable, and no nested tables.
static inline void kifu__log_seal(kifu__log *log, const kifu__type *type, void *event, uint32_t size, kifu__mark mark)
{
    kifu__segment_seal(log->open, type, (unsigned char *)event, size, mark);
    log->branch->end++;
}

/// Adds flags to the mark of the last event.
static inline void kifu__log_add_flags(kifu__log *log, uint8_t flags)
{
    kifu__segment *segment = log->open;
    segment->marks[segment->count - 1].flags |= flags;
}

/// Appends a whole segment to the current branch. On success, the log owns its bytes if the segment did.
kifu_result kifu__log_adopt(kifu__log *log, const kifu__segment *segment);

/// Brings the heads of all segments up to date, so that their bytes can be read: that of the last one does not count
/// its new events.
static inline void kifu__log_show(const kifu__log *log)
{
    if (log->open)
        kifu__segment_show(log->open);
}

/// Drops all events of the current branch from number `count` on.
void kifu__log_truncate(kifu__log *log, uint32_t count);

/// Removes the entries of segments number `begin` to `end` - 1 from the branch's array, after their events were moved
/// to other segments. With no entries to remove: after segments were replaced by others.
void kifu__log_close_gap(kifu__log *log, kifu__branch *branch, uint32_t begin, uint32_t end);

/// Lowers the watermark `cut_at`: events of the path from number `count` on have changed.
static inline void kifu__log_changed(kifu__log *log, uint32_t count)
{
    if (count < log->cut_at)
        log->cut_at = count;
}

/// Something is kept at places from this one on.
static inline void kifu__log_keeps(kifu__log *log, uint32_t place)
{
    if (place < log->keeps_from)
        log->keeps_from = place;
}

/// Makes another branch the current one. No event moves.
void kifu__log_enter(kifu__log *log, kifu__branch *branch);

/// Reserves room for `count` more segments. False: out of memory.
bool kifu__branch_room(kifu__log *log, kifu__branch *branch, uint32_t count);

/// Drops the events of a branch from number `count` on.
void kifu__branch_truncate(kifu__log *log, kifu__branch *branch, uint32_t count);

/// Frees the segments of a branch, and their array.
void kifu__branch_free_events(kifu__log *log, kifu__branch *branch);

/// The segment near the place if it has event `index`; else NULL.
static inline const kifu__segment *kifu__log_near(const kifu__log *log, uint32_t index)
{
    return KIFU__QUICK && index - log->near_from < log->near_count ? log->near : NULL;
}

/// Looks for it: the game is at this place now.
void kifu__log_come_near(kifu__log *log, uint32_t place);

/// Segments have moved, or the path is another one.
static inline void kifu__log_forget_near(kifu__log *log)
{
    if (KIFU__QUICK)
        log->near_count = 0;
}

/// The segment of event `index`, which must be in the log, as for the next three.
static inline const kifu__segment *kifu__log_segment_of(const kifu__log *log, uint32_t index)
{
    kifu__branch *branch = log->branch;
    if (index < branch->from) {
        const kifu__segment *near = kifu__log_near(log, index);
        if (near)
            return near;
        uint32_t end;
        return kifu__path_segment(branch, index, &end);
    }
    const kifu__segment *last = &branch->segments[branch->segment_count - 1];
    return index >= last->first ? last : kifu__segment_with(branch->segments, branch->segment_count, index);
}

/// The mark of an event: cause, player, flags.
static inline kifu__mark *kifu__log_mark(const kifu__log *log, uint32_t index)
{
    const kifu__segment *segment = kifu__log_segment_of(log, index);
    return &segment->marks[index - segment->first];
}

/// The type of an event.
static inline uint32_t kifu__log_type(const kifu__log *log, uint32_t index)
{
    const kifu__segment *segment = kifu__log_segment_of(log, index);
    return segment->types[index - segment->first];
}

/// The table of an event.
static inline const void *kifu__log_table(const kifu__log *log, uint32_t index)
{
    const kifu__segment *segment = kifu__log_segment_of(log, index);
    return kifu__segment_table(segment, index - segment->first);
}

#endif
