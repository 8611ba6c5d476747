// Segments become rows.

#include "save/rows.h"

#include "core/log.h"
#include "wire/buffer.h"

// --- Shapes ----------------------------------------------------------------------------------------------------------

bool kifu__shape_add(kifu__shapes *shapes, uint32_t vtable, uint32_t type, uint32_t flags)
{
    kifu__shape *all = NULL;
    if (!shapes->vtables.result)
        all = (kifu__shape *)kifu__grow(shapes->memory, shapes->all, &shapes->capacity, (uint64_t)shapes->count + 1,
                                        sizeof *all);
    if (!all)
        return false;
    shapes->all = all;
    all[shapes->count] =
        (kifu__shape){.vtable = vtable, .next = shapes->newest[type], .type = (uint8_t)type, .flags = (uint8_t)flags};
    shapes->newest[type] = ++shapes->count;
    return true;
}

void kifu__shapes_cut(kifu__shapes *shapes, uint32_t count)
{
    for (; shapes->count > count; shapes->count--) {
        const kifu__shape *shape = &shapes->all[shapes->count - 1];
        shapes->newest[shape->type] = shape->next;
    }
    const kifu__shape *last = count ? &shapes->all[count - 1] : NULL;
    shapes->vtables.size = last ? last->vtable + kifu__load16(kifu__shape_vtable(shapes, last)) : 0;
    shapes->vtables.result = KIFU_OK;
}

void kifu__shapes_free(kifu__shapes *shapes)
{
    kifu__free(shapes->memory, shapes->all);
    kifu__free(shapes->memory, shapes->vtables.bytes);
    *shapes = (kifu__shapes){.memory = shapes->memory};
}

// --- What belongs to an event ----------------------------------------------------------------------------------------

typedef struct row_writer {
    kifu__blob *out;
    kifu__shapes *shapes;
    const kifu_rules *rules;
    kifu__blob tables; // Where the event at hand has tables, but for its first: numbers of 4 bytes.
    kifu__blob blob;   // For an event that is rebuilt,
    kifu__segment own; // and where that is sealed.
    uint64_t left;     // Bytes that such events may still have: parts that they share, each has for itself.
    // The event at hand. Its meaning is verified; where its parts lie is not.
    const unsigned char *bytes; // The segment's.
    uint32_t start, limit;      // It must lie here,
    uint32_t end;               // and does up to here.
    bool good;
} row_writer;

// The next part. One that lies in another, or before it, is not where Kifu puts it: a row has zeros for its tables'
// offsets to their vtables, and would change the other.
static void reach(row_writer *writer, uint32_t position, uint64_t end)
{
    if (position < writer->end || end > writer->limit)
        writer->good = false;
    else
        writer->end = (uint32_t)end;
}

static void walk_string(row_writer *writer, uint32_t position)
{
    reach(writer, position, (uint64_t)position + 4 + kifu__load32(writer->bytes + position) + 1);
}

static void walk_table(row_writer *writer, const kifu__table *table, uint32_t position);

static void walk_nested(row_writer *writer, const kifu__table *table, uint32_t position)
{
    kifu__build(&writer->tables, 0, &position, sizeof position, 4);
    walk_table(writer, table, position);
}

static void walk_references(row_writer *writer, const kifu__field *field, uint32_t vector)
{
    const uint32_t count = kifu__load32(writer->bytes + vector);
    reach(writer, vector, (uint64_t)vector + 4 + 4 * (uint64_t)count);
    for (uint32_t i = 0; i < count && writer->good; i++) {
        const uint32_t element = kifu__target(writer->bytes, vector + 4 + 4 * i);
        if (field->table)
            walk_nested(writer, field->table, element);
        else
            walk_string(writer, element);
    }
}

