#include "core/log.h"

#include <string.h>

#include "wire/table.h"

// The most bytes one event may have, so that offsets in a segment stay far from overflow.
#define MOST_EVENT_BYTES (UINT32_C(1) << 30)

// The most events: so numbers that are a little larger than any event's fit into 32 bits, too, and are not KIFU_NONE.
#define MOST_EVENTS (KIFU_NONE - 1 - KIFU__MOST_SLOTS)

// Bytes of body for each slot of a new segment: what most events need.
enum { BODY_PER_SLOT = 24, ENOUGH_SLOTS = 1024 };

void kifu__log_open(kifu__log *log, const kifu_rules *rules, const kifu__memory *memory)
{
    *log = (kifu__log){.memory = *memory, .rules = rules};
}

// Finds the segment that may be appended to, after the last one has changed.
static void find_open(kifu__log *log)
{
    kifu__segment *last = log->segment_count ? &log->segments[log->segment_count - 1] : NULL;
    const bool goes_on = last && !last->borrowed && !last->closed && kifu__is_only_holder(last->holders) &&
                         last->rules_version == log->rules->rules_version;
    log->open = goes_on ? last : NULL;
}

static void free_segments(const kifu__log *log, kifu__segment *segments, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        kifu__segment_free(&segments[i], &log->memory);
    kifu__free(&log->memory, segments);
}

void kifu__log_close(kifu__log *log)
{
    free_segments(log, log->segments, log->segment_count);
    kifu__segment_free(&log->spare, &log->memory);
    if (log->lender && kifu__let_go(&log->lender->holders))
        log->lender->free(log->lender, &log->memory);
}

kifu_result kifu__log_adopt(kifu__log *log, const kifu__segment *segment)
{
    if ((uint64_t)log->event_count + segment->count > MOST_EVENTS)
        return KIFU_TOO_LARGE;
    kifu__log_show(log); // The last one is full, or left: from now on, forks may share it.
    kifu__segment *segments = (kifu__segment *)kifu__grow(&log->memory, log->segments, &log->segment_capacity,
                                                          (uint64_t)log->segment_count + 1, sizeof *segments);
    if (!segments)
        return KIFU_NO_MEMORY;
    log->segments = segments;
    kifu__segment *adopted = &segments[log->segment_count++];
    *adopted = *segment;
    adopted->first = log->event_count;
    log->event_count += segment->count;
    find_open(log);
    return KIFU_OK;
}

// Bytes of body of a new segment. A full one before it that has many events shows what this game's events need: a
// quarter more than that, so that a segment ends where its slots end, as it would with more bytes.
static uint32_t body_of(const kifu__segment *before, uint32_t slots)
{
    const uint32_t most = slots * BODY_PER_SLOT;
    if (!before || before->borrowed || before->count < before->slots || before->count < ENOUGH_SLOTS)
        return most;
    const unsigned char *first = (const unsigned char *)kifu__segment_table(before, 0);
    const uint64_t used = before->size - (uint64_t)(first - before->bytes);
    const uint64_t body = used * slots / before->count * 5 / 4;
    return body < most ? (uint32_t)body : most;
}

kifu_result kifu__log_grow(kifu__log *log, uint64_t needed)
{
    uint32_t slots = KIFU__FIRST_SLOTS;
    const kifu__segment *before = log->segment_count ? &log->segments[log->segment_count - 1] : NULL;
    if (before) {
        // A closed one was left before it was full: few may be enough, as in a variation of one move.
        const uint32_t last = before->closed ? 0 : before->slots;
        slots = last * 2 > slots ? last * 2 : slots;
        slots = slots > KIFU__MOST_SLOTS ? KIFU__MOST_SLOTS : slots;
    }
    uint32_t body = body_of(before, slots);
    if (needed > body)
        body = (uint32_t)needed;
    kifu__segment segment;
    if (log->spare.bytes && log->spare.slots >= slots && log->spare.capacity - log->spare.size >= body) {
        segment = log->spare;
        log->spare = (kifu__segment){0};
    } else if (kifu__segment_new(&log->memory, log->rules, log->rules->rules_version, slots, body, &segment)) {
        return KIFU_NO_MEMORY;
    }
    kifu_result result = kifu__log_adopt(log, &segment);
    if (result)
        kifu__segment_free(&segment, &log->memory);
    return result;
}

kifu_result kifu__log_append(kifu__log *log, uint32_t type, const void *blob, uint32_t size, kifu__mark mark,
                             const void **table)
{
    if (log->event_count >= MOST_EVENTS || size > MOST_EVENT_BYTES)
        return KIFU_TOO_LARGE;
    if (!log->open || !kifu__segment_append(log->open, log->rules, type, blob, size, mark, table)) {
        const uint64_t needed = (uint64_t)size + 16 + kifu__seal_room(log->rules->types[type].table, blob);
        const kifu_result result = kifu__log_grow(log, needed);
        if (result)
            return result;
        kifu__segment_append(log->open, log->rules, type, blob, size, mark, table);
    }
    log->event_count++;
    return KIFU_OK;
}

