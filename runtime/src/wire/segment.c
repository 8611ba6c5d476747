#include "wire/segment.h"

#include <string.h>

#include "wire/buffer.h"

static uint64_t align_part(uint64_t position, uint32_t alignment)
{
    return (position + alignment - 1) & ~(uint64_t)(alignment - 1);
}

static void store16(unsigned char *bytes, uint16_t value)
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
    head.vtables = head.types + (uint32_t)align_part(slots, 4);
    head.size = (uint32_t)align_part(head.vtables + vtables_size, 8);
    return head;
}

void kifu__segment_begin(unsigned char *bytes, const kifu__head *head, const void *vtables, uint32_t vtables_size,
                         uint32_t rules_version)
{
    memset(bytes, 0, head->size);
    kifu__put32(bytes, 16);
    static const uint16_t root_vtable[] = {12, 20, 4, 8, 12, 16};
    for (uint32_t i = 0; i < 6; i++)
        store16(bytes + 4 + 2 * i, root_vtable[i]);
    kifu__put32(bytes + 16, 12);
    kifu__put32(bytes + 20, head->types - 4 - 20);
    kifu__put32(bytes + 24, head->offsets - 4 - 24);
    kifu__put32(bytes + 28, head->marks - 4 - 28);
    kifu__put32(bytes + 32, rules_version);
    memcpy(bytes + head->vtables, vtables, vtables_size);
}

// Behind the bytes is their reference count.
static unsigned char *allocate_segment(const kifu__memory *memory, unsigned char *bytes, uint64_t capacity,
                                       kifu__refcount **refs)
{
    const uint64_t end = align_part(capacity, _Alignof(kifu__refcount));
    bytes = (unsigned char *)memory->allocate(memory->context, bytes, (size_t)(end + sizeof **refs));
    if (bytes) {
        *refs = (kifu__refcount *)(void *)(bytes + end);
        kifu__refcount_begin(*refs);
    }
    return bytes;
}

static void point_into(kifu__segment *segment, unsigned char *bytes, const kifu__head *head)
{
    segment->bytes = bytes;
    segment->marks = (kifu__mark *)(void *)(segment->bytes + head->marks);
    segment->offsets = (uint32_t *)(void *)(segment->bytes + head->offsets);
    segment->types = segment->bytes + head->types;
}

kifu_result kifu__segment_new(const kifu__memory *memory, const kifu_rules *rules, uint32_t rules_version,
                              uint32_t slots, uint64_t body, kifu__segment *segment)
{
    const kifu__head head = kifu__segment_head(slots, rules->vtables_size);
    if (head.size + body > KIFU__MOST_BYTES)
        return KIFU_TOO_LARGE;
    kifu__refcount *refs;
    unsigned char *bytes = allocate_segment(memory, NULL, head.size + body, &refs);
    if (!bytes)
        return KIFU_NO_MEMORY;
    kifu__segment_begin(bytes, &head, rules->vtables, rules->vtables_size, rules_version);
    *segment = (kifu__segment){
        .size = head.size,
        .capacity = head.size + (uint32_t)body,
        .slots = slots,
        .vtables = head.vtables,
        .rules_version = rules_version,
        .refs = refs,
    };
    point_into(segment, bytes, &head);
    return KIFU_OK;
}

bool kifu__segment_copy(const kifu__segment *segment, const kifu__memory *memory, kifu__segment *copy)
{
    *copy = *segment;
    unsigned char *bytes = allocate_segment(memory, NULL, segment->capacity, &copy->refs);
    if (!bytes)
        return false;
    memcpy(bytes, segment->bytes, segment->size);
    const kifu__head head = {
        .marks = (uint32_t)((unsigned char *)segment->marks - segment->bytes),
        .offsets = (uint32_t)((unsigned char *)segment->offsets - segment->bytes),
        .types = (uint32_t)(segment->types - segment->bytes),
    };
    point_into(copy, bytes, &head);
    if (segment->closed)
        copy->count = copy->offsets[-1];
    copy->closed = false;
    kifu__segment_show(copy);
    return true;
}

void kifu__segment_show(kifu__segment *segment)
{
    const uint32_t count = segment->count;
    kifu__put32((unsigned char *)segment->marks - 4, count);
    kifu__put32((unsigned char *)segment->offsets - 4, count);
    kifu__put32(segment->types - 4, count);
}

bool kifu__segment_append(kifu__segment *segment, const kifu_rules *rules, uint32_t type, const void *blob,
                          uint32_t size, kifu__mark mark, const void **table)
{
    const kifu__table *description = rules->types[type].table;
    const bool whole = kifu__is_whole(description, blob); // Most are, and have the compiled vtable.
    const uint32_t variants = whole ? 0 : kifu__seal_room(description, blob);
    unsigned char *event = (unsigned char *)kifu__segment_room(segment, (uint64_t)size + variants, description->align);
    if (!event)
        return false;
    kifu__copy_blob(event, blob, size);
    const uint32_t at = (uint32_t)(event - segment->bytes);
    unsigned char *behind = event + size;
    if (whole)
        kifu__put32(event, at - segment->vtables - (uint32_t)((description->vtable - rules->vtables) * 2));
    else
        kifu__seal(rules->vtables, description, event, segment->bytes + segment->vtables, &behind);
    while ((behind - segment->bytes) % 4)
        *behind++ = 0;
    segment->size = (uint32_t)(behind - segment->bytes);
    kifu__segment_enter(segment, type, event, mark);
    *table = event;
    return true;
}

kifu_result kifu__segment_add(kifu__segment *segment, const kifu__memory *memory, const kifu_rules *rules,
                              uint32_t type, const void *blob, uint32_t size, kifu__mark mark, uint64_t most)
{
    const void *table;
    while (!kifu__segment_append(segment, rules, type, blob, size, mark, &table)) {
        const uint64_t needed = segment->size + (uint64_t)size + kifu__seal_room(rules->types[type].table, blob) + 16;
        if (needed > most)
            return KIFU_TOO_LARGE;
        const uint64_t doubled = (uint64_t)segment->capacity * 2;
        const uint64_t capacity = doubled < needed ? needed : doubled < most ? doubled : most;
        unsigned char *bytes = allocate_segment(memory, segment->bytes, capacity, &segment->refs);
        if (!bytes)
            return KIFU_NO_MEMORY;
        const kifu__head head = kifu__segment_head(segment->slots, rules->vtables_size);
        segment->capacity = (uint32_t)capacity;
        point_into(segment, bytes, &head);
    }
    kifu__segment_show(segment);
    return KIFU_OK;
}

void kifu__segment_free(const kifu__segment *segment, const kifu__memory *memory)
{
    if (!segment->borrowed && kifu__release(segment->refs))
        kifu__free(memory, segment->bytes);
}

void kifu__segment_truncate(kifu__segment *segment, uint32_t count)
{
    if (count >= segment->count)
        return;
    if (segment->borrowed || segment->closed || !kifu__is_unshared(segment->refs)) {
        segment->count = count;
        segment->closed |= !segment->borrowed;
        return;
    }
    uint32_t dropped = segment->count - count;
    segment->size = kifu__segment_at(segment, count);
    memset(&segment->offsets[count], 0, dropped * sizeof segment->offsets[0]);
    memset(&segment->types[count], 0, dropped);
    memset(&segment->marks[count], 0, dropped * sizeof segment->marks[0]);
    segment->count = count;
    kifu__segment_show(segment);
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
