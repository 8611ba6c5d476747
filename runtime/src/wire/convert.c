// Converting: what another version or another writer wrote, field by field, into the layout that the game was compiled
// with. The source is verified.

#include "base/error.h"
#include "wire/buffer.h"

typedef struct conversion {
    const kifu__buffer *buffer;
    kifu__blob *blob;
    uint64_t left; // bytes that may still be written or, of events themselves, read; shared parts count each time
} conversion;

// All positions in the blob, which may move when it grows.
static kifu_result convert(conversion *conversion, const kifu__table *table, uint32_t source, uint32_t target);

static uint64_t limit_of(const kifu__buffer *buffer)
{
    return (uint64_t)buffer->size * 64 + 4096;
}

static kifu_result out_of_memory(const kifu__buffer *buffer)
{
    return kifu__error(buffer->error, KIFU_NO_MEMORY, "out of memory while events of another version were converted");
}

static kifu_result too_large(const kifu__buffer *buffer)
{
    return kifu__error_at(buffer->error, KIFU_TOO_LARGE, buffer->offset,
                          "the parts of these events are shared so often that they would become too large");
}

// Adds `size` zeroed bytes to the blob at `align`, with `lead` more in front of the aligned place.
static kifu_result extend(conversion *conversion, uint32_t lead, uint64_t size, uint32_t align, uint32_t *place)
{
    kifu__blob *blob = conversion->blob;
    uint64_t first = ((uint64_t)blob->size + lead + align - 1) & ~(uint64_t)(align - 1);
    uint64_t end = (first + size + 3) & ~UINT64_C(3);
    if (end > KIFU__MOST_BYTES)
        return too_large(conversion->buffer);
    unsigned char *bytes = (unsigned char *)kifu__grow(blob->memory, blob->bytes, &blob->capacity, end, 1);
    if (!bytes)
        return out_of_memory(conversion->buffer);
    memset(bytes + blob->size, 0, (size_t)end - blob->size);
    blob->bytes = bytes;
    blob->size = (uint32_t)end;
    *place = (uint32_t)first;
    return KIFU_OK;
}

static kifu_result spend(conversion *conversion, uint64_t bytes)
{
    if (bytes > conversion->left)
        return too_large(conversion->buffer);
    conversion->left -= bytes;
    return KIFU_OK;
}

static void point(conversion *conversion, uint32_t ref, uint32_t target)
{
    uint32_t offset = target - ref;
    memcpy(conversion->blob->bytes + ref, &offset, sizeof offset);
}

// A vector or string of `count` elements, `behind` zero bytes behind them.
static kifu_result copy_vector(conversion *conversion, uint32_t source, uint32_t ref, uint32_t size, uint32_t align,
                               uint32_t behind)
{
    const unsigned char *vector = conversion->buffer->bytes + source;
    uint32_t count = kifu__load32(vector), place = 0;
    uint64_t bytes = (uint64_t)count * size;
    kifu_result result = spend(conversion, bytes + 4);
    if (!result)
        result = extend(conversion, 4, bytes + behind, align < 4 ? 4 : align, &place);
    if (result)
        return result;
    memcpy(conversion->blob->bytes + place - 4, vector, (size_t)bytes + 4);
    point(conversion, ref, place - 4);
    return KIFU_OK;
}

static kifu_result copy_string(conversion *conversion, uint32_t source, uint32_t ref)
{
    return copy_vector(conversion, source, ref, 1, 4, 1);
}

static kifu_result convert_child(conversion *conversion, const kifu__table *table, uint32_t source, uint32_t ref)
{
    uint32_t place = 0;
    kifu_result result = spend(conversion, table->size); // which may be far more than the source has
    if (!result)
        result = extend(conversion, 0, table->size, table->align, &place);
    if (result)
        return result;
    point(conversion, ref, place);
    return convert(conversion, table, source, place);
}

// A vector of strings or tables.
static kifu_result convert_references(conversion *conversion, const kifu__field *field, uint32_t source, uint32_t ref)
{
    const unsigned char *bytes = conversion->buffer->bytes;
    uint32_t count = kifu__load32(bytes + source), place = 0;
    kifu_result result = spend(conversion, (uint64_t)count * 4 + 4);
    if (!result)
        result = extend(conversion, 4, (uint64_t)count * 4, 4, &place);
    if (result)
        return result;
    memcpy(conversion->blob->bytes + place - 4, &count, sizeof count);
    point(conversion, ref, place - 4);
    for (uint32_t i = 0; i < count && !result; i++) {
        uint32_t element = kifu__target(bytes, source + 4 + 4 * i);
        if (field->table)
            result = convert_child(conversion, field->table, element, place + 4 * i);
        else
            result = copy_string(conversion, element, place + 4 * i);
    }
    return result;
}

static kifu_result convert_reference(conversion *conversion, const kifu__field *field, uint32_t source, uint32_t ref)
{
    switch (field->kind) {
    case KIFU__STRING:
        return copy_string(conversion, source, ref);
    case KIFU__VECTOR:
        return copy_vector(conversion, source, ref, field->size, field->align, 0);
    case KIFU__TABLE:
        return convert_child(conversion, field->table, source, ref);
    default:
        return convert_references(conversion, field, source, ref);
    }
}

