// Converting: what another version or another writer wrote, field by field, into the layout that the game was compiled
// with. The source is verified.

#include "base/error.h"
#include "wire/buffer.h"

typedef struct conversion {
    const kifu__buffer *buffer;
    kifu__blob *blob;
    uint64_t left; // bytes that may still be written or, of events themselves, read; shared parts count each time
} conversion;

static void convert(conversion *conversion, const kifu__table *table, uint32_t source, uint32_t target);

static kifu_result report_converted(const kifu__buffer *buffer, kifu_result result)
{
    if (result == KIFU_NO_MEMORY)
        return kifu__error(buffer->error, result, "out of memory while events of another version were converted");
    return kifu__error_at(buffer->error, result, buffer->offset,
                          "parts of this are shared so often that they would become too large");
}

static void spend_bytes(conversion *conversion, uint64_t bytes)
{
    if (bytes > conversion->left && !conversion->blob->result)
        conversion->blob->result = KIFU_TOO_LARGE;
    conversion->left -= bytes;
}

// A vector or string of `count` elements, `behind` zero bytes behind them.
static void copy_vector(conversion *conversion, uint32_t source, uint32_t ref, uint32_t size, uint32_t align,
                        uint32_t behind)
{
    const unsigned char *vector = conversion->buffer->bytes + source;
    const uint32_t count = kifu__load32(vector);
    const uint64_t bytes = (uint64_t)count * size + behind;
    spend_bytes(conversion, bytes + 4);
    kifu__build_vector(conversion->blob, ref, vector + 4, count, bytes, align);
}

static void copy_string(conversion *conversion, uint32_t source, uint32_t ref)
{
    copy_vector(conversion, source, ref, 1, 4, 1);
}

static void convert_child(conversion *conversion, const kifu__table *table, uint32_t source, uint32_t ref)
{
    spend_bytes(conversion, table->size); // which may be far more than the source has
    const uint32_t place = kifu__build_table(conversion->blob, ref, NULL, table->size, table->align);
    convert(conversion, table, source, place);
}

// A vector of strings or tables.
static void convert_references(conversion *conversion, const kifu__field *field, uint32_t source, uint32_t ref)
{
    const unsigned char *bytes = conversion->buffer->bytes;
    const uint32_t count = kifu__load32(bytes + source);
    spend_bytes(conversion, (uint64_t)count * 4 + 4);
    const uint32_t first = kifu__build_vector(conversion->blob, ref, NULL, count, (uint64_t)count * 4, 4);
    for (uint32_t i = 0; i < count && !conversion->blob->result; i++) {
        const uint32_t element = kifu__target(bytes, source + 4 + 4 * i);
        if (field->table)
            convert_child(conversion, field->table, element, first + 4 * i);
        else
            copy_string(conversion, element, first + 4 * i);
    }
}

static void convert_reference(conversion *conversion, const kifu__field *field, uint32_t source, uint32_t ref)
{
    switch (field->kind) {
    case KIFU__STRING:
        copy_string(conversion, source, ref);
        break;
    case KIFU__VECTOR:
        copy_vector(conversion, source, ref, field->size, field->align, 0);
        break;
    case KIFU__TABLE:
        convert_child(conversion, field->table, source, ref);
        break;
    default:
        convert_references(conversion, field, source, ref);
    }
}

// Whether it has fields of a newer version. A scalar that has its default counts: only a schema would tell.
static bool has_newer_fields(const unsigned char *vtable, const kifu__table *table)
{
    uint32_t at = 4U + 2U * table->field_count;
    while (at < kifu__load16(vtable) && !kifu__load16(vtable + at))
        at += 2;
    return at < kifu__load16(vtable);
}

// `target`: where the compiled struct is in the blob, zeroed.
static void convert(conversion *conversion, const kifu__table *table, uint32_t source, uint32_t target)
{
    const unsigned char *bytes = conversion->buffer->bytes;
    kifu__blob *blob = conversion->blob;
    const unsigned char *vtable = bytes + kifu__vtable_of(bytes, source);
    spend_bytes(conversion, 4u + kifu__load16(vtable + 2));
    if (conversion->buffer->newer)
        *conversion->buffer->newer += has_newer_fields(vtable, table);
    for (uint32_t id = 0; id < table->field_count && !blob->result; id++) {
        const kifu__field *field = &table->fields[id];
        const uint32_t from = kifu__field_at(bytes, source, id), to = target + field->offset;
        if (!field->offset)
            continue;
        if (from && kifu__is_reference(field)) {
            convert_reference(conversion, field, kifu__target(bytes, from), to);
        } else if (from) {
            memcpy(blob->bytes + to, bytes + from, field->size);
            if (field->has)
                blob->bytes[target + field->has] = 1;
        } else if (field->kind == KIFU__SCALAR && !field->has) {
            memcpy(blob->bytes + to, &field->default_bits, field->size);
        }
    }
}

