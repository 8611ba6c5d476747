/// Observers of one kind, in the order in which they are called: the beginning of the part for that kind.
#ifndef KIFU_SRC_OBSERVERS_H
#define KIFU_SRC_OBSERVERS_H

#include "core/timeline.h"

typedef struct kifu__observers {
    kifu__part part;
    kifu_observer *items;
    uint32_t count;
    uint32_t capacity;
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
    for (; from < end; from++) {
        if (from->offset < observer->offset + observer->size && from->offset + 8 > observer->offset)
            return true;
    }
    return false;
}

#endif
