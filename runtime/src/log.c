#include "log.h"

#include <string.h>

#include "table.h"

// The most bytes one event may have, so that offsets in a segment stay far from overflow.
#define MOST_EVENT_BYTES (UINT32_C(1) << 30)

// Bytes of body for each slot of a new segment: what most events need.
enum { BODY_PER_SLOT = 24 };

static uint64_t align_up(uint64_t position, uint32_t alignment)
{
    return (position + alignment - 1) & ~(uint64_t)(alignment - 1);
}

static void put16(unsigned char *bytes, uint16_t value)
{
    memcpy(bytes, &value, sizeof value);
}

static void put32(unsigned char *bytes, uint32_t value)
{
    memcpy(bytes, &value, sizeof value);
}

// The head, in front of the body (S slots, V bytes of vtables):
//
//     0        root offset
//     4        root vtable: events_type, events, marks, rules_version
//    16        root table
//    36        marks: count, S x 4 bytes
//    40 +  4S  events: count, S offsets
//    44 +  8S  types: count, S bytes, padded to 4
//    48 +  9S  vtable block, V bytes, padded to 8
kifu__head kifu__segment_head(uint32_t slots, uint32_t vtables_size)
{
    kifu__head head = {.marks = KIFU__SEGMENT_HEAD + 4};
    head.offsets = head.marks + 4 * slots + 4;
    head.types = head.offsets + 4 * slots + 4;
    head.vtables = head.types + (uint32_t)align_up(slots, 4);
    head.size = (uint32_t)align_up(head.vtables + vtables_size, 8);
    return head;
}

void kifu__segment_begin(unsigned char *bytes, const kifu__head *head, const void *vtables, uint32_t vtables_size,
                         uint32_t rules_version)
{
    memset(bytes, 0, head->size);
    put32(bytes, 16);
    static const uint16_t root_vtable[] = {12, 20, 4, 8, 12, 16};
    for (uint32_t i = 0; i < 6; i++)
        put16(bytes + 4 + 2 * i, root_vtable[i]);
    put32(bytes + 16, 12);
    put32(bytes + 20, head->types - 4 - 20);
    put32(bytes + 24, head->offsets - 4 - 24);
    put32(bytes + 28, head->marks - 4 - 28);
    put32(bytes + 32, rules_version);
    memcpy(bytes + head->vtables, vtables, vtables_size);
}

kifu_result kifu__segment_new(const kifu__memory *memory, const kifu_rules *rules, uint32_t slots, uint32_t body,
                              kifu__segment *segment)
{
    const kifu__head head = kifu__segment_head(slots, rules->vtables_size);
    unsigned char *bytes = (unsigned char *)kifu__new(memory, (size_t)head.size + body);
    if (!bytes)
        return KIFU_NO_MEMORY;
    kifu__segment_begin(bytes, &head, rules->vtables, rules->vtables_size, rules->rules_version);
    *segment = (kifu__segment){
        .bytes = bytes,
        .size = head.size,
        .capacity = head.size + body,
        .slots = slots,
        .vtables = head.vtables,
        .rules_version = rules->rules_version,
        .marks = (kifu__mark *)(void *)(bytes + head.marks),
        .offsets = (uint32_t *)(void *)(bytes + head.offsets),
        .types = bytes + head.types,
    };
    return KIFU_OK;
}

static void write_count(kifu__segment *segment, uint32_t count)
{
    segment->count = count;
    put32((unsigned char *)segment->marks - 4, count);
    put32((unsigned char *)segment->offsets - 4, count);
    put32(segment->types - 4, count);
}

// Enters the event at `at` into the next slot. All is read before `types` is written, which to the compiler might
// change anything.
static inline void enter(kifu__segment *segment, uint32_t type, uint32_t at, kifu__mark mark)
{
    const uint32_t slot = segment->count++;
    kifu__mark *marks = segment->marks;
    uint32_t *offsets = segment->offsets;
    uint8_t *types = segment->types;
    offsets[slot] = at - (uint32_t)((unsigned char *)&offsets[slot] - segment->bytes);
    marks[slot] = mark;
    types[slot] = (uint8_t)type;
    put32((unsigned char *)marks - 4, slot + 1);
    put32((unsigned char *)offsets - 4, slot + 1);
    put32(types - 4, slot + 1);
}