static kifu_result convert_root(conversion *conversion, const kifu__table *table, uint32_t source)
{
    kifu__blob *blob = conversion->blob;
    kifu__build_anew(blob, blob->memory);
    const uint32_t place = kifu__build(blob, 0, NULL, table->size, table->align);
    convert(conversion, table, source, place);
    kifu__build(blob, 0, NULL, 0, 4);
    return blob->result ? report_converted(conversion->buffer, blob->result) : KIFU_OK;
}

// What is in the blob may become larger than the buffer: its parts may be shared.
static conversion conversion_of(const kifu__buffer *buffer, kifu__blob *blob)
{
    return (conversion){.buffer = buffer, .blob = blob, .left = (uint64_t)buffer->size * 64 + 4096};
}

kifu_result kifu__convert_table(const kifu__buffer *buffer, const kifu__table *table, uint32_t position,
                                kifu__blob *blob)
{
    conversion conversion = conversion_of(buffer, blob);
    return convert_root(&conversion, table, position);
}

kifu_result kifu__blob_of(const kifu_rules *rules, const kifu__segment *segment, uint32_t slot, kifu__blob *blob)
{
    const kifu__buffer buffer = {.bytes = segment->bytes, .size = segment->size};
    return kifu__convert_table(&buffer, rules->types[segment->types[slot]].table, kifu__segment_at(segment, slot),
                               blob);
}

kifu_result kifu__payload_read(const kifu__buffer *buffer, const kifu__table *table, kifu__blob *room,
                               const void **fields)
{
    uint32_t position = 0;
    bool castable = true;
    kifu_result result = kifu__verify_root(buffer, table, &position, &castable);
    if (!result && !castable)
        result = kifu__convert_table(buffer, table, position, room);
    if (!result)
        *fields = castable ? buffer->bytes + position : room->bytes;
    return result;
}

// --- Segments --------------------------------------------------------------------------------------------------------

// Copies an event without references, which is as the game reads it. False: that is another one, or there is no room.
static bool copy_flat(const kifu_rules *rules, const kifu__segment *from, uint32_t slot, kifu__segment *segment)
{
    const kifu__type *type = &rules->types[from->types[slot]];
    if (!KIFU__QUICK || !type->table->flat)
        return false;
    unsigned char *event = (unsigned char *)kifu__segment_room(segment, type->size, type->align);
    if (!event)
        return false;
    kifu__copy_blob(event, kifu__segment_table(from, slot), type->size);
    kifu__segment_seal(segment, type, event, type->size, from->marks[slot]);
    return true;
}

kifu_result kifu__add_events(const kifu__buffer *buffer, const kifu_rules *rules, const kifu__segment *from,
                             uint32_t slot, bool limited, uint64_t most, const kifu__memory *memory,
                             kifu__segment *segment)
{
    kifu__blob blob = {.memory = memory};
    conversion conversion = conversion_of(buffer, &blob);
    kifu_result result = KIFU_OK;
    for (; slot < from->count && !result; slot++) {
        uint32_t type = from->types[slot];
        kifu__mark mark = from->marks[slot];
        if (!limited && copy_flat(rules, from, slot, segment))
            continue;
        if (!limited)
            conversion = conversion_of(buffer, &blob);
        result = convert_root(&conversion, rules->types[type].table, kifu__segment_at(from, slot));
        if (!result && buffer->upcast)
            result = buffer->upcast(buffer->upcaster, slot, &type, &mark.player, &blob);
        if (!result)
            result = kifu__segment_add(segment, memory, rules, type, blob.bytes, blob.size, mark, most);
    }
    kifu__free(memory, blob.bytes);
    if (result)
        kifu__free(memory, segment->bytes);
    else
        kifu__segment_show(segment);
    return result;
}

kifu_result kifu__convert_segment(const kifu__buffer *buffer, const kifu_rules *rules, const kifu__segment *from,
                                  const kifu__memory *memory, kifu__segment *segment)
{
    // Vectors that lie one over the other may have more elements than there would be room for side by side.
    if (from->count > KIFU__MOST_BYTES / 10)
        return KIFU_TOO_LARGE;
    // The events will be of about the same size; otherwise the body grows.
    uint32_t body = buffer->size < UINT32_C(1) << 29 ? buffer->size : 0;
    const kifu_result result = kifu__segment_new(memory, rules, from->rules_version, from->count, body, segment);
    if (result)
        return result;
    segment->first = from->first;
    return kifu__add_events(buffer, rules, from, 0, true, KIFU__MOST_BYTES & ~7U, memory, segment);
}
