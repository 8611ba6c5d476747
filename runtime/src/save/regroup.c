#include "save/regroup.h"

// Bytes of body for each free slot of a segment that goes on: what most events need.
enum { MORE_PER_SLOT = 24 };

// What is joined: where heads are most of the bytes.
enum { SMALL_COUNT = KIFU__FIRST_SLOTS / 2, SMALL_SIZE = 1 << 16 };

// Bytes of a segment's events, about. (Where Kifu wrote it. They may be more or less.)
static uint32_t body_of(const kifu__log *log, const kifu__segment *segment)
{
    const uint32_t head = kifu__segment_head(segment->count, log->rules->vtables_size).size;
    return segment->size > head ? segment->size - head : 0;
}

// Copies all events of the segments up to `end`, but for those of the first in front of `slot`, into a new segment.
// KIFU_TOO_LARGE when that needs more than `more` bytes beyond `body`: what shares parts among events, as another
// writer may, grows.
static kifu_result copy_all(const kifu__log *log, const kifu__segment *from, const kifu__segment *end, uint32_t slot,
                            uint32_t slots, uint64_t body, uint64_t more, kifu__segment *copy)
{
    kifu__blob blob = {.memory = &log->memory};
    *copy = (kifu__segment){0};
    kifu_result result = kifu__segment_new(&log->memory, log->rules, from->rules_version, slots, body, copy);
    const uint64_t most = copy->capacity + more < INT32_MAX ? copy->capacity + more : INT32_MAX;
    for (; from < end; from++, slot = 0) {
        for (; slot < from->count && !result; slot++) {
            result = kifu__blob_of(log->rules, from, slot, &blob);
            if (!result)
                result = kifu__segment_add(copy, &log->memory, log->rules, from->types[slot], blob.bytes, blob.size,
                                           from->marks[slot], most);
        }
    }
    kifu__free(&log->memory, blob.bytes);
    if (result) {
        kifu__free(&log->memory, copy->bytes);
        copy->bytes = NULL;
    }
    return result;
}

kifu_result kifu__copy_events(const kifu__log *log, const kifu__segment *segment, uint32_t slot, kifu__segment *copy)
{
    const uint32_t count = segment->count - slot;
    const uint64_t body = count ? (uint64_t)body_of(log, segment) * count / segment->count : 0;
    return copy_all(log, segment, segment + 1, slot, count, body, INT32_MAX, copy);
}

// --- After a load ----------------------------------------------------------------------------------------------------

static bool is_small(const kifu__segment *segment)
{
    return segment->count < SMALL_COUNT && segment->size < SMALL_SIZE && !segment->closed; // as one before a root is
}

// The run of segments, up to number `end` - 1, that are to become one: where it begins.
static uint32_t start_of_run(const kifu__log *log, uint32_t end)
{
    uint32_t first = end - 1;
    uint32_t count = log->branch->segments[first].count;
    for (; first && is_small(&log->branch->segments[first]); first--) {
        const kifu__segment *before = &log->branch->segments[first - 1];
        count += before->count;
        if (!is_small(before) || before->rules_version != log->branch->segments[first].rules_version ||
            count >= KIFU__MOST_SLOTS)
            break;
    }
    return first;
}

// Makes one of several segments, or of the last one. It is built anew: what another writer made may have its parts in
// an order that does not bear appending or undo. Where they are to stay as they are, `joined` has no bytes.
static kifu_result join(const kifu__log *log, uint32_t first, uint32_t end, kifu__segment *joined)
{
    *joined = (kifu__segment){0};
    const kifu__segment *segment = &log->branch->segments[first];
    const bool goes_on = end == log->branch->segment_count && segment->rules_version == log->rules->rules_version;
    if (end - first == 1 && !(goes_on && segment->borrowed))
        return KIFU_OK;
    uint32_t count = 0, slots = KIFU__FIRST_SLOTS;
    uint64_t body = 0, size = 0;
    for (uint32_t i = first; i < end; i++) {
        count += log->branch->segments[i].count;
        body += body_of(log, &log->branch->segments[i]);
        size += log->branch->segments[i].size;
    }
    while (goes_on && slots <= count)
        slots *= 2;
    if (!goes_on)
        slots = count;
    if (slots > KIFU__MOST_SLOTS)
        return KIFU_OK;
    body += MORE_PER_SLOT * (uint64_t)(slots - count);
    kifu_result result = copy_all(log, segment, log->branch->segments + end, 0, slots, body, 2 * size, joined);
    return result == KIFU_TOO_LARGE ? KIFU_OK : result; // Then it stays as it is.
}

// Moves a run in front of number `done`: what it was joined to, or itself where it stays as it is.
static uint32_t move_run(kifu__log *log, uint32_t first, uint32_t end, const kifu__segment *joined, uint32_t done)
{
    kifu__segment *segments = log->branch->segments;
    const uint32_t first_event = segments[first].first;
    for (uint32_t i = end; i-- > first;) {
        if (!joined->bytes)
            segments[--done] = segments[i];
        else
            kifu__segment_free(&segments[i], &log->memory);
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
    uint32_t end = log->branch->segment_count, done = end;
    while (end) {
        kifu__segment joined;
        uint32_t first = start_of_run(log, end);
        result = join(log, first, end, &joined);
        if (result)
            break;
        done = move_run(log, first, end, &joined, done);
        end = first;
    }
    kifu__log_close_gap(log, log->branch, end, done);
    return result;
}
