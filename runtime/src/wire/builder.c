#include "wire/builder.h"

#include "wire/buffer.h"
#include "wire/table.h"

uint32_t kifu__build(kifu__blob *blob, uint32_t lead, const void *bytes, uint64_t size, uint32_t align)
{
    if (blob->result)
        return 0;
    const uint64_t place = ((uint64_t)blob->size + lead + align - 1) & ~(uint64_t)(align - 1);
    const uint64_t end = place + size;
    if (end - blob->start > KIFU__MOST_BUILT) {
        blob->result = KIFU_TOO_LARGE;
        return 0;
    }
    if (!blob->bytes || end > blob->capacity) {
        unsigned char *grown = (unsigned char *)kifu__grow(blob->memory, blob->bytes, &blob->capacity, end, 1);
        if (!grown) {
            blob->result = KIFU_NO_MEMORY;
            return 0;
        }
        blob->bytes = grown;
    }
    const uint64_t clear = bytes ? place : end;
    if (clear > blob->size)
        memset(blob->bytes + blob->size, 0, (size_t)(clear - blob->size));
    if (bytes && size)
        memcpy(blob->bytes + place, bytes, (size_t)size);
    blob->size = (uint32_t)end;
    return (uint32_t)place - blob->start;
}

static void put32(kifu__blob *blob, uint32_t position, uint32_t value)
{
    if (!blob->result)
        kifu__put32(blob->bytes + blob->start + position, value);
}

uint32_t kifu__build_vector(kifu__blob *blob, uint32_t ref, const void *elements, uint32_t count, uint64_t size,
                            uint32_t align)
{
    const uint32_t first = kifu__build(blob, 4, elements, size, align < 4 ? 4 : align);
    put32(blob, first - 4, count);
    put32(blob, ref, first - 4 - ref);
    return first;
}

void kifu__build_string(kifu__blob *blob, uint32_t ref, const char *text)
{
    const size_t length = text ? strlen(text) : 0;
    if (text)
        kifu__build_vector(blob, ref, text, (uint32_t)length, (uint64_t)length + 1, 4);
}

uint32_t kifu__build_table(kifu__blob *blob, uint32_t ref, const void *fields, uint32_t size, uint32_t align)
{
    const uint32_t place = kifu__build(blob, 0, fields, size, align);
    put32(blob, ref, place - ref);
    return place;
}

//      0   offset of the table
//      4   `link` bytes
//          its vtable, or those of all tables of its game
//  start   the table, and what it leads to
//          vtables of another shape than the compiled one
static void build_root(kifu__blob *blob, const void *vtables, uint32_t vtables_size, const kifu__table *table,
                       const void *fields, uint32_t size)
{
    kifu__build(blob, 0, NULL, 4 + blob->link, 4);
    kifu__build(blob, 0, vtables, vtables_size, 2);
    const uint32_t start = kifu__build(blob, 0, fields, size, table->align);
    put32(blob, 0, start);
    blob->start = start;
}

void kifu__build_root(kifu__blob *blob, const kifu_rules *rules, const kifu__table *table, const void *fields,
                      uint32_t size)
{
    build_root(blob, rules ? rules->vtables : table->vtable, rules ? rules->vtables_size : table->vtable[0], table,
               fields, size);
}

void kifu__build_short(kifu__blob *blob, const kifu__table *table, const void *fields)
{
    uint16_t vtable[2 + 16] = {4, 4};
    for (uint32_t id = 0; id < table->field_count; id++) {
        const kifu__field *field = &table->fields[id];
        const bool is_reference = kifu__is_reference(field);
        const uint32_t end = field->offset + (is_reference ? 4U : field->size);
        if (is_reference && !kifu__load32((const unsigned char *)fields + field->offset))
            continue;
        vtable[0] = (uint16_t)(6 + 2 * id);
        vtable[1] = (uint16_t)(end > vtable[1] ? end : vtable[1]);
        vtable[2 + id] = field->offset;
    }
    build_root(blob, vtable, vtable[0], table, fields, vtable[1]);
    put32(blob, 0, blob->start - 4 - blob->link);
}

kifu_result kifu__build_end(kifu__blob *blob, const kifu_rules *rules, const kifu__table *table)
{
    if (blob->result)
        return blob->result;
    const uint32_t room = kifu__seal_room(table, blob->bytes + blob->start);
    const uint32_t behind = kifu__build(blob, 0, NULL, room, 2); // A string may end where no vtable may start.
    if (blob->result)
        return blob->result;
    unsigned char *end = blob->bytes + blob->start + behind;
    kifu__seal(rules ? rules->vtables : table->vtable, table, blob->bytes + blob->start, blob->bytes + 4 + blob->link,
               &end);
    blob->size = (uint32_t)(end - blob->bytes);
    return KIFU_OK;
}
