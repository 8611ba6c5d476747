#include "save/pack.h"

#include "wire/buffer.h"

// Columns:
//
//     0   count of events, rules version, bytes of vtables, count of types
//    16   the types that there are: 16 bytes each
//         the vtable block
//         a type for each event
//         for each type, of its n events: n bytes for each byte of the mark; n for each byte of the table's inline
//         part, the offset of the vtable replaced; and where the type has tails: n for each byte of the tail's length
//         in words, all tails, and where there are nested tables: a byte for each word of the tails
enum { HEAD = 16, ENTRY = 16, MARK = 4, TAIL_WORDS = 4 };

// What is in an event behind its table's inline part: strings, vectors, nested tables, vtables of its own.
enum { HAS_TAILS = 1, HAS_TABLES = 2, ALL_FLAGS = 3 };

// A column of so many bytes gets a part of its own: only then does a compressor see that it is unlike its neighbours.
enum { OWN_PART = 1024 };

// One type, when packing and when unpacking.
typedef struct strand {
    uint32_t type;
    uint32_t align; // of its events: 4 or 8
    uint32_t lanes; // byte k of a tail goes to lane k % lanes
    uint32_t flags;
    uint32_t size;  // of a table's inline part
    uint32_t count; // of events
    uint64_t tails; // bytes of all tails
    uint64_t at;    // where its columns begin
    uint32_t done;  // events so far
    uint64_t tails_done;
} strand;

// Rows of one byte for each event.
static uint32_t column_count(const strand *strand)
{
    return MARK + strand->size + (strand->flags & HAS_TAILS ? TAIL_WORDS : 0);
}

// Bytes of everything that a type has.
static uint64_t extent_of(const strand *strand)
{
    uint64_t tables = strand->flags & HAS_TABLES ? strand->tails / 4 : 0;
    return (uint64_t)strand->count * column_count(strand) + strand->tails + tables;
}

static uint64_t tails_of(const strand *strand)
{
    return strand->at + (uint64_t)strand->count * column_count(strand);
}

// Where the next tail's bytes of one lane begin.
static uint64_t lane_of(const strand *strand, uint32_t lane)
{
    return tails_of(strand) + lane * (strand->tails / strand->lanes) + strand->tails_done / strand->lanes;
}

// Where the next tail's words are told apart.
static uint64_t tables_of(const strand *strand)
{
    return tails_of(strand) + strand->tails + strand->tails_done / 4;
}

static void put32(unsigned char *bytes, uint32_t value)
{
    memcpy(bytes, &value, sizeof value);
}

static uint64_t align_up(uint64_t position, uint32_t alignment)
{
    return (position + alignment - 1) & ~(uint64_t)(alignment - 1);
}

// --- What an event consists of ---------------------------------------------------------------------------------------

// The bytes of one event in its segment. Their meaning is verified; where they lie is not.
typedef struct event {
    const kifu_rules *rules;
    const unsigned char *bytes; // the segment's
    uint32_t start, limit;      // it must lie here
    uint32_t end;               // it does up to here
    unsigned char *words;       // NULL, or its copy, in which offsets of vtables are replaced,
    unsigned char *tables;      // and a byte for each word: whether it is one
    bool good;
} event;

static void reach(event *event, uint64_t end)
{
    if (end > event->limit)
        event->good = false;
    else if (end > event->end)
        event->end = (uint32_t)end;
}

static void walk_string(event *event, uint32_t position)
{
    reach(event, (uint64_t)position + 4 + kifu__load32(event->bytes + position) + 1);
}

// The compiled vtable becomes its place in the block; any other is told by its distance from the table, which is
// negative, for it must lie behind.
static void walk_vtable(event *event, const kifu__table *table, uint32_t position)
{
    uint32_t at = kifu__vtable_of(event->bytes, position);
    const unsigned char *vtable = event->bytes + at;
    uint32_t size = kifu__load16(vtable), value = position - at;
    if (size == table->vtable[0] && !memcmp(vtable, table->vtable, size))
        value = (uint32_t)(table->vtable - event->rules->vtables) * 2;
    else if (at > position && at < event->limit)
        reach(event, (uint64_t)at + size);
    else
        event->good = false;
    if (event->words) {
        put32(event->words + (position - event->start), value);
        event->tables[(position - event->start) / 4] = 1;
    }
}

static void walk_table(event *event, const kifu__table *table, uint32_t position);

