// Segments become columns.

#include "save/columns.h"
#include "wire/buffer.h"

// A column of so many bytes gets a part of its own: only then does a compressor see that it is unlike its neighbours.
enum { OWN_PART = 1024 };

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
        kifu__put32(event->words + (position - event->start), value);
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
    kifu__column_entry entries[256]; // by type
    kifu__columns_head head;
    uint32_t most;        // bytes of the longest event
    unsigned char *words; // room for one event
    unsigned char *tables;
    uint64_t types; // where the types of all events begin
    uint64_t open;  // bytes since the last part ended
} packer;

// Whether `table` leads to other tables, and, not too far away, to bytes: strings, or vectors of them.
static void find_content(const kifu__table *table, uint32_t depth, bool *tables, bool *bytes)
{
    for (uint32_t id = 0; id < table->field_count; id++) {
        const kifu__field *field = &table->fields[id];
        if (!field->offset)
            continue;
        *bytes = *bytes || field->kind == KIFU__STRING || field->kind == KIFU__STRING_VECTOR ||
                 (field->kind == KIFU__VECTOR && field->size == 1);
        *tables = *tables || field->table;
        if (field->table && depth) // a table may lead to itself
            find_content(field->table, depth - 1, tables, bytes);
    }
}

static void begin_entry(packer *packer, uint32_t type)
{
    const kifu__table *table = packer->rules->types[type].table;
    bool tables = false, bytes = false;
    find_content(table, 2, &tables, &bytes);
    packer->entries[type] = (kifu__column_entry){
        .type = (uint8_t)type,
        .align = table->align,
        .lanes = bytes ? 1 : 4,
        .flags = (table->flat ? 0 : KIFU__HAS_TAILS) | (tables ? KIFU__HAS_TABLES : 0),
        .size = table->size,
    };
    packer->head.types++;
}

// Bytes of an event, of which only the table's inline part has always the same.
static uint32_t size_of(const packer *packer, const kifu__column_entry *entry, const kifu__segment *segment,
                        uint32_t index)
{
    if (!(entry->flags & KIFU__HAS_TAILS))
        return entry->size;
    event event = look(packer->rules, segment, index);
    return (uint32_t)align_up(event.end, 4) - event.start;
}

static void measure(packer *packer, const kifu__segment *segment)
{
    for (uint32_t i = 0; i < segment->count; i++) {
        uint32_t type = segment->types[i];
        kifu__column_entry *entry = &packer->entries[type];
        if (!entry->count)
            begin_entry(packer, type);
        entry->count++;
        uint32_t size = size_of(packer, entry, segment, i);
        entry->tails += size - entry->size;
        packer->most = size > packer->most ? size : packer->most;
    }
    packer->head.count += segment->count;
}

static void pack_event(packer *packer, const kifu__segment *segment, uint32_t index)
{
    uint32_t type = segment->types[index];
    kifu__column_entry *entry = &packer->entries[type];
    unsigned char *bytes = packer->columns->bytes;
    unsigned char *column = bytes + entry->at + entry->done++;
    unsigned char mark[KIFU__MARK_BYTES], length[KIFU__TAIL_BYTES];
    memcpy(mark, &segment->marks[index], sizeof mark);
    for (uint32_t k = 0; k < KIFU__MARK_BYTES; k++, column += entry->count)
        *column = mark[k];

    event event = begin(packer->rules, segment, index);
    uint32_t size = size_of(packer, entry, segment, index);
    memcpy(packer->words, segment->bytes + event.start, size);
    memset(packer->tables, 0, size / 4);
    event.words = packer->words;
    event.tables = packer->tables;
    walk_table(&event, packer->rules->types[type].table, event.start);
    for (uint32_t k = 0; k < entry->size; k++, column += entry->count)
        *column = packer->words[k];
    if (!(entry->flags & KIFU__HAS_TAILS))
        return;

    uint32_t tail = size - entry->size;
    kifu__put32(length, tail / 4);
    for (uint32_t k = 0; k < KIFU__TAIL_BYTES; k++, column += entry->count)
        *column = length[k];
    for (uint32_t lane = 0; lane < entry->lanes; lane++) {
        unsigned char *to = bytes + kifu__column_lane(entry, lane);
        for (uint32_t k = lane; k < tail; k += entry->lanes)
            *to++ = packer->words[entry->size + k];
    }
    if (entry->flags & KIFU__HAS_TABLES)
        memcpy(bytes + kifu__column_tables(entry), packer->tables + entry->size / 4, tail / 4);
    entry->tails_done += tail;
}

