// Rows become segments again. They may be any bytes.

#include "save/rows.h"
#include "wire/buffer.h"

typedef struct reader {
    kifu__shapes *shapes;
    kifu__bytes *from;
    kifu__blob out; // The segment.
    const char *reason;
} reader;

static bool fail_rows(reader *reader, const char *reason)
{
    if (reader->from->good)
        reader->reason = reason;
    reader->from->good = false;
    return false;
}

// A number that must be at most `most`.
static uint32_t take_number(reader *reader, uint32_t most)
{
    const uint32_t number = kifu__parse_short_number(reader->from);
    if (number <= most)
        return number;
    fail_rows(reader, "a number in its rows is too large");
    return 0;
}

static void build16(kifu__blob *blob, uint32_t value)
{
    const uint16_t bytes = (uint16_t)value;
    kifu__build(blob, 0, &bytes, sizeof bytes, 2);
}

static bool take_shape(reader *reader)
{
    kifu__shapes *shapes = reader->shapes;
    kifu__blob *vtables = &shapes->vtables;
    const uint32_t type = take_number(reader, UINT8_MAX), flags = take_number(reader, KIFU__SHAPE_FLAGS);
    const uint32_t fields = take_number(reader, (UINT16_MAX - 5) / 2), size = take_number(reader, UINT16_MAX);
    const uint32_t at = vtables->size;
    if (size < 4 || (!type && flags) || (type && !(flags & KIFU__TAIL) && (size % 4 || flags & KIFU__NESTED)))
        return fail_rows(reader, "it has a table of an impossible shape");
    vtables->memory = shapes->memory;
    build16(vtables, 4 + 2 * fields);
    build16(vtables, size);
    for (uint32_t i = 0; i < fields && reader->from->good; i++)
        build16(vtables, take_number(reader, UINT16_MAX));
    if (!reader->from->good || kifu__shape_add(shapes, at, type, flags))
        return reader->from->good;
    reader->out.result = KIFU_NO_MEMORY;
    return false;
}

// The shape that is named, whose vtable is in the segment then. NULL: there is none, or no memory.
static const kifu__shape *take_named(reader *reader)
{
    kifu__shapes *shapes = reader->shapes;
    const uint32_t number = take_number(reader, shapes->count);
    if (!reader->from->good || (number == shapes->count && !take_shape(reader)))
        return NULL;
    kifu__shape *shape = &shapes->all[number];
    const unsigned char *vtable = kifu__shape_vtable(shapes, shape);
    if (shape->run != shapes->run)
        shape->place = kifu__build(&reader->out, 0, vtable, kifu__load16(vtable), 4);
    shape->run = shapes->run;
    return reader->out.result ? NULL : shape;
}

static void put_vtable(const reader *reader, uint32_t position, const kifu__shape *shape)
{
    kifu__put32(reader->out.bytes + position, position - shape->place);
}

static bool take_tables(reader *reader, uint32_t start, uint32_t words)
{
    for (uint32_t left = take_number(reader, words - 1); left; left--) {
        const uint32_t distance = take_number(reader, words - 1);
        const kifu__shape *shape = take_named(reader);
        if (!shape)
            return false;
        if (!distance || shape->type)
            return fail_rows(reader, "a row has a table where none can be");
        put_vtable(reader, start + 4 * distance, shape);
    }
    return reader->from->good;
}

static kifu__mark take_mark(reader *reader)
{
    const uint32_t said =
        take_number(reader, UINT8_MAX << KIFU__FLAG_SHIFT | KIFU__ROW_HAS_PLAYER | KIFU__ROW_HAS_CAUSE);
    kifu__mark mark = {.player = -1, .flags = (uint8_t)(said >> KIFU__FLAG_SHIFT)};
    if (said & KIFU__ROW_HAS_CAUSE)
        mark.cause = (uint16_t)take_number(reader, UINT16_MAX);
    const unsigned char *player = said & KIFU__ROW_HAS_PLAYER ? kifu__parse_bytes(reader->from, 1) : NULL;
    if (player)
        mark.player = (int8_t)*player;
    return mark;
}