static void walk_references(event *event, const kifu__field *field, uint32_t vector)
{
    uint32_t count = kifu__load32(event->bytes + vector);
    reach(event, (uint64_t)vector + 4 + 4 * (uint64_t)count);
    for (uint32_t i = 0; i < count && event->good; i++) {
        uint32_t element = kifu__target(event->bytes, vector + 4 + 4 * i);
        if (field->table)
            walk_table(event, field->table, element);
        else
            walk_string(event, element);
    }
}

static void walk_table(event *event, const kifu__table *table, uint32_t position)
{
    reach(event, (uint64_t)position + table->size);
    if (event->good)
        walk_vtable(event, table, position);
    for (uint32_t id = 0; id < table->field_count && event->good; id++) {
        const kifu__field *field = &table->fields[id];
        uint32_t place = position + field->offset;
        if (!field->offset || !kifu__is_reference(field) || !kifu__load32(event->bytes + place))
            continue;
        uint32_t target = kifu__target(event->bytes, place);
        if (field->kind == KIFU__STRING)
            walk_string(event, target);
        else if (field->kind == KIFU__VECTOR)
            reach(event, (uint64_t)target + 4 + (uint64_t)kifu__load32(event->bytes + target) * field->size);
        else if (field->kind == KIFU__TABLE)
            walk_table(event, field->table, target);
        else
            walk_references(event, field, target);
    }
}

static uint32_t position_of(const kifu__segment *segment, uint32_t index)
{
    return (uint32_t)((const unsigned char *)kifu__segment_table(segment, index) - segment->bytes);
}

// One event, not walked yet.
static event begin(const kifu_rules *rules, const kifu__segment *segment, uint32_t index)
{
    event event = {.rules = rules, .bytes = segment->bytes, .start = position_of(segment, index)};
    event.limit = index + 1 < segment->count ? position_of(segment, index + 1) : segment->size;
    event.end = event.start;
    event.good = event.limit >= event.start && event.start % rules->types[segment->types[index]].table->align == 0;
    return event;
}

// Looks at one event; `good` says whether it can be packed.
static event look(const kifu_rules *rules, const kifu__segment *segment, uint32_t index)
{
    event event = begin(rules, segment, index);
    if (event.good)
        walk_table(&event, rules->types[segment->types[index]].table, event.start);
    reach(&event, align_up(event.end, 4));
    return event;
}

bool kifu__is_packable(const kifu_rules *rules, const kifu__segment *segment)
{
    for (uint32_t i = 0; i < segment->count; i++) {
        if (!look(rules, segment, i).good)
            return false;
    }
    return true;
}

// --- Packing ---------------------------------------------------------------------------------------------------------

typedef struct packer {
    const kifu_rules *rules;
    const kifu__memory *memory;
    kifu__columns *columns;
    strand strands[256];  // by type
    uint32_t count;       // of events
    uint32_t most;        // bytes of the longest event
    unsigned char *words; // room for one event
    unsigned char *tables;
} packer;

// Whether `table` leads to other tables, and, not too far away, to bytes: strings, or vectors of them.
static void find_content(const kifu__table *table, uint32_t depth, bool *tables, bool *bytes)
{
    for (uint32_t id = 0; id < table->field_count; id++) {
        const kifu__field *field = &table->fields[id];
        if (!field->offset || !kifu__is_reference(field))
            continue;
        *bytes = *bytes || field->kind == KIFU__STRING || field->kind == KIFU__STRING_VECTOR ||
                 (field->kind == KIFU__VECTOR && field->size == 1);
        *tables = *tables || field->table;
        if (field->table && depth) // a table may lead to itself
            find_content(field->table, depth - 1, tables, bytes);
    }
}

static void begin_strand(packer *packer, uint32_t type)
{
    const kifu__table *table = packer->rules->types[type].table;
    bool tables = false, bytes = false;
    find_content(table, 2, &tables, &bytes);
    packer->strands[type] = (strand){
        .type = type,
        .align = table->align,
        .lanes = bytes ? 1 : 4,
        .flags = (table->flat ? 0 : HAS_TAILS) | (tables ? HAS_TABLES : 0),
        .size = table->size,
    };
}

// Bytes of an event, of which only the table's inline part has always the same.
static uint32_t size_of(const packer *packer, const strand *strand, const kifu__segment *segment, uint32_t index)
{
    if (!(strand->flags & HAS_TAILS))
        return strand->size;
    event event = look(packer->rules, segment, index);
    return (uint32_t)align_up(event.end, 4) - event.start;
}

