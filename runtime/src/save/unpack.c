// Columns become segments again, part by part.

#include "save/columns.h"
#include "wire/buffer.h"

// A segment is made column by column, as they come from the source: of the columns, no more than one piece is in
// memory.
typedef struct unpacker {
    kifu__column_source *source;
    uint64_t at; // where the next bytes are
    const unsigned char *next;
    uint32_t left;                   // of those that lie together
    kifu_result result;              // of the source
    kifu__column_entry entries[256]; // by type
    uint32_t first[256]; // place of each type's first event, if all are sorted by type: first those with tails
    kifu__columns_head head;
    kifu__head segment;
    uint64_t most;        // bytes that the segment can have
    unsigned char *bytes; // the segment
    uint32_t end;
    uint32_t *places;    // sorted by type: for each event where something of it is in the segment,
    uint32_t *tails;     // and of those with tails the bytes of the tail
    uint32_t with_tails; // How many they are.
} unpacker;

// --- From the source -------------------------------------------------------------------------------------------------

static void go_to(unpacker *unpacker, uint64_t at)
{
    unpacker->at = at;
    unpacker->left = 0;
}

// How many of the next bytes lie together, at most `most`; 0: the source has failed. It moves behind them.
static uint32_t take(unpacker *unpacker, uint64_t most, const unsigned char **bytes)
{
    if (!unpacker->left && !unpacker->result)
        unpacker->result = unpacker->source->read(unpacker->source, unpacker->at, &unpacker->next, &unpacker->left);
    if (unpacker->result)
        return 0;
    const uint32_t count = most < unpacker->left ? (uint32_t)most : unpacker->left;
    *bytes = unpacker->next;
    unpacker->next += count;
    unpacker->left -= count;
    unpacker->at += count;
    return count;
}

static bool copy(unpacker *unpacker, void *to, uint64_t size)
{
    unsigned char *at = (unsigned char *)to;
    while (size) {
        const unsigned char *bytes;
        const uint32_t count = take(unpacker, size, &bytes);
        if (!count)
            return false;
        memcpy(at, bytes, count);
        at += count;
        size -= count;
    }
    return true;
}

// --- What there is ---------------------------------------------------------------------------------------------------

// One type's entry. `*at`: where its columns begin, and then those of the next type, if so much is there: 64 bits hold
// the sum, whatever the entries say.
static bool read_entry(unpacker *unpacker, uint32_t *last_type, uint64_t *at)
{
    kifu__column_entry entry = {.at = *at};
    if (!copy(unpacker, &entry, KIFU__COLUMNS_ENTRY) || entry.type <= *last_type ||
        (entry.align != 4 && entry.align != 8) || (entry.lanes != 1 && entry.lanes != 4) ||
        entry.flags > KIFU__ALL_FLAGS || entry.flags == KIFU__HAS_TABLES || !entry.size || entry.size % 4 ||
        entry.size > UINT16_MAX)
        return false;
    *at += kifu__columns_size(&entry);
    *last_type = entry.type;
    unpacker->entries[entry.type] = entry;
    unpacker->most += (uint64_t)entry.count * (entry.size + entry.align - 4) + entry.tails;
    if (entry.flags & KIFU__HAS_TAILS) {
        unpacker->first[entry.type] = unpacker->with_tails;
        unpacker->with_tails += entry.count;
    }
    return true;
}

// Reads the head and the entries, and whether all of it fits together. Next are the vtables.
static bool read_head(unpacker *unpacker)
{
    kifu__columns_head *head = &unpacker->head;
    const uint32_t size = unpacker->source->size;
    if (size < sizeof *head || !copy(unpacker, head, sizeof *head))
        return false;
    uint64_t at = sizeof *head + (uint64_t)head->types * KIFU__COLUMNS_ENTRY + head->vtables_size + head->count;
    uint32_t last_type = 0;
    if (at > size || head->vtables_size % 8)
        return false;
    for (uint32_t i = 0; i < head->types; i++) {
        if (!read_entry(unpacker, &last_type, &at))
            return false;
    }
    // The segment's head counts before its size is computed in 32 bits.
    unpacker->most += UINT64_C(64) + 9 * (uint64_t)head->count + head->vtables_size;
    return at == size && unpacker->most <= KIFU__MOST_BYTES;
}

// Reads the vtables, and the types of all events.
static bool begin_segment(unpacker *unpacker)
{
    const kifu__columns_head *columns = &unpacker->head;
    const kifu__head *head = &unpacker->segment;
    unsigned char *bytes = unpacker->bytes;
    memset(bytes + head->size, 0, (size_t)unpacker->most - head->size);
    kifu__segment_begin(bytes, head, bytes, 0, columns->rules_version);
    kifu__put32(bytes + head->marks - 4, columns->count);
    kifu__put32(bytes + head->offsets - 4, columns->count);
    kifu__put32(bytes + head->types - 4, columns->count);
    return copy(unpacker, bytes + head->vtables, columns->vtables_size) &&
           copy(unpacker, bytes + head->types, columns->count);
}

