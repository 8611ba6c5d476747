#include "save/regroup.h"

#include <string.h>

// Bytes of body for each free slot of a segment that goes on: what most events need. And how large such a segment may
// be.
enum { MORE_PER_SLOT = 24, MOST_REOPENED = 1 << 30 };

// What is joined: where heads are most of the bytes.
enum { SMALL_COUNT = KIFU__FIRST_SLOTS / 2, SMALL_SIZE = 1 << 16 };

static kifu_result new_segment(const kifu__log *log, uint32_t slots, uint64_t body, uint32_t rules_version,
                               kifu__segment *segment)
{
    if (body > INT32_MAX)
        return KIFU_TOO_LARGE;
    kifu_result result = kifu__segment_new(&log->memory, log->rules, slots, (uint32_t)body, segment);
    if (result)
        return result;
    segment->rules_version = rules_version;
    memcpy(segment->bytes + KIFU__SEGMENT_HEAD - 4, &rules_version, sizeof rules_version);
    return KIFU_OK;
}

// Copies events behind those that are there. KIFU_TOO_LARGE when they do not fit.
static kifu_result append(const kifu__log *log, const kifu__segment *from, uint32_t slot, uint32_t count,
                          kifu__segment *to, kifu__blob *blob)
{
    kifu_result result = KIFU_OK;
    for (uint32_t end = slot + count; slot < end && !result; slot++) {
        const void *table;
        result = kifu__blob_of(log->rules, from, slot, blob);
        if (!result && !kifu__segment_append(to, log->rules, from->types[slot], blob->bytes, blob->size,
                                             from->marks[slot], &table))
            result = KIFU_TOO_LARGE;
    }
    return result;
}

// At most so many bytes of body are what copies of these events need. KIFU_TOO_LARGE when that is more than `most`.
static kifu_result measure(const kifu__log *log, const kifu__segment *from, uint32_t slot, uint32_t count,
                           uint64_t most, uint64_t *body, kifu__blob *blob)
{
    kifu_result result = KIFU_OK;
    *body = 0;
    for (uint32_t end = slot + count; slot < end && !result; slot++) {
        result = *body > most ? KIFU_TOO_LARGE : kifu__blob_of(log->rules, from, slot, blob);
        if (!result)
            *body +=
                16 + (uint64_t)blob->size + kifu__seal_room(log->rules->types[from->types[slot]].table, blob->bytes);
    }
    return !result && *body > most ? KIFU_TOO_LARGE : result;
}

kifu_result kifu__copy_events(const kifu__log *log, const kifu__segment *segment, uint32_t slot, uint32_t count,
                              kifu__segment *copy)
{
    kifu__blob blob = {.memory = &log->memory};
    uint64_t body;
    *copy = (kifu__segment){0};
    kifu_result result = measure(log, segment, slot, count, INT32_MAX, &body, &blob);
    if (!result)
        result = new_segment(log, count, body, segment->rules_version, copy);
    if (!result)
        result = append(log, segment, slot, count, copy, &blob);
    kifu__free(&log->memory, blob.bytes);
    if (result) {
        kifu__free(&log->memory, copy->bytes);
        copy->bytes = NULL;
    }
    return result;
}

// --- After a load ----------------------------------------------------------------------------------------------------

static bool is_small(const kifu__segment *segment)
{
    return segment->count < SMALL_COUNT && segment->size < SMALL_SIZE;
}

// The run of segments, up to number `end` - 1, that are to become one: where it begins.
static uint32_t start_of_run(const kifu__log *log, uint32_t end)
{
    uint32_t first = end - 1;
    uint32_t count = log->segments[first].count;
    for (; first && is_small(&log->segments[first]); first--) {
        const kifu__segment *before = &log->segments[first - 1];
        count += before->count;
        if (!is_small(before) || before->rules_version != log->segments[first].rules_version ||
            count >= KIFU__MOST_SLOTS)
            break;
    }
    return first;
}

