/// Observers of one kind, in the order in which they are called.
#ifndef KIFU_SRC_OBSERVERS_H
#define KIFU_SRC_OBSERVERS_H

#include "core/timeline.h"

/// Zeroed, it is empty.
typedef struct kifu__observers {
    kifu_observer *items;
    uint32_t count;
    uint32_t capacity;
} kifu__observers;

/// Adds one: internal ones come first, then the order is that in which they were added. KIFU_NO_MEMORY.
kifu_result kifu__observers_add(kifu__observers *observers, kifu_timeline *timeline, const kifu_observer *observer);

/// Removes those that were added with `context`.
void kifu__observers_remove(kifu__observers *observers, const void *context);

// What adds an observer of each kind, which is verified, and removes those with a context.

kifu_result kifu__add_hook(kifu_timeline *timeline, const kifu_observer *observer);
kifu_result kifu__add_reaction(kifu_timeline *timeline, const kifu_observer *observer);
kifu_result kifu__add_listener(kifu_timeline *timeline, const kifu_observer *observer);
void kifu__remove_hooks(kifu_timeline *timeline, const void *context);
void kifu__remove_reactions(kifu_timeline *timeline, const void *context);
void kifu__remove_listeners(kifu_timeline *timeline, const void *context);

/// Sets the changed span of a part of the state; false when nothing has changed.
bool kifu__find_span(kifu_change *change);

/// Whether one of the edits is inside the part.
bool kifu__touches(const kifu__journal_entry *from, const kifu__journal_entry *end, const kifu_observer *observer);

#endif