// --- Where events are ------------------------------------------------------------------------------------------------

// In words.
static bool read_tails(unpacker *unpacker, const kifu__column_entry *entry)
{
    uint32_t *tails = unpacker->tails + unpacker->first[entry->type];
    go_to(unpacker, kifu__column_tails(entry) - (uint64_t)KIFU__TAIL_BYTES * entry->count);
    for (uint32_t k = 0; k < KIFU__TAIL_BYTES; k++) {
        for (uint32_t i = 0; i < entry->count;) {
            const unsigned char *column;
            const uint32_t count = take(unpacker, entry->count - i, &column);
            if (!count)
                return false;
            for (uint32_t j = 0; j < count; j++)
                tails[i++] |= (uint32_t)column[j] << 8 * k;
        }
    }
    return true;
}

// Event `i` comes at the end.
static bool place_event(unpacker *unpacker, uint32_t i)
{
    const kifu__head *head = &unpacker->segment;
    kifu__column_entry *entry = &unpacker->entries[unpacker->bytes[head->types + i]];
    const uint32_t place = unpacker->first[entry->type] + entry->done;
    if (entry->done++ == entry->count)
        return false;
    uint64_t tail = 0;
    if (entry->flags & KIFU__HAS_TAILS) {
        tail = (uint64_t)unpacker->tails[place] * 4;
        if (tail > entry->tails - entry->tails_done)
            return false;
        unpacker->tails[place] = (uint32_t)tail;
        entry->tails_done += (uint32_t)tail;
    }
    if (entry->align == 8)
        unpacker->end = (unpacker->end + 7) & ~UINT32_C(7);
    const uint32_t offset = head->offsets + 4 * i;
    kifu__put32(unpacker->bytes + offset, unpacker->end - offset);
    unpacker->places[place] = 4 * i;
    unpacker->end += entry->size + (uint32_t)tail;
    return true;
}

// False, too, if the entries say other numbers of events, or lengths of tails.
static bool place_events(unpacker *unpacker)
{
    uint32_t flat = unpacker->with_tails;
    for (uint32_t type = 0; type < 256; type++) {
        const kifu__column_entry *entry = &unpacker->entries[type];
        if (entry->flags & KIFU__HAS_TAILS) {
            if (!read_tails(unpacker, entry))
                return false;
        } else {
            unpacker->first[type] = flat;
            flat += entry->count;
        }
    }
    if (flat != unpacker->head.count)
        return false;
    for (uint32_t i = 0; i < unpacker->head.count; i++) {
        if (!place_event(unpacker, i))
            return false;
    }
    for (uint32_t type = 0; type < 256; type++) {
        if (unpacker->entries[type].tails_done != unpacker->entries[type].tails)
            return false;
    }
    return true;
}

// --- What is in them -------------------------------------------------------------------------------------------------

// Columns, of which each has one byte of each event. What is 0 is there already.
static bool spread(unpacker *unpacker, const kifu__column_entry *entry, unsigned char *to, uint32_t columns)
{
    const uint32_t *places = unpacker->places + unpacker->first[entry->type];
    for (uint32_t k = 0; k < columns; k++) {
        for (uint32_t i = 0; i < entry->count;) {
            const unsigned char *column;
            const uint32_t count = take(unpacker, entry->count - i, &column);
            if (!count)
                return false;
            if (column[0] || memcmp(column, column + 1, count - 1) != 0) {
                for (uint32_t j = 0; j < count; j++)
                    to[places[i + j] + k] = column[j];
            }
            i += count;
        }
    }
    return true;
}

// The inverse of walk_vtable.
static void place_vtable(const unpacker *unpacker, uint32_t position)
{
    unsigned char *bytes = unpacker->bytes;
    uint32_t value = kifu__load32(bytes + position);
    if (value < UINT32_C(0x80000000))
        kifu__put32(bytes + position, position - (unpacker->segment.vtables + value));
}

// One lane of all tails, or the one that there is.
static bool spread_lane(unpacker *unpacker, const kifu__column_entry *entry, uint32_t lane)
{
    const uint32_t first = unpacker->first[entry->type];
    for (uint32_t i = first; i < first + entry->count; i++) {
        unsigned char *to = unpacker->bytes + unpacker->places[i] + entry->size;
        for (uint32_t k = lane; k < unpacker->tails[i];) {
            const unsigned char *bytes;
            const uint32_t count = take(unpacker, (unpacker->tails[i] - k + entry->lanes - 1) / entry->lanes, &bytes);
            if (!count)
                return false;
            for (uint32_t j = 0; j < count; j++, k += entry->lanes)
                to[k] = bytes[j];
        }
    }
    return true;
}