// Bytes of body for these segments' events in one. Of one alone, its size will do. KIFU_TOO_LARGE when events share so
// much, as another writer's may, that it would be far more than they have now.
static kifu_result measure_run(const kifu__log *log, uint32_t first, uint32_t end, uint64_t *body)
{
    kifu__blob blob = {.memory = &log->memory};
    kifu_result result = KIFU_OK;
    *body = end - first == 1 ? log->segments[first].size : 0;
    for (uint32_t i = first; i < end && end - first > 1 && !result; i++) {
        uint64_t more;
        const kifu__segment *segment = &log->segments[i];
        result = measure(log, segment, 0, segment->count, 2 * (uint64_t)segment->size, &more, &blob);
        *body += result ? 0 : more;
    }
    kifu__free(&log->memory, blob.bytes);
    return result;
}

// KIFU_TOO_LARGE when the events do not fit: what shares parts among them, as another writer may, grows.
static kifu_result build(const kifu__log *log, uint32_t first, uint32_t end, uint32_t slots, uint64_t body,
                         kifu__segment *joined)
{
    kifu_result result = new_segment(log, slots, body, log->segments[first].rules_version, joined);
    if (result)
        return result;
    kifu__blob blob = {.memory = &log->memory};
    for (uint32_t i = first; i < end && !result; i++)
        result = append(log, &log->segments[i], 0, log->segments[i].count, joined, &blob);
    kifu__free(&log->memory, blob.bytes);
    if (result) {
        kifu__free(&log->memory, joined->bytes);
        joined->bytes = NULL;
    }
    return result;
}

// Makes one of several segments, or of the last one. It is built anew: what another writer made may have its parts in
// an order that does not bear appending or undo. Where they are to stay as they are, `joined` has no bytes.
static kifu_result join(const kifu__log *log, uint32_t first, uint32_t end, kifu__segment *joined)
{
    *joined = (kifu__segment){0};
    const kifu__segment *segment = &log->segments[first];
    const bool goes_on = end == log->segment_count && segment->rules_version == log->rules->rules_version;
    if (end - first == 1 && !(goes_on && segment->borrowed && segment->size <= MOST_REOPENED))
        return KIFU_OK;
    uint32_t count = 0, slots = KIFU__FIRST_SLOTS;
    for (uint32_t i = first; i < end; i++)
        count += log->segments[i].count;
    while (goes_on && slots <= count)
        slots *= 2;
    if (!goes_on)
        slots = count;
    if (slots > KIFU__MOST_SLOTS)
        return KIFU_OK;
    uint64_t body;
    kifu_result result = measure_run(log, first, end, &body);
    if (!result)
        result = build(log, first, end, slots, body + MORE_PER_SLOT * (uint64_t)(slots - count), joined);
    return result == KIFU_TOO_LARGE ? KIFU_OK : result; // Then it stays as it is.
}

// Moves a run in front of number `done`: what it was joined to, or itself where it stays as it is.
static uint32_t move_run(kifu__log *log, uint32_t first, uint32_t end, const kifu__segment *joined, uint32_t done)
{
    kifu__segment *segments = log->segments;
    const uint32_t first_event = segments[first].first;
    for (uint32_t i = end; i-- > first;) {
        if (!joined->bytes)
            segments[--done] = segments[i];
        else if (!segments[i].borrowed)
            kifu__free(&log->memory, segments[i].bytes);
    }
    if (joined->bytes) {
        segments[--done] = *joined;
        segments[done].first = first_event;
    }
    return done;
}

// From the end. What is done gathers at the end of the array, so that each entry moves twice, however many runs there
// are.
kifu_result kifu__log_regroup(kifu__log *log)
{
    kifu_result result = KIFU_OK;
    uint32_t end = log->segment_count, done = end;
    while (end) {
        kifu__segment joined;
        uint32_t first = start_of_run(log, end);
        result = join(log, first, end, &joined);
        if (result)
            break;
        done = move_run(log, first, end, &joined, done);
        end = first;
    }
    kifu__log_close_gap(log, end, done);
    return result;
}
