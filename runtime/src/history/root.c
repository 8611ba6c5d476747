#include "history/root.h"

#include <stdlib.h>

#include "wire/table.h"

void kifu__begin_at_root(kifu_timeline *timeline, uint32_t root, unsigned char *state)
{
    timeline->origin = state;
    timeline->log.begin = timeline->log.event_count = timeline->executed = timeline->floor = root;
    for (kifu__part *part = timeline->parts; part; part = part->next) {
        if (part->table->forgets)
            part->table->forgets(timeline, part, root);
    }
}

static int by_number(const void *a, const void *b)
{
    uint32_t one, other;
    memcpy(&one, a, sizeof one);
    memcpy(&other, b, sizeof other);
    return (one > other) - (one < other);
}

// The numbers of the events, each once; `*count` is 0 before. False without memory.
static bool find(kifu_timeline *timeline, unsigned char *state, uint32_t root, uint32_t **events, uint32_t *count)
{
    const kifu__turn_rules *turns = timeline->rules->turns;
    unsigned char *now = timeline->core.state;
    uint32_t capacity = 0, found = 0;
    bool good = true;
    kifu_handle timer = KIFU_NO_HANDLE;
    *events = NULL;
    timeline->core.state = state;
    for (uint32_t event; good && (event = turns->timed->next(timeline, &timer)) != KIFU_NONE;) {
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
    timeline->core.state = now;
    if (found)
        qsort(*events, found, sizeof **events, by_number);
    for (uint32_t i = 0; i < found; i++) {
        if (!i || (*events)[i] != (*events)[*count - 1])
            (*events)[(*count)++] = (*events)[i];
    }
    return good;
}

// The segment of the log in which the event is; NULL: it is in none.
static const kifu__segment *segment_of(const kifu__log *log, uint32_t event)
{
    const kifu__segment *segment = log->segment_count ? kifu__log_segment_of(log, event) : NULL;
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

kifu_result kifu__take_timed(kifu_timeline *timeline, unsigned char *state, uint32_t root, kifu__timed_events *timed)
{
    const kifu__turn_rules *turns = timeline->rules->turns;
    uint32_t *events = NULL, count = 0;
    *timed = (kifu__timed_events){0};
    const bool found = !turns || !turns->timers || find(timeline, state, root, &events, &count);
    if (found)
        timed->segments =
            (kifu__segment *)kifu__grow(&timeline->memory, NULL, &timed->capacity,
                                        (uint64_t)count + timeline->log.segment_count + 1, sizeof *timed->segments);
    kifu_result result = timed->segments ? KIFU_OK : KIFU_NO_MEMORY;
    for (uint32_t i = 0; i < count && !result; i++) {
        const kifu__segment *segment = segment_of(&timeline->log, events[i]);
        if (!segment || segment->types[events[i] - segment->first] != turns->schedule)
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
    kifu__log *log = &timeline->log;
    const uint32_t left = log->segment_count - dropped;
    for (uint32_t i = 0; i < dropped; i++)
        kifu__segment_free(&log->segments[i], &timeline->memory);
    if (left)
        memcpy(timed->segments + timed->count, log->segments + dropped, left * sizeof *log->segments);
    kifu__free(&timeline->memory, log->segments);
    log->segments = timed->segments;
    log->segment_capacity = timed->capacity;
    log->segment_count = timed->count + left;
    kifu__log_close_gap(log, 0, 0);
}