static bool place_tables(unpacker *unpacker, const kifu__column_entry *entry)
{
    const uint32_t first = unpacker->first[entry->type];
    for (uint32_t i = first; i < first + entry->count; i++) {
        uint32_t position = unpacker->places[i] + entry->size;
        for (uint32_t left = unpacker->tails[i] / 4; left;) {
            const unsigned char *words;
            const uint32_t count = take(unpacker, left, &words);
            if (!count)
                return false;
            for (uint32_t j = 0; j < count; j++, position += 4) {
                if (words[j])
                    place_vtable(unpacker, position);
            }
            left -= count;
        }
    }
    return true;
}

static bool unpack_type(unpacker *unpacker, const kifu__column_entry *entry)
{
    unsigned char *bytes = unpacker->bytes;
    uint32_t *places = unpacker->places + unpacker->first[entry->type];
    go_to(unpacker, entry->at);
    if (!spread(unpacker, entry, bytes + unpacker->segment.marks, KIFU__MARK_BYTES))
        return false;
    for (uint32_t i = 0; i < entry->count; i++) {
        const uint32_t offset = unpacker->segment.offsets + places[i];
        places[i] = offset + kifu__load32(bytes + offset);
    }
    if (!spread(unpacker, entry, bytes, entry->size))
        return false;
    for (uint32_t i = 0; i < entry->count; i++)
        place_vtable(unpacker, places[i]);
    if (!(entry->flags & KIFU__HAS_TAILS))
        return true;
    go_to(unpacker, kifu__column_tails(entry));
    for (uint32_t lane = 0; lane < entry->lanes; lane++) {
        if (!spread_lane(unpacker, entry, lane))
            return false;
    }
    return !(entry->flags & KIFU__HAS_TABLES) || place_tables(unpacker, entry);
}

static bool unpack_types(unpacker *unpacker)
{
    for (uint32_t type = 0; type < 256; type++) {
        if (unpacker->entries[type].count && !unpack_type(unpacker, &unpacker->entries[type]))
            return false;
    }
    return true;
}

// --- All of it -------------------------------------------------------------------------------------------------------

static kifu_result unpack(unpacker *unpacker, const kifu__memory *memory, const char **reason)
{
    *reason = "its columns have impossible sizes";
    if (!read_head(unpacker))
        return KIFU_DAMAGED;
    const uint32_t count = unpacker->head.count;
    const size_t room = ((size_t)count + unpacker->with_tails) * sizeof *unpacker->places;
    unpacker->segment = kifu__segment_head(count, unpacker->head.vtables_size);
    unpacker->end = unpacker->segment.size;
    unpacker->bytes = (unsigned char *)kifu__new(memory, (size_t)unpacker->most);
    unpacker->places = (uint32_t *)kifu__new(memory, room + 1);
    if (!unpacker->bytes || !unpacker->places)
        return KIFU_NO_MEMORY;
    memset(unpacker->places, 0, room);
    unpacker->tails = unpacker->places + count;
    *reason = "its columns have other lengths than its events";
    return begin_segment(unpacker) && place_events(unpacker) && unpack_types(unpacker) ? KIFU_OK : KIFU_DAMAGED;
}

kifu_result kifu__unpack_from(kifu__column_source *source, const kifu__memory *memory, unsigned char **bytes,
                              uint32_t *bytes_size, const char **reason)
{
    unpacker unpacker = {.source = source};
    kifu_result result = unpack(&unpacker, memory, reason);
    if (unpacker.result) {
        result = unpacker.result;
        *reason = "its codec cannot unpack it";
    }
    kifu__free(memory, unpacker.places);
    if (result) {
        kifu__free(memory, unpacker.bytes);
        unpacker.bytes = NULL;
    }
    *bytes = unpacker.bytes;
    *bytes_size = unpacker.end;
    return result;
}

typedef struct whole {
    kifu__column_source source;
    const unsigned char *columns;
} whole;

static kifu_result read_whole(kifu__column_source *source, uint64_t at, const unsigned char **bytes, uint32_t *size)
{
    *bytes = ((whole *)source)->columns + at;
    *size = source->size - (uint32_t)at;
    return KIFU_OK;
}

kifu_result kifu__unpack(const unsigned char *columns, uint32_t size, const kifu__memory *memory, unsigned char **bytes,
                         uint32_t *bytes_size, const char **reason)
{
    whole whole = {{size, read_whole}, columns};
    return kifu__unpack_from(&whole.source, memory, bytes, bytes_size, reason);
}