static void measure(packer *packer, const kifu__segment *segment)
{
    for (uint32_t i = 0; i < segment->count; i++) {
        uint32_t type = segment->types[i];
        strand *strand = &packer->strands[type];
        if (!strand->count)
            begin_strand(packer, type);
        strand->count++;
        uint32_t size = size_of(packer, strand, segment, i);
        strand->tails += size - strand->size;
        packer->most = size > packer->most ? size : packer->most;
    }
    packer->count += segment->count;
}

static void pack_event(packer *packer, const kifu__segment *segment, uint32_t index)
{
    uint32_t type = segment->types[index];
    strand *strand = &packer->strands[type];
    unsigned char *bytes = packer->columns->bytes;
    unsigned char *column = bytes + strand->at + strand->done++;
    unsigned char mark[MARK], length[TAIL_WORDS];
    memcpy(mark, &segment->marks[index], sizeof mark);
    for (uint32_t k = 0; k < MARK; k++, column += strand->count)
        *column = mark[k];

    event event = begin(packer->rules, segment, index);
    uint32_t size = size_of(packer, strand, segment, index);
    memcpy(packer->words, segment->bytes + event.start, size);
    memset(packer->tables, 0, size / 4);
    event.words = packer->words;
    event.tables = packer->tables;
    walk_table(&event, packer->rules->types[type].table, event.start);
    for (uint32_t k = 0; k < strand->size; k++, column += strand->count)
        *column = packer->words[k];
    if (!(strand->flags & HAS_TAILS))
        return;

    uint32_t tail = size - strand->size;
    put32(length, tail / 4);
    for (uint32_t k = 0; k < TAIL_WORDS; k++, column += strand->count)
        *column = length[k];
    for (uint32_t lane = 0; lane < strand->lanes; lane++) {
        unsigned char *to = bytes + lane_of(strand, lane);
        for (uint32_t k = lane; k < tail; k += strand->lanes)
            *to++ = packer->words[strand->size + k];
    }
    if (strand->flags & HAS_TABLES)
        memcpy(bytes + tables_of(strand), packer->tables + strand->size / 4, tail / 4);
    strand->tails_done += tail;
}

// Writes everything but the columns, and finds out where these begin.
static kifu_result write_head(packer *packer)
{
    const kifu_rules *rules = packer->rules;
    uint32_t kinds = 0;
    uint64_t size = HEAD;
    for (uint32_t type = 1; type <= rules->type_count; type++)
        kinds += packer->strands[type].count != 0;
    size += (uint64_t)kinds * ENTRY + rules->vtables_size + packer->count;
    for (uint32_t type = 1; type <= rules->type_count; type++) {
        packer->strands[type].at = size;
        if (packer->strands[type].count)
            size += extent_of(&packer->strands[type]);
    }
    if (size > KIFU__MOST_BYTES)
        return KIFU_TOO_LARGE;
    unsigned char *at = (unsigned char *)kifu__new(packer->memory, (size_t)size);
    packer->columns->bytes = at;
    packer->columns->size = (uint32_t)size;
    packer->words = (unsigned char *)kifu__new(packer->memory, packer->most);
    packer->tables = (unsigned char *)kifu__new(packer->memory, packer->most / 4);
    if (!at || !packer->words || !packer->tables)
        return KIFU_NO_MEMORY;
    put32(at, packer->count);
    put32(at + 8, rules->vtables_size);
    put32(at + 12, kinds);
    at += HEAD;
    for (uint32_t type = 1; type <= rules->type_count; type++) {
        const strand *strand = &packer->strands[type];
        if (!strand->count)
            continue;
        at[0] = (unsigned char)type;
        at[1] = (unsigned char)strand->align;
        at[2] = (unsigned char)strand->lanes;
        at[3] = (unsigned char)strand->flags;
        put32(at + 4, strand->size);
        put32(at + 8, strand->count);
        put32(at + 12, (uint32_t)strand->tails);
        at += ENTRY;
    }
    memcpy(at, rules->vtables, rules->vtables_size);
    return KIFU_OK;
}

// --- Parts -----------------------------------------------------------------------------------------------------------

// Ends a part `size` bytes behind the last one.
static kifu_result cut(packer *packer, uint64_t *open)
{
    kifu__columns *columns = packer->columns;
    if (!*open)
        return KIFU_OK;
    uint32_t *parts = (uint32_t *)kifu__grow(packer->memory, columns->parts, &columns->part_capacity,
                                             (uint64_t)columns->part_count + 1, sizeof *parts);
    if (!parts)
        return KIFU_NO_MEMORY;
    columns->parts = parts;
    parts[columns->part_count++] = (uint32_t)*open;
    *open = 0;
    return KIFU_OK;
}