static void keep_as_spare(kifu__log *log, kifu__segment *segment)
{
    bool larger = segment->capacity > log->spare.capacity || !log->spare.bytes;
    // A closed one has the remains of other events in its slots, and is not to be appended to.
    if (!larger || segment->borrowed || segment->closed || !kifu__is_only_holder(segment->holders) ||
        segment->rules_version != log->rules->rules_version) {
        kifu__segment_free(segment, &log->memory);
        return;
    }
    kifu__segment_free(&log->spare, &log->memory);
    kifu__segment_truncate(segment, 0);
    log->spare = *segment;
}

void kifu__log_truncate(kifu__log *log, uint32_t count)
{
    while (log->segment_count) {
        kifu__segment *last = &log->segments[log->segment_count - 1];
        if (last->first < count)
            break;
        keep_as_spare(log, last);
        log->segment_count--;
    }
    find_open(log);
    kifu__log_changed(log, count);
    if (log->segment_count) {
        kifu__segment *last = &log->segments[log->segment_count - 1];
        kifu__segment_truncate(last, count - last->first);
    }
    log->event_count = count;
}

void kifu__log_close_gap(kifu__log *log, uint32_t begin, uint32_t end)
{
    if (begin < end)
        memmove(&log->segments[begin], &log->segments[end], (log->segment_count - end) * sizeof *log->segments);
    log->segment_count -= end - begin;
    find_open(log);
}

// False without memory.
static bool make_room(const kifu__log *log, kifu__log_tail *tail, uint32_t count)
{
    if (count <= tail->segment_capacity)
        return true;
    kifu__segment *segments = (kifu__segment *)kifu__new(&log->memory, count * sizeof *segments);
    if (!segments)
        return false;
    kifu__free(&log->memory, tail->segments);
    tail->segments = segments;
    tail->segment_capacity = count;
    return true;
}

bool kifu__log_set_aside(kifu__log *log, uint32_t count, kifu__log_tail *tail)
{
    uint32_t kept = log->segment_count;
    while (kept && log->segments[kept - 1].first >= count && count < log->event_count)
        kept--;
    if (!make_room(log, tail, log->segment_count - kept))
        return false;
    *tail = (kifu__log_tail){.segments = tail->segments,
                             .segment_count = log->segment_count - kept,
                             .segment_capacity = tail->segment_capacity,
                             .event_count = log->event_count,
                             .unchanged = log->unchanged};
    if (count == log->event_count)
        return true;
    kifu__log_show(log); // Forks copy what is set aside.
    kifu__log_changed(log, count);
    if (tail->segment_count)
        memcpy(tail->segments, log->segments + kept, tail->segment_count * sizeof *tail->segments);
    log->segment_count = kept;
    if (kept) {
        kifu__segment *last = &log->segments[kept - 1];
        tail->last_count = last->count;
        tail->last_closed = last->closed;
        if (last->count > count - last->first) { // In a fork without a past, it may end before.
            last->closed = true;
            last->count = count - last->first;
        }
    }
    log->event_count = count;
    find_open(log);
    return true;
}

void kifu__log_bring_back(kifu__log *log, uint32_t count, kifu__log_tail *tail)
{
    kifu__log_truncate(log, count);
    if (tail->event_count == count)
        return;
    if (log->segment_count && tail->last_count) { // Else it was loaded, and goes on behind that event.
        kifu__segment *last = &log->segments[log->segment_count - 1];
        last->count = tail->last_count;
        last->closed = tail->last_closed;
    }
    // There is room: the array had them before.
    for (uint32_t i = 0; i < tail->segment_count; i++)
        log->segments[log->segment_count++] = tail->segments[i];
    if (log->unchanged >= count) // All is as it was.
        log->unchanged = tail->unchanged;
    log->event_count = tail->event_count;
    tail->segment_count = 0; // They are the log's again.
    find_open(log);
}

void kifu__log_tail_free(const kifu__log *log, kifu__log_tail *tail)
{
    free_segments(log, tail->segments, tail->segment_count);
    tail->segments = NULL;
    tail->segment_count = tail->segment_capacity = 0;
}

const kifu__segment *kifu__segment_with(const kifu__segment *segments, uint32_t count, uint32_t index)
{
    uint32_t low = 0, high = count - 1;
    while (low < high) {
        uint32_t middle = (low + high + 1) / 2;
        if (segments[middle].first <= index)
            low = middle;
        else
            high = middle - 1;
    }
    return &segments[low];
}