static kifu_result convert(conversion *conversion, const kifu__table *table, uint32_t source, uint32_t target)
{
    const unsigned char *bytes = conversion->buffer->bytes;
    kifu_result result = spend(conversion, 4u + kifu__load16(bytes + kifu__vtable_of(bytes, source) + 2));
    for (uint32_t id = 0; id < table->field_count && !result; id++) {
        const kifu__field *field = &table->fields[id];
        uint32_t from = kifu__field_at(bytes, source, id);
        uint32_t to = target + field->offset;
        if (!field->offset)
            continue;
        if (from && kifu__is_reference(field)) {
            result = convert_reference(conversion, field, kifu__target(bytes, from), to);
        } else if (from) {
            memcpy(conversion->blob->bytes + to, bytes + from, field->size);
            if (field->has)
                conversion->blob->bytes[target + field->has] = 1;
        } else if (field->kind == KIFU__SCALAR && !field->has) {
            memcpy(conversion->blob->bytes + to, &field->default_bits, field->size);
        }
    }
    return result;
}

static kifu_result convert_root(conversion *conversion, const kifu__table *table, uint32_t source)
{
    uint32_t place = 0;
    kifu_result result = extend(conversion, 0, table->size, table->align, &place);
    return result ? result : convert(conversion, table, source, place);
}

kifu_result kifu__convert_table(const kifu__buffer *buffer, const kifu__table *table, uint32_t position,
                                kifu__blob *blob)
{
    conversion conversion = {.buffer = buffer, .blob = blob, .left = limit_of(buffer)};
    return convert_root(&conversion, table, position);
}

kifu_result kifu__blob_of(const kifu_rules *rules, const kifu__segment *segment, uint32_t slot, kifu__blob *blob)
{
    const kifu__buffer buffer = {.bytes = segment->bytes, .size = segment->size};
    uint32_t position = (uint32_t)((const unsigned char *)kifu__segment_table(segment, slot) - segment->bytes);
    blob->size = 0;
    return kifu__convert_table(&buffer, rules->types[segment->types[slot]].table, position, blob);
}

// --- Segments --------------------------------------------------------------------------------------------------------

// Doubles the body of a segment that is being built, or more.
static kifu_result grow(const kifu__buffer *buffer, const kifu__memory *memory, kifu__segment *segment, uint64_t needed)
{
    uint64_t capacity = (uint64_t)segment->capacity * 2;
    if (capacity < segment->size + needed)
        capacity = segment->size + needed;
    if (capacity > KIFU__MOST_BYTES)
        capacity = KIFU__MOST_BYTES & ~UINT32_C(7);
    if (capacity < segment->size + needed)
        return too_large(buffer);
    unsigned char *old = segment->bytes;
    size_t marks = (size_t)((unsigned char *)segment->marks - old);
    size_t offsets = (size_t)((unsigned char *)segment->offsets - old);
    size_t types = (size_t)(segment->types - old);
    unsigned char *bytes = (unsigned char *)memory->allocate(memory->context, old, (size_t)capacity);
    if (!bytes)
        return out_of_memory(buffer);
    segment->bytes = bytes;
    segment->capacity = (uint32_t)capacity;
    segment->marks = (kifu__mark *)(void *)(bytes + marks);
    segment->offsets = (uint32_t *)(void *)(bytes + offsets);
    segment->types = bytes + types;
    return KIFU_OK;
}

static kifu_result append(conversion *conversion, const kifu_rules *rules, uint32_t type, kifu__mark mark,
                          kifu__segment *segment)
{
    const kifu__blob *blob = conversion->blob;
    const void *table;
    if (kifu__segment_append(segment, rules, type, blob->bytes, blob->size, mark, &table))
        return KIFU_OK;
    uint64_t needed = (uint64_t)blob->size + kifu__seal_room(rules->types[type].table, blob->bytes) + 16;
    kifu_result result = grow(conversion->buffer, blob->memory, segment, needed);
    if (!result)
        kifu__segment_append(segment, rules, type, blob->bytes, blob->size, mark, &table);
    return result;
}

kifu_result kifu__convert_segment(const kifu__buffer *buffer, const kifu_rules *rules, uint32_t first_event,
                                  const kifu__memory *memory, kifu__segment *segment)
{
    const unsigned char *bytes = buffer->bytes;
    kifu__parts parts = kifu__segment_parts(bytes);
    // Vectors that lie one over the other may have more elements than there would be room for side by side.
    if (parts.count > KIFU__MOST_BYTES / 10)
        return too_large(buffer);
    // The events will be of about the same size; otherwise the body grows.
    uint32_t body = buffer->size < UINT32_C(1) << 29 ? buffer->size : 0;
    if (kifu__segment_new(memory, rules, parts.count, body, segment))
        return out_of_memory(buffer);
    segment->first = first_event;
    segment->rules_version = parts.rules_version;
    memcpy(segment->bytes + KIFU__SEGMENT_HEAD - 4, &parts.rules_version, sizeof parts.rules_version);
    kifu__blob blob = {.memory = memory};
    conversion conversion = {.buffer = buffer, .blob = &blob, .left = limit_of(buffer)};
    kifu_result result = KIFU_OK;
    for (uint32_t i = 0; i < parts.count && !result; i++) {
        uint32_t type = bytes[parts.types + i];
        kifu__mark mark;
        memcpy(&mark, bytes + parts.marks + 4 * (size_t)i, sizeof mark);
        blob.size = 0;
        result = convert_root(&conversion, rules->types[type].table, kifu__target(bytes, parts.offsets + 4 * i));
        if (!result && buffer->upcast)
            result = buffer->upcast(buffer->upcaster, i, &type, &mark.player, &blob);
        if (!result)
            result = append(&conversion, rules, type, mark, segment);
    }
    kifu__free(memory, blob.bytes);
    if (result) {
        kifu__free(memory, segment->bytes);
        segment->bytes = NULL;
    }
    return result;
}