// The usual event: it has the compiled vtable, and no nested tables.
static inline bool append_whole(kifu__segment *segment, const kifu_rules *rules, uint32_t type, const void *blob,
                                uint32_t size, kifu__mark mark, const void **table)
{
    const kifu__table *description = rules->types[type].table;
    const uint32_t old = segment->size, padding = old & (description->align - 1U); // up to 4 or 8
    const uint64_t at = (uint64_t)old + padding;
    if (at + size > segment->capacity || segment->count >= segment->slots)
        return false;
    unsigned char *event = segment->bytes + at;
    if (padding)
        put32(event - 4, 0);
    kifu__copy_blob(event, blob, size);
    put32(event, (uint32_t)at - segment->vtables - (uint32_t)((description->vtable - rules->vtables) * 2));
    segment->size = (uint32_t)at + size;
    enter(segment, type, (uint32_t)at, mark);
    *table = event;
    return true;
}

bool kifu__segment_append(kifu__segment *segment, const kifu_rules *rules, uint32_t type, const void *blob,
                          uint32_t size, kifu__mark mark, const void **table)
{
    const kifu__table *description = rules->types[type].table;
    if (kifu__is_whole(description, blob))
        return append_whole(segment, rules, type, blob, size, mark, table);
    uint64_t at = align_up(segment->size, description->align);
    uint64_t end = at + size + kifu__seal_room(description, blob) + 2;
    if (end > segment->capacity || segment->count >= segment->slots)
        return false;
    unsigned char *event = segment->bytes + at;
    if (at != segment->size) // the alignments are 4 and 8
        put32(segment->bytes + segment->size, 0);
    kifu__copy_blob(event, blob, size);
    unsigned char *behind = event + size;
    kifu__seal(rules, description, event, segment->bytes + segment->vtables, &behind);
    uint32_t used = (uint32_t)(behind - segment->bytes);
    segment->size = (uint32_t)align_up(used, 4);
    memset(behind, 0, segment->size - used);
    enter(segment, type, (uint32_t)at, mark);
    *table = event;
    return true;
}

void kifu__segment_truncate(kifu__segment *segment, uint32_t count)
{
    if (count >= segment->count)
        return;
    if (segment->borrowed) {
        segment->count = count;
        return;
    }
    uint32_t dropped = segment->count - count;
    segment->size = (uint32_t)((const unsigned char *)kifu__segment_table(segment, count) - segment->bytes);
    memset(&segment->offsets[count], 0, dropped * sizeof segment->offsets[0]);
    memset(&segment->types[count], 0, dropped);
    memset(&segment->marks[count], 0, dropped * sizeof segment->marks[0]);
    write_count(segment, count);
}

void kifu__log_open(kifu__log *log, const kifu_rules *rules, const kifu__memory *memory)
{
    *log = (kifu__log){.memory = *memory, .rules = rules};
}

// Finds the segment that may be appended to, after the last one has changed.
static void find_open(kifu__log *log)
{
    kifu__segment *last = log->segment_count ? &log->segments[log->segment_count - 1] : NULL;
    log->open =
        last && !last->borrowed && !last->closed && last->rules_version == log->rules->rules_version ? last : NULL;
}

void kifu__log_close(kifu__log *log)
{
    for (uint32_t i = 0; i < log->segment_count; i++) {
        if (!log->segments[i].borrowed)
            kifu__free(&log->memory, log->segments[i].bytes);
    }
    kifu__free(&log->memory, log->segments);
    kifu__free(&log->memory, log->spare.bytes);
}

