#include "save/columns.h"
#include "wire/buffer.h"

typedef struct unpacker {
    const unsigned char *columns;
    uint32_t size;
    kifu__column_entry entries[256]; // by type
    kifu__columns_head head;
    const unsigned char *vtables;
    const unsigned char *types;
    kifu__head segment;
    uint64_t most; // bytes that the segment can have
} unpacker;

// One type's entry. `*at`: where its columns begin, and then those of the next type, if so much is there: 64 bits hold
// the sum, whatever the entries say.
static bool read_entry(unpacker *unpacker, const unsigned char *bytes, uint32_t *last_type, uint64_t *at)
{
    kifu__column_entry entry = {.at = *at};
    memcpy(&entry, bytes, KIFU__COLUMNS_ENTRY);
    if (entry.type <= *last_type || (entry.align != 4 && entry.align != 8) || (entry.lanes != 1 && entry.lanes != 4) ||
        entry.flags > KIFU__ALL_FLAGS || entry.flags == KIFU__HAS_TABLES || !entry.size || entry.size % 4 ||
        entry.size > UINT16_MAX)
        return false;
    *at += kifu__columns_size(&entry);
    *last_type = entry.type;
    unpacker->entries[entry.type] = entry;
    unpacker->most += (uint64_t)entry.count * (entry.size + entry.align - 4) + entry.tails;
    return true;
}

// Reads everything but the columns, and whether all of it fits together.
static bool read_head(unpacker *unpacker)
{
    const kifu__columns_head *head = &unpacker->head;
    if (unpacker->size < sizeof *head)
        return false;
    memcpy(&unpacker->head, unpacker->columns, sizeof *head);
    const uint64_t vtables = sizeof *head + (uint64_t)head->types * KIFU__COLUMNS_ENTRY;
    const uint64_t types = vtables + head->vtables_size;
    uint64_t at = types + head->count;
    uint32_t last_type = 0;
    if (at > unpacker->size || head->vtables_size % 8)
        return false;
    for (const unsigned char *entry = unpacker->columns + sizeof *head; entry < unpacker->columns + vtables;
         entry += KIFU__COLUMNS_ENTRY) {
        if (!read_entry(unpacker, entry, &last_type, &at))
            return false;
    }
    unpacker->vtables = unpacker->columns + vtables;
    unpacker->types = unpacker->columns + types;
    // The segment's head counts before its size is computed in 32 bits.
    unpacker->most += UINT64_C(64) + 9 * (uint64_t)head->count + head->vtables_size;
    return at == unpacker->size;
}

// The inverse of walk_vtable.
static void place_vtable(const unpacker *unpacker, unsigned char *bytes, uint32_t position)
{
    uint32_t value = kifu__load32(bytes + position);
    if (value < UINT32_C(0x80000000))
        kifu__put32(bytes + position, position - (unpacker->segment.vtables + value));
}

// Adds the next event of a type, of which there is one, at `*end`, which moves behind it. False: no such tail is left.
static bool unpack_event(unpacker *unpacker, kifu__column_entry *entry, unsigned char *bytes, uint32_t *end,
                         kifu__mark *mark)
{
    const unsigned char *column = unpacker->columns + entry->at + entry->done++;
    unsigned char words[4];
    for (uint32_t k = 0; k < KIFU__MARK_BYTES; k++, column += entry->count)
        words[k] = *column;
    memcpy(mark, words, sizeof words);
    unsigned char *event = bytes + *end;
    for (uint32_t k = 0; k < entry->size; k++, column += entry->count)
        event[k] = *column;
    place_vtable(unpacker, bytes, *end);
    *end += entry->size;
    if (!(entry->flags & KIFU__HAS_TAILS))
        return true;

    for (uint32_t k = 0; k < KIFU__TAIL_BYTES; k++, column += entry->count)
        words[k] = *column;
    const uint32_t tail = kifu__load32(words) * 4;
    if (kifu__load32(words) > (entry->tails - entry->tails_done) / 4)
        return false;
    for (uint32_t lane = 0; lane < entry->lanes; lane++) {
        const unsigned char *from = unpacker->columns + kifu__column_lane(entry, lane);
        for (uint32_t k = lane; k < tail; k += entry->lanes)
            bytes[*end + k] = *from++;
    }
    const unsigned char *tables = unpacker->columns + kifu__column_tables(entry);
    for (uint32_t k = 0; entry->flags & KIFU__HAS_TABLES && k < tail / 4; k++) {
        if (tables[k])
            place_vtable(unpacker, bytes, *end + 4 * k);
    }
    entry->tails_done += tail;
    *end += tail;
    return true;
}

static bool unpack(unpacker *unpacker, unsigned char *bytes, uint32_t *end)
{
    const kifu__head *head = &unpacker->segment;
    const uint32_t count = unpacker->head.count;
    kifu__segment_begin(bytes, head, unpacker->vtables, unpacker->head.vtables_size, unpacker->head.rules_version);
    kifu__put32(bytes + head->marks - 4, count);
    kifu__put32(bytes + head->offsets - 4, count);
    kifu__put32(bytes + head->types - 4, count);
    memcpy(bytes + head->types, unpacker->types, count);
    *end = head->size;
    for (uint32_t i = 0; i < count; i++) {
        kifu__column_entry *entry = &unpacker->entries[unpacker->types[i]];
        kifu__mark mark;
        if (entry->done == entry->count)
            return false;
        if (entry->align == 8 && *end % 8) {
            kifu__put32(bytes + *end, 0);
            *end += 4;
        }
        uint32_t offset = head->offsets + 4 * i;
        kifu__put32(bytes + offset, *end - offset);
        if (!unpack_event(unpacker, entry, bytes, end, &mark))
            return false;
        memcpy(bytes + head->marks + 4 * (size_t)i, &mark, sizeof mark);
    }
    for (uint32_t type = 0; type < 256; type++) {
        const kifu__column_entry *entry = &unpacker->entries[type];
        if (entry->done != entry->count || entry->tails_done != entry->tails)
            return false;
    }
    return true;
}

kifu_result kifu__unpack(const unsigned char *columns, uint32_t size, const kifu__memory *memory, unsigned char **bytes,
                         uint32_t *bytes_size, const char **reason)
{
    unpacker unpacker = {.columns = columns, .size = size};
    *bytes = NULL;
    *reason = "its columns have impossible sizes";
    if (!read_head(&unpacker) || unpacker.most > KIFU__MOST_BYTES)
        return KIFU_DAMAGED;
    unpacker.segment = kifu__segment_head(unpacker.head.count, unpacker.head.vtables_size);
    *bytes = (unsigned char *)kifu__new(memory, (size_t)unpacker.most);
    if (!*bytes)
        return KIFU_NO_MEMORY;
    if (unpack(&unpacker, *bytes, bytes_size))
        return KIFU_OK;
    kifu__free(memory, *bytes);
    *bytes = NULL;
    *reason = "its columns have other lengths than its events";
    return KIFU_DAMAGED;
}
