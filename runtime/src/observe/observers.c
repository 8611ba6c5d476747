#include "observe/observers.h"

kifu_result kifu__observers_add(kifu__observers *observers, kifu_timeline *timeline, const kifu_observer *observer)
{
    kifu_observer *items = NULL;
    if (observers)
        items = (kifu_observer *)kifu__grow(&timeline->memory, observers->items, &observers->capacity,
                                            (uint64_t)observers->count + 1, sizeof *items);
    if (!items)
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for an observer");
    observers->items = items;
    uint32_t at = observers->count++;
    for (; observer->rank == KIFU_RANK_INTERNAL && at > 0 && items[at - 1].rank != KIFU_RANK_INTERNAL; at--)
        items[at] = items[at - 1];
    items[at] = *observer;
    observers->moved += at + 1 < observers->count;
    return KIFU_OK;
}

void kifu__observers_free(kifu_timeline *timeline, kifu__part *part)
{
    kifu__free(&timeline->memory, ((kifu__observers *)part)->items);
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