kifu_result kifu__log_adopt(kifu__log *log, const kifu__segment *segment)
{
    if (segment->count >= KIFU_NONE - log->event_count)
        return KIFU_TOO_LARGE;
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

static kifu_result add_segment(kifu__log *log, uint64_t needed)
{
    uint32_t slots = KIFU__FIRST_SLOTS;
    if (log->segment_count) {
        const kifu__segment *before = &log->segments[log->segment_count - 1];
        // A closed one was left before it was full: it shows how few are enough.
        uint32_t last = before->closed ? before->count : before->slots;
        slots = last * 2 > slots ? last * 2 : slots;
        slots = slots > KIFU__MOST_SLOTS ? KIFU__MOST_SLOTS : slots;
    }
    uint32_t body = slots * BODY_PER_SLOT;
    if (needed > body)
        body = (uint32_t)needed;
    kifu__segment segment;
    if (log->spare.bytes && log->spare.slots >= slots && log->spare.capacity - log->spare.size >= body) {
        segment = log->spare;
        log->spare.bytes = NULL;
    } else if (kifu__segment_new(&log->memory, log->rules, slots, body, &segment)) {
        return KIFU_NO_MEMORY;
    }
    kifu_result result = kifu__log_adopt(log, &segment);
    if (result)
        kifu__free(&log->memory, segment.bytes);
    return result;
}

static kifu_result append_slowly(kifu__log *log, uint32_t type, const void *blob, uint32_t size, kifu__mark mark,
                                 const void **table)
{
    if (log->event_count >= KIFU_NONE - 1 - KIFU__MOST_SLOTS || size > MOST_EVENT_BYTES)
        return KIFU_TOO_LARGE;
    const kifu__table *description = log->rules->types[type].table;
    if (!log->open || !kifu__segment_append(log->open, log->rules, type, blob, size, mark, table)) {
        uint64_t needed = (uint64_t)size + 16;
        if (!description->flat)
            needed += kifu__seal_room(description, blob);
        kifu_result result = add_segment(log, needed);
        if (result)
            return result;
        kifu__segment_append(log->open, log->rules, type, blob, size, mark, table);
    }
    log->event_count++;
    return KIFU_OK;
}

kifu_result kifu__log_append(kifu__log *log, uint32_t type, const void *blob, uint32_t size, kifu__mark mark,
                             const void **table)
{
    const kifu__table *description = log->rules->types[type].table;
    if (log->open && (description->flat || kifu__is_whole(description, blob)) &&
        append_whole(log->open, log->rules, type, blob, size, mark, table)) {
        log->event_count++;
        return KIFU_OK;
    }
    return append_slowly(log, type, blob, size, mark, table);
}

static void keep_as_spare(kifu__log *log, kifu__segment *segment)
{
    if (segment->borrowed)
        return;
    bool larger = segment->capacity > log->spare.capacity || !log->spare.bytes;
    // A closed one has the remains of other events in its slots, and is not to be appended to.
    if (!larger || segment->closed || segment->rules_version != log->rules->rules_version || !segment->vtables) {
        kifu__free(&log->memory, segment->bytes);
        return;
    }
    kifu__free(&log->memory, log->spare.bytes);
    kifu__segment_truncate(segment, 0);
    log->spare = *segment;
}

void kifu__log_truncate(kifu__log *log, uint32_t count)
{
    while (log->segment_count) {
        kifu__segment *last = &log->segments[log->segment_count - 1];
        if (last->first < count || (last->first == count && last->count == 0))
            break;
        keep_as_spare(log, last);
        log->segment_count--;
    }
    find_open(log);
    if (count < log->event_count) {
        kifu__log_changed(log, count);
        if (log->segment_count) {
            kifu__segment *last = &log->segments[log->segment_count - 1];
            kifu__segment_truncate(last, count - last->first);
        }
        log->event_count = count;
    }
}

void kifu__log_close_gap(kifu__log *log, uint32_t begin, uint32_t end)
{
    if (begin < end)
        memmove(&log->segments[begin], &log->segments[end], (log->segment_count - end) * sizeof *log->segments);
    log->segment_count -= end - begin;
    find_open(log);
}

bool kifu__log_set_aside(kifu__log *log, uint32_t count, kifu__log_tail *tail)
{
    *tail = (kifu__log_tail){.event_count = log->event_count, .unchanged = log->unchanged};
    if (count == log->event_count)
        return true;
    kifu__log_changed(log, count);
    uint32_t kept = log->segment_count;
    while (kept && log->segments[kept - 1].first >= count)
        kept--;
    tail->segment_count = log->segment_count - kept;
    if (tail->segment_count) {
        size_t size = tail->segment_count * sizeof *tail->segments;
        tail->segments = (kifu__segment *)kifu__new(&log->memory, size);
        if (!tail->segments) {
            tail->segment_count = 0;
            return false;
        }
        memcpy(tail->segments, log->segments + kept, size);
    }
    log->segment_count = kept;
    if (kept) {
        kifu__segment *last = &log->segments[kept - 1];
        tail->last_count = last->count;
        tail->last_closed = last->closed;
        last->closed |= last->count > count - last->first;
        last->count = count - last->first;
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
    if (log->segment_count) {
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
    kifu__free(&log->memory, tail->segments);
    tail->segments = NULL;
    tail->segment_count = 0; // They are the log's again.
    find_open(log);
}

void kifu__log_tail_free(const kifu__log *log, kifu__log_tail *tail)
{
    for (uint32_t i = 0; i < tail->segment_count; i++) {
        if (!tail->segments[i].borrowed)
            kifu__free(&log->memory, tail->segments[i].bytes);
    }
    kifu__free(&log->memory, tail->segments);
    tail->segments = NULL;
    tail->segment_count = 0;
}

const kifu__segment *kifu__log_segment_of(const kifu__log *log, uint32_t index)
{
    uint32_t low = 0, high = log->segment_count - 1;
    const kifu__segment *last = &log->segments[high];
    if (index >= last->first)
        return last;
    while (low < high) {
        uint32_t middle = (low + high + 1) / 2;
        if (log->segments[middle].first <= index)
            low = middle;
        else
            high = middle - 1;
    }
    return &log->segments[low];
}