// Writes everything but the columns, and finds out where these begin.
static kifu_result write_head(packer *packer)
{
    const kifu_rules *rules = packer->rules;
    const kifu__memory *memory = packer->memory;
    kifu__columns *columns = packer->columns;
    uint32_t rows = 2; // the head, and the types of all events
    packer->types = sizeof packer->head + (uint64_t)packer->head.types * KIFU__COLUMNS_ENTRY + rules->vtables_size;
    uint64_t size = packer->types + packer->head.count;
    for (uint32_t type = 1; type <= rules->type_count; type++) {
        kifu__column_entry *entry = &packer->entries[type];
        if (!entry->count)
            continue;
        entry->at = size;
        size += kifu__columns_size(entry);
        rows += kifu__column_count(entry) + entry->lanes + 1;
    }
    if (size > KIFU__MOST_BYTES)
        return KIFU_TOO_LARGE;
    unsigned char *at = columns->bytes = (unsigned char *)kifu__new(memory, (size_t)size);
    columns->size = (uint32_t)size;
    columns->parts = (uint32_t *)kifu__new(memory, (2 * (size_t)rows + 1) * sizeof *columns->parts);
    packer->words = (unsigned char *)kifu__new(memory, packer->most);
    packer->tables = (unsigned char *)kifu__new(memory, packer->most / 4);
    if (!at || !columns->parts || !packer->words || !packer->tables)
        return KIFU_NO_MEMORY;
    memcpy(at, &packer->head, sizeof packer->head);
    at += sizeof packer->head;
    for (uint32_t type = 1; type <= rules->type_count; type++) {
        if (!packer->entries[type].count)
            continue;
        memcpy(at, &packer->entries[type], KIFU__COLUMNS_ENTRY);
        at += KIFU__COLUMNS_ENTRY;
    }
    memcpy(at, rules->vtables, rules->vtables_size);
    return KIFU_OK;
}

// --- Parts -----------------------------------------------------------------------------------------------------------

// Ends a part, unless it is empty.
static void cut(packer *packer)
{
    kifu__columns *columns = packer->columns;
    if (packer->open)
        columns->parts[columns->part_count++] = (uint32_t)packer->open;
    packer->open = 0;
}

// The next `size` bytes are of one kind.
static void add_column(packer *packer, const unsigned char **at, uint64_t size)
{
    const unsigned char *bytes = *at;
    const bool alone = size >= OWN_PART && memcmp(bytes, bytes + 1, (size_t)size - 1) != 0; // not all are the same
    if (alone)
        cut(packer);
    packer->open += size;
    if (alone)
        cut(packer);
    *at += size;
}

static void cut_parts(packer *packer)
{
    const unsigned char *at = packer->columns->bytes;
    add_column(packer, &at, packer->types);
    add_column(packer, &at, packer->head.count);
    for (uint32_t type = 1; type <= packer->rules->type_count; type++) {
        const kifu__column_entry *entry = &packer->entries[type];
        for (uint32_t k = 0; entry->count && k < kifu__column_count(entry); k++)
            add_column(packer, &at, entry->count);
        for (uint32_t k = 0; k < entry->lanes; k++)
            add_column(packer, &at, entry->tails / entry->lanes);
        if (entry->flags & KIFU__HAS_TABLES)
            add_column(packer, &at, entry->tails / 4);
    }
    cut(packer);
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
    unsigned char *types = packer->columns->bytes + packer->types;
    for (uint32_t i = 0; i < count; i++) {
        memcpy(types, segments[i].types, segments[i].count);
        types += segments[i].count;
        for (uint32_t k = 0; k < segments[i].count; k++)
            pack_event(packer, &segments[i], k);
    }
    cut_parts(packer);
    return KIFU_OK;
}

kifu_result kifu__pack(const kifu_rules *rules, const kifu__segment *segments, uint32_t count,
                       const kifu__memory *memory, kifu__columns *columns)
{
    *columns = (kifu__columns){0};
    packer packer = {
        .rules = rules,
        .memory = memory,
        .columns = columns,
        .head = {.rules_version = segments[0].rules_version, .vtables_size = rules->vtables_size},
    };
    kifu_result result = pack(&packer, segments, count);
    kifu__free(memory, packer.words);
    kifu__free(memory, packer.tables);
    if (result)
        kifu__columns_free(columns, memory);
    return result;
}