static void walk_table(row_writer *writer, const kifu__table *table, uint32_t position)
{
    const uint32_t said = kifu__load16(writer->bytes + kifu__vtable_of(writer->bytes, position) + 2);
    reach(writer, position, (uint64_t)position + (said > table->size ? said : table->size));
    for (uint32_t id = 0; id < table->field_count && writer->good && !table->flat; id++) {
        const kifu__field *field = &table->fields[id];
        const uint32_t place = position + field->offset;
        if (!field->offset || !kifu__is_reference(field) || !kifu__load32(writer->bytes + place))
            continue;
        const uint32_t target = kifu__target(writer->bytes, place);
        if (field->kind == KIFU__STRING)
            walk_string(writer, target);
        else if (field->kind == KIFU__VECTOR)
            reach(writer, target, (uint64_t)target + 4 + (uint64_t)kifu__load32(writer->bytes + target) * field->size);
        else if (field->kind == KIFU__TABLE)
            walk_nested(writer, field->table, target);
        else
            walk_references(writer, field, target);
    }
}

static uint32_t position_of(const kifu__segment *segment, uint32_t slot)
{
    return (uint32_t)((const unsigned char *)kifu__segment_table(segment, slot) - segment->bytes);
}

// Finds out where an event and its tables are. False: not all of it lies together, or parts are shared.
static bool walk_row(row_writer *writer, const kifu__segment *segment, uint32_t slot)
{
    const kifu__table *table = writer->rules->types[segment->types[slot]].table;
    writer->bytes = segment->bytes;
    writer->start = writer->end = position_of(segment, slot);
    writer->limit = slot + 1 < segment->count ? position_of(segment, slot + 1) : segment->size;
    writer->good = writer->start % table->align == 0;
    writer->tables.size = 0;
    walk_table(writer, table, writer->start);
    reach(writer, writer->end, ((uint64_t)writer->end + 3) & ~UINT64_C(3));
    const bool whole = !table->flat || writer->end - writer->start == table->size;
    return writer->good && whole;
}

// Makes a segment of that event alone, as Kifu lays it out.
static void rebuild(row_writer *writer, const kifu__segment *segment, uint32_t slot)
{
    const kifu_rules *rules = writer->rules;
    const kifu__memory *memory = writer->shapes->memory;
    const uint32_t type = segment->types[slot];
    kifu__free(memory, writer->own.bytes);
    writer->own.bytes = NULL;
    kifu_result result = kifu__blob_of(rules, segment, slot, &writer->blob);
    const uint64_t room = (uint64_t)writer->blob.size + 16;
    if (!result && room > writer->left)
        result = KIFU_TOO_LARGE;
    writer->left -= room;
    if (!result)
        result = kifu__segment_new(memory, rules, segment->rules_version, 1, room, &writer->own);
    if (!result)
        result = kifu__segment_add(&writer->own, memory, rules, type, writer->blob.bytes, writer->blob.size,
                                   segment->marks[slot], KIFU__MOST_BYTES & ~7U);
    if (result)
        writer->out->result = result;
    else
        walk_row(writer, &writer->own, 0);
}

// --- Writing ---------------------------------------------------------------------------------------------------------

// A type that has more than so many, because its fields are present or absent in so many ways, names some again.
enum { MOST_SEARCHED = 64 };

static uint32_t flags_of(const kifu__table *table)
{
    uint32_t flags = (table->align == 8 ? KIFU__WIDE : 0) | (table->flat ? 0 : KIFU__TAIL);
    for (uint32_t id = 0; id < table->field_count; id++) {
        if (table->fields[id].offset && table->fields[id].table)
            flags |= KIFU__NESTED;
    }
    return flags;
}

// A new shape, behind its number: type, flags, how many fields, bytes of the inline part, where each field is.
static uint32_t tell_shape(row_writer *writer, uint32_t type, const unsigned char *vtable)
{
    const uint32_t size = kifu__load16(vtable), flags = type ? flags_of(writer->rules->types[type].table) : 0;
    kifu__blob *vtables = &writer->shapes->vtables;
    vtables->memory = writer->shapes->memory;
    const uint32_t at = kifu__build(vtables, 0, vtable, size, 2);
    if (!kifu__shape_add(writer->shapes, at, type, flags) && !writer->out->result)
        writer->out->result = KIFU_NO_MEMORY;
    kifu__add_number(writer->out, type);
    kifu__add_number(writer->out, flags);
    kifu__add_number(writer->out, (size - 4) / 2);
    for (uint32_t i = 2; i < size; i += 2)
        kifu__add_number(writer->out, kifu__load16(vtable + i));
    return flags;
}