static bool take_row(reader *reader, const kifu__head *head, uint32_t slot)
{
    kifu__blob *out = &reader->out;
    const kifu__shape *named = take_named(reader);
    if (!named)
        return false;
    if (!named->type)
        return fail_rows(reader, "a row is of no type");
    const kifu__shape shape = *named; // Others may be added.
    const kifu__mark mark = take_mark(reader);
    uint32_t words = kifu__load16(kifu__shape_vtable(reader->shapes, &shape) + 2) / 4u;
    if (shape.flags & KIFU__TAIL)
        words = take_number(reader, KIFU__MOST_BUILT / 4);
    if (!words)
        return fail_rows(reader, "a row has no bytes");
    const unsigned char *bytes = kifu__parse_bytes(reader->from, 4 * (uint64_t)words - 4);
    const uint32_t start = bytes ? kifu__build(out, 0, NULL, 4, shape.flags & KIFU__WIDE ? 8 : 4) : 0;
    kifu__build(out, 0, bytes, bytes ? 4 * (uint64_t)words - 4 : 0, 4);
    if (!bytes || out->result)
        return false;
    const uint32_t place = head->offsets + 4 * slot;
    put_vtable(reader, start, &shape);
    kifu__put32(out->bytes + place, start - place);
    memcpy(out->bytes + head->marks + 4 * (size_t)slot, &mark, sizeof mark);
    out->bytes[head->types + slot] = shape.type;
    return !(shape.flags & KIFU__NESTED) || take_tables(reader, start, words);
}

// Room for what most rows become, so that the segment grows seldom.
static bool begin_segment(kifu__blob *out, const kifu__head *head, uint32_t count, uint32_t version, size_t left)
{
    const uint64_t some = 32 * (uint64_t)count + 256, all = left + 8 * (uint64_t)count;
    out->bytes =
        (unsigned char *)kifu__grow(out->memory, NULL, &out->capacity, head->size + (some < all ? some : all), 1);
    if (!out->bytes)
        return false;
    out->size = head->size;
    kifu__segment_begin(out->bytes, head, out->bytes, 0, version);
    kifu__put32(out->bytes + head->marks - 4, count);
    kifu__put32(out->bytes + head->offsets - 4, count);
    kifu__put32(out->bytes + head->types - 4, count);
    return true;
}

static kifu_result take_run(reader *reader)
{
    kifu__bytes *from = reader->from;
    const uint32_t count = kifu__parse_short_number(from), version = kifu__parse_short_number(from);
    const size_t left = (size_t)(from->end - from->at);
    if (count > left / 2) // A row has two bytes at least.
        fail_rows(reader, "it says that it has more rows than there is room for");
    if (!from->good)
        return KIFU_DAMAGED;
    if (count > KIFU__MOST_BUILT / 16)
        return KIFU_TOO_LARGE;
    const kifu__head head = kifu__segment_head(count, 0);
    if (!begin_segment(&reader->out, &head, count, version, left))
        return KIFU_NO_MEMORY;
    reader->shapes->run++;
    for (uint32_t slot = 0; slot < count; slot++) {
        if (!take_row(reader, &head, slot))
            return reader->out.result ? reader->out.result : KIFU_DAMAGED;
    }
    return KIFU_OK;
}

kifu_result kifu__rows_read(kifu__shapes *shapes, kifu__bytes *from, unsigned char **bytes, uint32_t *size,
                            const char **reason)
{
    const kifu__memory *memory = shapes->memory;
    reader reader = {shapes, from, {.memory = memory}, "its rows end too early"};
    const kifu_result result = take_run(&reader);
    *bytes = NULL;
    *reason = reader.reason;
    if (result) {
        kifu__free(memory, reader.out.bytes);
        return result;
    }
    // What was too much room is given back, if that can be.
    *bytes = (unsigned char *)memory->allocate(memory->context, reader.out.bytes, reader.out.size);
    *bytes = *bytes ? *bytes : reader.out.bytes;
    *size = reader.out.size;
    return KIFU_OK;
}
