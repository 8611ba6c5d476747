#include "save/regroup.h"

// Bytes of body for each free slot of a segment that goes on: what most events need.
enum { MORE_PER_SLOT = 24 };

// Bytes of a segment's events, about. (Where Kifu wrote it. They may be more or less.)
static uint32_t body_of_segment(const kifu__log *log, const kifu__segment *segment)
{
    const uint32_t head = kifu__segment_head(segment->count, log->rules->vtables_size).size;
    return segment->size > head ? segment->size - head : 0;
}

// Copies an event without references, which is as the game reads it. False: that is another one, or there is no room.
static bool copy_flat(const kifu__log *log, const kifu__segment *from, uint32_t slot, kifu__segment *copy)
{
    const kifu__type *type = &log->rules->types[from->types[slot]];
    if (!KIFU__QUICK || !type->table->flat)
        return false;
    unsigned char *event = (unsigned char *)kifu__segment_room(copy, type->size, type->align);
    if (!event)
        return false;
    kifu__copy_blob(event, kifu__segment_table(from, slot), type->size);
    kifu__segment_seal(copy, type, event, type->size, from->marks[slot]);
    return true;
}

// Copies its events from `slot` on into a new segment. KIFU_TOO_LARGE when that needs more than `more` bytes beyond
// `body`: what shares parts among events, as another writer may, grows.
static kifu_result copy_all(const kifu__log *log, const kifu__segment *from, uint32_t slot, uint32_t slots,
                            uint64_t body, uint64_t more, kifu__segment *copy)
{
    kifu__blob blob = {.memory = &log->memory};
    *copy = (kifu__segment){0};
    kifu_result result = kifu__segment_new(&log->memory, log->rules, from->rules_version, slots, body, copy);
    const uint64_t most = copy->capacity + more < INT32_MAX ? copy->capacity + more : INT32_MAX;
    for (; slot < from->count && !result; slot++) {
        if (copy_flat(log, from, slot, copy))
            continue;
        result = kifu__blob_of(log->rules, from, slot, &blob);
        if (!result)
            result = kifu__segment_add(copy, &log->memory, log->rules, from->types[slot], blob.bytes, blob.size,
                                       from->marks[slot], most);
    }
    kifu__free(&log->memory, blob.bytes);
    if (!result) {
        kifu__segment_show(copy);
        return KIFU_OK;
    }
    kifu__free(&log->memory, copy->bytes);
    copy->bytes = NULL;
    return result;
}

kifu_result kifu__copy_events(const kifu__log *log, const kifu__segment *segment, uint32_t slot, kifu__segment *copy)
{
    const uint32_t count = segment->count - slot;
    const uint64_t body = count ? (uint64_t)body_of_segment(log, segment) * count / segment->count : 0;
    return copy_all(log, segment, slot, count, body, INT32_MAX, copy);
}

// It is built anew: what another writer made may have its parts in an order that does not bear appending or undo.
kifu_result kifu__log_regroup(kifu__log *log)
{
    kifu__branch *branch = log->branch;
    kifu__segment *last = branch->segment_count ? &branch->segments[branch->segment_count - 1] : NULL, copy;
    uint32_t slots = KIFU__FIRST_SLOTS;
    if (!last || !last->borrowed || last->rules_version != log->rules->rules_version)
        return KIFU_OK;
    while (slots <= last->count)
        slots *= 2;
    if (slots > KIFU__MOST_SLOTS)
        return KIFU_OK;
    const uint64_t body = body_of_segment(log, last) + MORE_PER_SLOT * (uint64_t)(slots - last->count);
    const kifu_result result = copy_all(log, last, 0, slots, body, 2 * (uint64_t)last->size, &copy);
    if (result)
        return result == KIFU_TOO_LARGE ? KIFU_OK : result; // Then it stays as it is.
    copy.first = last->first;
    kifu__segment_free(last, &log->memory);
    *last = copy;
    kifu__log_close_gap(log, branch, 0, 0);
    return KIFU_OK;
}
