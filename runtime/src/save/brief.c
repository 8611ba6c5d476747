#include "save/brief.h"

// In front of the events: what the segment's head says of each.
typedef struct entry {
    kifu__mark mark;
    uint8_t type;
    uint8_t more;   // 1: another entry follows, 0: the events do.
    uint16_t words; // of 4 bytes up to the next event
} entry;

_Static_assert(sizeof(entry) == 8, "it is in files");

static uint32_t place_of(const kifu__segment *segment, uint32_t index)
{
    return (uint32_t)((const unsigned char *)kifu__segment_table(segment, index) - segment->bytes);
}

bool kifu__brief(const kifu_rules *rules, const kifu__segment *segment, kifu__blob *blob)
{
    const uint32_t count = segment->count;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t end = i + 1 < count ? place_of(segment, i + 1) : segment->size;
        const uint32_t words = (end - place_of(segment, i)) / 4;
        const entry entry = {segment->marks[i], segment->types[i], i + 1 < count, (uint16_t)words};
        if (words > UINT16_MAX)
            return false;
        kifu__build(blob, 0, &entry, sizeof entry, 4);
    }
    const uint32_t head = kifu__segment_head(count, rules->vtables_size).size;
    kifu__build(blob, 0, segment->bytes + head, segment->size - head, 4);
    return true;
}

// How many entries there are, and that what they say makes up the rest; 0: it does not.
static uint32_t count_entries(const unsigned char *bytes, uint32_t size)
{
    uint64_t needed = 0;
    entry entry = {.more = 1};
    uint32_t count = 0;
    for (; entry.more; count++) {
        if (size - count * sizeof entry < sizeof entry)
            return 0;
        memcpy(&entry, bytes + count * sizeof entry, sizeof entry);
        needed += sizeof entry + 4 * (uint64_t)entry.words;
    }
    return needed == size ? count : 0;
}

kifu_result kifu__unbrief(const void *from, uint32_t size, const void *vtables, uint32_t vtables_size,
                          uint32_t rules_version, kifu__blob *blob)
{
    const unsigned char *bytes = (const unsigned char *)from;
    const uint32_t count = count_entries(bytes, size);
    if (!count)
        return KIFU_DAMAGED;
    const kifu__head head = kifu__segment_head(count, vtables_size);
    const uint32_t entries = count * (uint32_t)sizeof(entry);
    kifu__build_anew(blob, blob->memory);
    kifu__build(blob, 0, NULL, (uint64_t)head.size + size - entries, 8);
    if (blob->result)
        return blob->result;
    unsigned char *to = blob->bytes;
    kifu__segment_begin(to, &head, vtables, vtables_size, rules_version);
    kifu__put32(to + head.marks - 4, count);
    kifu__put32(to + head.offsets - 4, count);
    kifu__put32(to + head.types - 4, count);
    uint32_t place = head.size;
    for (uint32_t i = 0; i < count; i++) {
        entry entry;
        memcpy(&entry, bytes + i * sizeof entry, sizeof entry);
        memcpy(to + head.marks + 4 * i, &entry.mark, sizeof entry.mark);
        kifu__put32(to + head.offsets + 4 * i, place - (head.offsets + 4 * i));
        to[head.types + i] = entry.type;
        place += 4 * entry.words;
    }
    memcpy(to + head.size, bytes + entries, size - entries);
    return KIFU_OK;
}