// `size` bytes of one kind follow. `*open`: bytes since the last cut.
static kifu_result add_column(packer *packer, const unsigned char **at, uint64_t size, uint64_t *open)
{
    const unsigned char *bytes = *at;
    *at += size;
    bool alone = size >= OWN_PART && memcmp(bytes, bytes + 1, (size_t)size - 1) != 0; // not all are the same
    kifu_result result = alone ? cut(packer, open) : KIFU_OK;
    *open += size;
    return result || !alone ? result : cut(packer, open);
}

static kifu_result cut_parts(packer *packer, uint64_t head)
{
    const unsigned char *at = packer->columns->bytes;
    uint64_t open = 0;
    kifu_result result = add_column(packer, &at, head, &open);
    if (!result)
        result = add_column(packer, &at, packer->count, &open);
    for (uint32_t type = 1; type <= packer->rules->type_count && !result; type++) {
        const strand *strand = &packer->strands[type];
        for (uint32_t k = 0; strand->count && k < column_count(strand) && !result; k++)
            result = add_column(packer, &at, strand->count, &open);
        for (uint32_t k = 0; k < strand->lanes && !result; k++)
            result = add_column(packer, &at, strand->tails / strand->lanes, &open);
        if (strand->flags & HAS_TABLES && !result)
            result = add_column(packer, &at, strand->tails / 4, &open);
    }
    return result ? result : cut(packer, &open);
}

void kifu__columns_free(kifu__columns *columns, const kifu__memory *memory)
{
    kifu__free(memory, columns->bytes);
    kifu__free(memory, columns->parts);
    *columns = (kifu__columns){0};
}

static kifu_result pack(packer *packer, const kifu__segment *segments, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        measure(packer, &segments[i]);
    kifu_result result = write_head(packer);
    if (result)
        return result;
    unsigned char *bytes = packer->columns->bytes;
    uint32_t kinds = kifu__load32(bytes + 12);
    uint64_t head = HEAD + (uint64_t)kinds * ENTRY + packer->rules->vtables_size;
    unsigned char *types = bytes + head;
    put32(bytes + 4, count ? segments[0].rules_version : 0);
    for (uint32_t i = 0; i < count; i++) {
        memcpy(types, segments[i].types, segments[i].count);
        types += segments[i].count;
        for (uint32_t k = 0; k < segments[i].count; k++)
            pack_event(packer, &segments[i], k);
    }
    return cut_parts(packer, head);
}

kifu_result kifu__pack(const kifu_rules *rules, const kifu__segment *segments, uint32_t count,
                       const kifu__memory *memory, kifu__columns *columns)
{
    *columns = (kifu__columns){0};
    packer packer = {.rules = rules, .memory = memory, .columns = columns};
    kifu_result result = pack(&packer, segments, count);
    kifu__free(memory, packer.words);
    kifu__free(memory, packer.tables);
    if (result)
        kifu__columns_free(columns, memory);
    return result;
}

// --- Unpacking -------------------------------------------------------------------------------------------------------

typedef struct unpacker {
    const unsigned char *columns;
    uint32_t size;
    strand strands[256]; // by type
    uint32_t count;
    uint32_t vtables_size;
    const unsigned char *vtables;
    const unsigned char *types;
    kifu__head head;
    uint64_t most; // bytes that the segment can have
} unpacker;

// One type's entry. `*at`: where its columns begin, and then those of the next type, if so much is there: 64 bits hold
// the sum, whatever the entries say.
static bool read_entry(unpacker *unpacker, const unsigned char *entry, uint32_t *last_type, uint64_t *at)
{
    strand strand = {
        .type = entry[0],
        .align = entry[1],
        .lanes = entry[2],
        .flags = entry[3],
        .size = kifu__load32(entry + 4),
        .count = kifu__load32(entry + 8),
        .tails = kifu__load32(entry + 12),
        .at = *at,
    };
    if (strand.type <= *last_type || (strand.align != 4 && strand.align != 8) ||
        (strand.lanes != 1 && strand.lanes != 4) || strand.flags > ALL_FLAGS || strand.flags == HAS_TABLES ||
        strand.size < 4 || strand.size % 4 || strand.size > UINT16_MAX)
        return false;
    *at += extent_of(&strand);
    *last_type = strand.type;
    unpacker->strands[strand.type] = strand;
    unpacker->most += (uint64_t)strand.count * (strand.size + strand.align - 4) + strand.tails;
    return true;
}

