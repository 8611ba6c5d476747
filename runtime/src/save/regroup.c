#include "save/regroup.h"

#include <string.h>

// Bytes of body for each free slot of a segment that goes on: what most events need. And how large such a segment may
// be.
enum { MORE_PER_SLOT = 24, MOST_REOPENED = 1 << 30 };

// What is joined: where heads are most of the bytes.
enum { SMALL_COUNT = KIFU__FIRST_SLOTS / 2, SMALL_SIZE = 1 << 16 };

// Copies events behind those that are there. KIFU_TOO_LARGE when that makes more than `most` bytes: what shares parts
// among events, as another writer may, grows.
static kifu_result append(const kifu__log *log, const kifu__segment *from, uint32_t slot, uint32_t count,
                          kifu__segment *to, uint64_t most, kifu__blob *blob)
{
    kifu_result result = KIFU_OK;
    for (uint32_t end = slot + count; slot < end && !result; slot++) {
        result = kifu__blob_of(log->rules, from, slot, blob);
        if (!result)
            result = kifu__segment_add(to, &log->memory, log->rules, from->types[slot], blob->bytes, blob->size,
                                       from->marks[slot], most);
    }
    return result;
}

// Bytes of a segment's events, about. (Where Kifu wrote it. They may be more or less.)
static uint32_t body_of(const kifu__log *log, const kifu__segment *segment)
{
    const uint32_t head = kifu__segment_head(segment->count, log->rules->vtables_size).size;
    return segment->size > head ? segment->size - head : 0;
}

static kifu_result done(const kifu__log *log, kifu_result result, kifu__blob *blob, kifu__segment *segment)
{
    kifu__free(&log->memory, blob->bytes);
    if (result) {
        kifu__free(&log->memory, segment->bytes);
        segment->bytes = NULL;
    }
    return result;
}

kifu_result kifu__copy_events(const kifu__log *log, const kifu__segment *segment, uint32_t slot, uint32_t count,
                              kifu__segment *copy)
{
    kifu__blob blob = {.memory = &log->memory};
    *copy = (kifu__segment){0};
    const uint64_t body = segment->count ? (uint64_t)body_of(log, segment) * count / segment->count : 0;
    kifu_result result = kifu__segment_new(&log->memory, log->rules, segment->rules_version, count, body, copy);
    if (!result)
        result = append(log, segment, slot, count, copy, INT32_MAX, &blob);
    return done(log, result, &blob, copy);
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

// One of several. KIFU_TOO_LARGE when their events would need far more room than they have now.
static kifu_result build(const kifu__log *log, uint32_t first, uint32_t end, uint32_t slots, uint64_t more,
                         kifu__segment *joined)
{
    kifu__blob blob = {.memory = &log->memory};
    uint64_t body = more, size = 0;
    for (uint32_t i = first; i < end; i++) {
        body += body_of(log, &log->segments[i]);
        size += log->segments[i].size;
    }
    const uint32_t version = log->segments[first].rules_version;
    kifu_result result = kifu__segment_new(&log->memory, log->rules, version, slots, body, joined);
    const uint64_t most = joined->capacity + 2 * size;
    for (uint32_t i = first; i < end && !result; i++)
        result = append(log, &log->segments[i], 0, log->segments[i].count, joined, most < INT32_MAX ? most : INT32_MAX,
                        &blob);
    return done(log, result, &blob, joined);
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
    kifu_result result = build(log, first, end, slots, MORE_PER_SLOT * (uint64_t)(slots - count), joined);
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
