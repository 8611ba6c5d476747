#include "history/root.h"

#include <stdlib.h>

#include "wire/number.h"
#include "wire/table.h"

void kifu__begin_at_root(kifu_timeline *timeline, uint32_t root, unsigned char *state)
{
    timeline->origin = state;
    timeline->log.begin = timeline->executed = timeline->transactions.floor = timeline->log.first.from = root;
    if (timeline->log.first.end < root)
        timeline->log.first.end = root;
    for (kifu__part *part = timeline->parts; part && root; part = part->next) { // The first line begins there, too.
        if (part->table->forgets)
            part->table->forgets(timeline, part, root);
    }
}

bool kifu__list_timed(const kifu_timeline *timeline, const unsigned char *state, uint32_t root, uint32_t **events,
                      uint32_t *count)
{
    const kifu__turn_rules *turns = timeline->rules->turns;
    uint32_t capacity = 0, found = 0;
    bool good = true;
    *count = 0;
    kifu_handle timer = KIFU_NO_HANDLE;
    *events = NULL;
    if (!turns || !turns->timers)
        return true;
    for (uint32_t event; good && (event = turns->timed->next(timeline, state, &timer)) != KIFU_NONE;) {
        if (event >= root)
            continue;
        uint32_t *grown =
            (uint32_t *)kifu__grow(&timeline->memory, *events, &capacity, (uint64_t)found + 1, sizeof *grown);
        good = grown != NULL;
        if (good) {
            *events = grown;
            grown[found++] = event;
        }
    }
    if (found)
        qsort(*events, found, sizeof **events, kifu__by_number);
    for (uint32_t i = 0; i < found; i++) {
        if (!i || (*events)[i] != (*events)[*count - 1])
            (*events)[(*count)++] = (*events)[i];
    }
    return good;
}

const kifu__segment *kifu__timed_segment(const kifu_timeline *timeline, uint32_t event)
{
    const kifu__branch *owner = kifu__owner(timeline->log.branch, event + 1, NULL);
    const kifu__segment *segment =
        owner->segment_count ? kifu__segment_with(owner->segments, owner->segment_count, event) : NULL;
    return segment && event - segment->first < segment->count ? segment : NULL;
}

kifu_result kifu__single_event(const kifu_timeline *timeline, const kifu__segment *segment, uint32_t slot,
                               kifu__segment *single)
{
    const kifu_rules *rules = timeline->rules;
    const kifu__memory *memory = &timeline->memory;
    kifu__blob blob = {.memory = memory};
    kifu_result result = kifu__blob_of(rules, segment, slot, &blob);
    if (!result)
        result = kifu__segment_new(memory, rules, segment->rules_version, 1, blob.size, single);
    if (!result) {
        result = kifu__segment_add(single, memory, rules, segment->types[slot], blob.bytes, blob.size,
                                   segment->marks[slot], INT32_MAX);
        if (result)
            kifu__segment_free(single, memory);
    }
    kifu__free(memory, blob.bytes);
    if (result)
        return result;
    single->first = segment->first + slot;
    single->closed = true;
    return KIFU_OK;
}

kifu_result kifu__take_timed(const kifu_timeline *timeline, const unsigned char *state, uint32_t root,
                             kifu__timed_events *timed)
{
    uint32_t *events, count;
    *timed = (kifu__timed_events){0};
    const bool found = kifu__list_timed(timeline, state, root, &events, &count);
    const kifu__branch *first = kifu__owner(timeline->log.branch, root, NULL);
    if (found)
        timed->segments =
            (kifu__segment *)kifu__grow(&timeline->memory, NULL, &timed->capacity,
                                        (uint64_t)count + first->segment_count + 1, sizeof *timed->segments);
    kifu_result result = timed->segments ? KIFU_OK : KIFU_NO_MEMORY;
    for (uint32_t i = 0; i < count && !result; i++) {
        const kifu__segment *segment = kifu__timed_segment(timeline, events[i]);
        if (!segment || segment->types[events[i] - segment->first] != timeline->rules->turns->schedule)
            continue;
        result = kifu__single_event(timeline, segment, events[i] - segment->first, &timed->segments[timed->count]);
        timed->count += !result;
    }
    kifu__free(&timeline->memory, events);
    if (result)
        kifu__free_timed(timeline, timed);
    return result;
}

void kifu__free_timed(const kifu_timeline *timeline, kifu__timed_events *timed)
{
    while (timed->count)
        kifu__segment_free(&timed->segments[--timed->count], &timeline->memory);
    kifu__free(&timeline->memory, timed->segments);
    timed->segments = NULL;
}

void kifu__put_in_front(kifu_timeline *timeline, kifu__timed_events *timed, uint32_t dropped)
{
    kifu__branch *first = kifu__owner(timeline->log.branch, 0, NULL);
    const uint32_t left = first->segment_count - dropped;
    for (uint32_t i = 0; i < dropped; i++)
        kifu__segment_free(&first->segments[i], &timeline->memory);
    if (left)
        memcpy(timed->segments + timed->count, first->segments + dropped, left * sizeof *first->segments);
    kifu__free(&timeline->memory, first->segments);
    first->segments = timed->segments;
    first->segment_capacity = timed->capacity;
    first->segment_count = timed->count + left;
    kifu__log_close_gap(&timeline->log, first, 0, 0);
}