// Reads everything but the columns, and whether all of it fits together.
static bool read_head(unpacker *unpacker)
{
    const unsigned char *columns = unpacker->columns;
    if (unpacker->size < HEAD)
        return false;
    unpacker->count = kifu__load32(columns);
    unpacker->vtables_size = kifu__load32(columns + 8);
    uint32_t kinds = kifu__load32(columns + 12), last_type = 0;
    uint64_t vtables = HEAD + (uint64_t)kinds * ENTRY;
    uint64_t types = vtables + unpacker->vtables_size;
    uint64_t at = types + unpacker->count;
    if (at > unpacker->size || unpacker->vtables_size % 8)
        return false;
    for (uint32_t i = 0; i < kinds; i++) {
        if (!read_entry(unpacker, columns + HEAD + (size_t)i * ENTRY, &last_type, &at))
            return false;
    }
    unpacker->vtables = columns + vtables;
    unpacker->types = columns + types;
    // The head's own size counts before it is computed in 32 bits.
    unpacker->most += UINT64_C(64) + 9 * (uint64_t)unpacker->count + unpacker->vtables_size;
    return at == unpacker->size;
}

// The inverse of walk_vtable.
static void place_vtable(const unpacker *unpacker, unsigned char *bytes, uint32_t position)
{
    uint32_t value = kifu__load32(bytes + position);
    if (value < UINT32_C(0x80000000))
        put32(bytes + position, position - (unpacker->head.vtables + value));
}

// Adds the next event of a type, of which there is one, at `*end`, which moves behind it. False: no such tail is left.
static bool unpack_event(unpacker *unpacker, strand *strand, unsigned char *bytes, uint32_t *end, kifu__mark *mark)
{
    const unsigned char *column = unpacker->columns + strand->at + strand->done++;
    unsigned char words[4];
    for (uint32_t k = 0; k < MARK; k++, column += strand->count)
        words[k] = *column;
    memcpy(mark, words, sizeof words);
    unsigned char *event = bytes + *end;
    for (uint32_t k = 0; k < strand->size; k++, column += strand->count)
        event[k] = *column;
    place_vtable(unpacker, bytes, *end);
    *end += strand->size;
    if (!(strand->flags & HAS_TAILS))
        return true;

    for (uint32_t k = 0; k < TAIL_WORDS; k++, column += strand->count)
        words[k] = *column;
    uint64_t tail = (uint64_t)kifu__load32(words) * 4;
    if (tail > strand->tails - strand->tails_done)
        return false;
    for (uint32_t lane = 0; lane < strand->lanes; lane++) {
        const unsigned char *from = unpacker->columns + lane_of(strand, lane);
        for (uint32_t k = lane; k < tail; k += strand->lanes)
            bytes[*end + k] = *from++;
    }
    const unsigned char *tables = unpacker->columns + tables_of(strand);
    for (uint32_t k = 0; strand->flags & HAS_TABLES && k < tail / 4; k++) {
        if (tables[k])
            place_vtable(unpacker, bytes, *end + 4 * k);
    }
    strand->tails_done += tail;
    *end += (uint32_t)tail;
    return true;
}

static bool unpack(unpacker *unpacker, unsigned char *bytes, uint32_t *end)
{
    const kifu__head *head = &unpacker->head;
    uint32_t count = unpacker->count;
    kifu__segment_begin(bytes, head, unpacker->vtables, unpacker->vtables_size, kifu__load32(unpacker->columns + 4));
    put32(bytes + head->marks - 4, count);
    put32(bytes + head->offsets - 4, count);
    put32(bytes + head->types - 4, count);
    memcpy(bytes + head->types, unpacker->types, count);
    *end = head->size;
    for (uint32_t i = 0; i < count; i++) {
        strand *strand = &unpacker->strands[unpacker->types[i]];
        kifu__mark mark;
        if (strand->done == strand->count)
            return false;
        if (strand->align == 8 && *end % 8) {
            put32(bytes + *end, 0);
            *end += 4;
        }
        uint32_t offset = head->offsets + 4 * i;
        put32(bytes + offset, *end - offset);
        if (!unpack_event(unpacker, strand, bytes, end, &mark))
            return false;
        memcpy(bytes + head->marks + 4 * (size_t)i, &mark, sizeof mark);
    }
    for (uint32_t type = 0; type < 256; type++) {
        const strand *strand = &unpacker->strands[type];
        if (strand->done != strand->count || strand->tails_done != strand->tails)
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
    unpacker.head = kifu__segment_head(unpacker.count, unpacker.vtables_size);
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
