#include "observe/observers.h"

kifu_result kifu__observers_add(kifu__observers *observers, kifu_timeline *timeline, const kifu_observer *observer)
{
    kifu_observer *items = (kifu_observer *)kifu__grow(&timeline->memory, observers->items, &observers->capacity,
                                                       (uint64_t)observers->count + 1, sizeof *items);
    if (!items)
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for an observer");
    observers->items = items;
    uint32_t at = observers->count++;
    if (observer->rank == KIFU_RANK_INTERNAL) {
        for (; at > 0 && items[at - 1].rank != KIFU_RANK_INTERNAL; at--)
            items[at] = items[at - 1];
    }
    items[at] = *observer;
    return KIFU_OK;
}

void kifu__observers_remove(kifu__observers *observers, const void *context)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < observers->count; i++) {
        if (observers->items[i].context != context)
            observers->items[left++] = observers->items[i];
    }
    observers->count = left;
}

bool kifu__find_span(kifu_change *change)
{
    const unsigned char *before = (const unsigned char *)change->before, *after = (const unsigned char *)change->after;
    uint32_t first = 0, end = change->size;
    while (first < end && before[first] == after[first])
        first++;
    if (first == end)
        return false;
    while (before[end - 1] == after[end - 1])
        end--;
    change->first = first;
    change->length = end - first;
    return true;
}

bool kifu__touches(const kifu__journal_entry *from, const kifu__journal_entry *end, const kifu_observer *observer)
{
    for (; from < end; from++) {
        if (from->offset < observer->offset + observer->size && from->offset + 8 > observer->offset)
            return true;
    }
    return false;
}