// The number of the shape of a table, and if it is new, the shape. Returns its flags.
static uint32_t add_shape_of(row_writer *writer, uint32_t type, uint32_t position)
{
    const kifu__shapes *shapes = writer->shapes;
    const unsigned char *vtable = writer->bytes + kifu__vtable_of(writer->bytes, position);
    const uint32_t size = kifu__load16(vtable);
    uint32_t at = shapes->newest[type];
    for (uint32_t i = 0; at && i < MOST_SEARCHED; i++, at = shapes->all[at - 1].next) {
        const unsigned char *known = kifu__shape_vtable(shapes, &shapes->all[at - 1]);
        if (kifu__load16(known) != size || memcmp(known, vtable, size) != 0)
            continue;
        kifu__add_number(writer->out, at - 1);
        return shapes->all[at - 1].flags;
    }
    kifu__add_number(writer->out, shapes->count);
    return tell_shape(writer, type, vtable);
}

static void add_mark(kifu__blob *out, kifu__mark mark)
{
    unsigned char bytes[2 * KIFU__MOST_NUMBER + 1], *end = bytes;
    const uint32_t cause = mark.cause ? KIFU__ROW_HAS_CAUSE : 0, player = mark.player != -1 ? KIFU__ROW_HAS_PLAYER : 0;
    end = kifu__put_number(end, (uint32_t)mark.flags << KIFU__FLAG_SHIFT | cause | player);
    if (cause)
        end = kifu__put_number(end, mark.cause);
    if (player)
        *end++ = (unsigned char)mark.player;
    kifu__build(out, 0, bytes, (uint64_t)(end - bytes), 1);
}

// The tables behind the first, in the order in which they were found: how far, in words, and their shapes. Where they
// have the offset to their vtable, there are zeros.
static void add_tables(row_writer *writer, uint32_t bytes)
{
    const uint32_t count = writer->tables.size / 4;
    kifu__add_number(writer->out, count);
    for (uint32_t i = 0; i < count && !writer->out->result; i++) {
        const uint32_t position = kifu__load32(writer->tables.bytes + 4 * (size_t)i);
        const uint32_t distance = position - writer->start;
        kifu__put32((unsigned char *)kifu__built(writer->out, bytes + distance - 4), 0);
        kifu__add_number(writer->out, distance / 4);
        add_shape_of(writer, 0, position);
    }
}

static void add_row(row_writer *writer, const kifu__segment *segment, uint32_t slot)
{
    kifu__blob *out = writer->out;
    if (!walk_row(writer, segment, slot))
        rebuild(writer, segment, slot);
    if (writer->tables.result && !out->result)
        out->result = writer->tables.result;
    if (out->result)
        return;
    const uint32_t flags = add_shape_of(writer, segment->types[slot], writer->start);
    const uint32_t size = writer->end - writer->start;
    add_mark(out, segment->marks[slot]);
    if (flags & KIFU__TAIL)
        kifu__add_number(out, size / 4);
    const uint32_t bytes = kifu__build(out, 0, writer->bytes + writer->start + 4, size - 4, 1);
    if (flags & KIFU__NESTED)
        add_tables(writer, bytes);
}

void kifu__rows_begin(kifu__blob *out, uint32_t count, uint32_t rules_version)
{
    kifu__add_number(out, count);
    kifu__add_number(out, rules_version);
}

void kifu__rows_of(kifu__blob *out, kifu__shapes *shapes, const kifu_rules *rules, const kifu__segment *segment,
                   uint32_t slot, uint32_t end)
{
    row_writer writer = {
        .out = out,
        .shapes = shapes,
        .rules = rules,
        .tables = {.memory = shapes->memory},
        .blob = {.memory = shapes->memory},
        .left = (uint64_t)segment->size * 64 + 4096,
    };
    for (; slot < end && !out->result; slot++)
        add_row(&writer, segment, slot);
    kifu__free(shapes->memory, writer.tables.bytes);
    kifu__free(shapes->memory, writer.blob.bytes);
    kifu__free(shapes->memory, writer.own.bytes);
}

void kifu__rows_add(kifu__blob *out, kifu__shapes *shapes, const kifu_rules *rules, const kifu__segment *segment,
                    uint32_t slot, uint32_t end)
{
    kifu__rows_begin(out, end - slot, segment->rules_version);
    kifu__rows_of(out, shapes, rules, segment, slot, end);
}
