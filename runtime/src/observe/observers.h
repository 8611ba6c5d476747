/// Observers of one kind, in the order in which they are called: the beginning of the part for that kind.
#ifndef KIFU_SRC_OBSERVERS_H
#define KIFU_SRC_OBSERVERS_H

#include "core/timeline.h"

typedef struct kifu__observers {
    kifu__part part;
    kifu_observer *items;
    uint32_t count;
    uint32_t capacity;
    uint32_t moved; ///< How often some of them got another place.
} kifu__observers;

/// Adds one: internal ones come first, then the order is that in which they were added. KIFU_NO_MEMORY, also where
/// there was none for `observers`, which is NULL then.
kifu_result kifu__observers_add(kifu__observers *observers, kifu_timeline *timeline, const kifu_observer *observer);

/// What a part of them does when it is freed.
void kifu__observers_free(kifu_timeline *timeline, kifu__part *part);

// What adds an observer of each kind, which is verified.

kifu_result kifu__add_hook(kifu_timeline *timeline, const kifu_observer *observer);
kifu_result kifu__add_reaction(kifu_timeline *timeline, const kifu_observer *observer);
kifu_result kifu__add_listener(kifu_timeline *timeline, const kifu_observer *observer);

/// The array of a struct that lies in `size` bytes at `offset`, whole; NULL: there is none.
const kifu__member *kifu__find_array(const kifu__struct *structure, uint32_t offset, uint32_t size);

/// The array that a listener of elements follows. Its copy of the observer has it in `subject`, which only hooks use.
static inline const kifu__member *kifu__array_of(const kifu_observer *listener)
{
    return (const kifu__member *)(uintptr_t)listener->subject;
}

/// Calls a listener of elements for each that differs between `seen`, which is a whole state, and the state of now.
void kifu__tell_all_elements(kifu_timeline *timeline, const kifu_observer *listener, const unsigned char *seen,
                             kifu__change_kind kind);

/// The same for one event, by its edits. `marks`: a bit for each element, all 0, before and after.
void kifu__notify_elements(kifu_timeline *timeline, const kifu_observer *listener, const unsigned char *seen,
                           const kifu__change *change, uint64_t *marks);

/// Sets the changed span of a part of the state; false when nothing has changed.
bool kifu__find_span(kifu_change *change);

/// Whether an observer of events is for those of type `type`, which has the tags `tags`.
static inline bool kifu__concerns(const kifu_observer *observer, uint32_t type, uint64_t tags)
{
    return observer->type == type || (!observer->type && (!observer->tags || observer->tags & tags));
}

/// Whether one of the edits is inside the part.
static inline bool kifu__touches(const kifu__journal_entry *from, const kifu__journal_entry *end,
                                 const kifu_observer *observer)
{
    const uint32_t before = observer->offset - 7, length = observer->size + 7; // windows that begin there
    for (; from < end; from++) {
        if (from->offset - before < length) // Less than `before` wraps around, and is more.
            return true;
    }
    return false;
}

#endif
