#include "save/save_schema.h"

#include <stddef.h>
#include <string.h>

#include "base/error.h"

// The most bytes of one payload.
#define MOST_BYTES (UINT64_C(1) << 30)

// --- Descriptions, as kifuc would write them for schema/save.fbs -----------------------------------------------------

#define SCALAR(type, member, bytes)                                                                                    \
    {                                                                                                                  \
        .name = #member, .kind = KIFU__SCALAR, .align = bytes, .size = bytes, .offset = offsetof(type, member)         \
    }
#define STRING(type, member, is_required)                                                                              \
    {                                                                                                                  \
        .name = #member, .kind = KIFU__STRING, .align = 4, .size = 4, .offset = offsetof(type, member),                \
        .required = is_required                                                                                        \
    }
#define BYTES(type, member)                                                                                            \
    {                                                                                                                  \
        .name = #member, .kind = KIFU__VECTOR, .align = 1, .size = 1, .offset = offsetof(type, member)                 \
    }

static const kifu__field header_fields[] = {
    STRING(kifu__save_header, game, true),
    STRING(kifu__save_header, union_name, true),
    SCALAR(kifu__save_header, rules_version, 4),
    SCALAR(kifu__save_header, fingerprint, 8),
    SCALAR(kifu__save_header, event_count, 4),
    SCALAR(kifu__save_header, saved_at, 8),
    STRING(kifu__save_header, title, false),
    {.name = "players",
     .kind = KIFU__STRING_VECTOR,
     .align = 4,
     .size = 4,
     .offset = offsetof(kifu__save_header, players)},
    BYTES(kifu__save_header, thumbnail),
    BYTES(kifu__save_header, schema),
};

static const uint16_t header_vtable[] = {
    24,
    sizeof(kifu__save_header),
    offsetof(kifu__save_header, game),
    offsetof(kifu__save_header, union_name),
    offsetof(kifu__save_header, rules_version),
    offsetof(kifu__save_header, fingerprint),
    offsetof(kifu__save_header, event_count),
    offsetof(kifu__save_header, saved_at),
    offsetof(kifu__save_header, title),
    offsetof(kifu__save_header, players),
    offsetof(kifu__save_header, thumbnail),
    offsetof(kifu__save_header, schema),
};

const kifu__table kifu__save_header_table = {
    .name = "kifu.save.Header",
    .size = sizeof(kifu__save_header),
    .align = 8,
    .field_count = 10,
    .fields = header_fields,
    .vtable = header_vtable,
};

static const kifu__field snapshot_fields[] = {
    SCALAR(kifu__save_snapshot, event_count, 4),
    SCALAR(kifu__save_snapshot, hash, 8),
    BYTES(kifu__save_snapshot, state),
};

static const uint16_t snapshot_vtable[] = {
    10,
    sizeof(kifu__save_snapshot),
    offsetof(kifu__save_snapshot, event_count),
    offsetof(kifu__save_snapshot, hash),
    offsetof(kifu__save_snapshot, state),
};

const kifu__table kifu__save_snapshot_table = {
    .name = "kifu.save.Snapshot",
    .size = sizeof(kifu__save_snapshot),
    .align = 8,
    .field_count = 3,
    .fields = snapshot_fields,
    .vtable = snapshot_vtable,
};

static const kifu__field rewind_fields[] = {SCALAR(kifu__save_rewind, count, 4)};

static const uint16_t rewind_vtable[] = {6, sizeof(kifu__save_rewind), offsetof(kifu__save_rewind, count)};

const kifu__table kifu__save_rewind_table = {
    .name = "kifu.save.Rewind",
    .size = sizeof(kifu__save_rewind),
    .align = 4,
    .flat = true,
    .field_count = 1,
    .fields = rewind_fields,
    .vtable = rewind_vtable,
};

static const uint16_t end_vtable[] = {4, sizeof(kifu__save_end)};

const kifu__table kifu__save_end_table = {
    .name = "kifu.save.End",
    .size = sizeof(kifu__save_end),
    .align = 4,
    .flat = true,
    .vtable = end_vtable,
};

static const kifu__struct checkpoint_struct = {
    .name = "kifu.save.Checkpoint", .size = sizeof(kifu__save_checkpoint), .align = 8};

static const kifu__field checkpoints_fields[] = {
    {.name = "checkpoints",
     .kind = KIFU__VECTOR,
     .align = 8,
     .size = sizeof(kifu__save_checkpoint),
     .offset = offsetof(kifu__save_checkpoints, checkpoints),
     .structure = &checkpoint_struct},
};

static const uint16_t checkpoints_vtable[] = {6, sizeof(kifu__save_checkpoints),
                                              offsetof(kifu__save_checkpoints, checkpoints)};

const kifu__table kifu__save_checkpoints_table = {
    .name = "kifu.save.Checkpoints",
    .size = sizeof(kifu__save_checkpoints),
    .align = 8,
    .field_count = 1,
    .fields = checkpoints_fields,
    .vtable = checkpoints_vtable,
};

static const kifu__struct part_struct = {.name = "kifu.save.Part", .size = sizeof(kifu__save_part), .align = 4};

static const kifu__field packed_fields[] = {
    SCALAR(kifu__save_packed, kind, 4),
    SCALAR(kifu__save_packed, size, 4),
    STRING(kifu__save_packed, codec, true),
    {.name = "parts",
     .kind = KIFU__VECTOR,
     .align = 4,
     .size = sizeof(kifu__save_part),
     .offset = offsetof(kifu__save_packed, parts),
     .structure = &part_struct},
    BYTES(kifu__save_packed, bytes),
};

static const uint16_t packed_vtable[] = {
    14,
    sizeof(kifu__save_packed),
    offsetof(kifu__save_packed, kind),
    offsetof(kifu__save_packed, size),
    offsetof(kifu__save_packed, codec),
    offsetof(kifu__save_packed, parts),
    offsetof(kifu__save_packed, bytes),
};

const kifu__table kifu__save_packed_table = {
    .name = "kifu.save.Packed",
    .size = sizeof(kifu__save_packed),
    .align = 4,
    .field_count = 5,
    .fields = packed_fields,
    .vtable = packed_vtable,
};

static const kifu__field proposals_fields[] = {
    STRING(kifu__save_proposals, part, true),
    {.name = "keys", .kind = KIFU__VECTOR, .align = 4, .size = 4, .offset = offsetof(kifu__save_proposals, keys)},
    BYTES(kifu__save_proposals, events),
};

static const uint16_t proposals_vtable[] = {
    10,
    sizeof(kifu__save_proposals),
    offsetof(kifu__save_proposals, part),
    offsetof(kifu__save_proposals, keys),
    offsetof(kifu__save_proposals, events),
};

const kifu__table kifu__save_proposals_table = {
    .name = "kifu.save.Proposals",
    .size = sizeof(kifu__save_proposals),
    .align = 4,
    .field_count = 3,
    .fields = proposals_fields,
    .vtable = proposals_vtable,
};

_Static_assert(sizeof(kifu__save_part) == 8 && sizeof(kifu__save_packed) == 24, "no hidden padding");
_Static_assert(sizeof(kifu__save_checkpoint) == 16 && sizeof(kifu__save_checkpoints) == 8, "no hidden padding");
_Static_assert(sizeof(kifu__save_header) == 56 && sizeof(kifu__save_snapshot) == 24 && sizeof(kifu__save_rewind) == 8 &&
                   sizeof(kifu__save_end) == 4,
               "no hidden padding");

// --- Writing ---------------------------------------------------------------------------------------------------------

// Appends `size` bytes (zeros, where NULL), the first at a multiple of `align` behind `lead` bytes, which are zero so
// far. Their position, or 0 after a failure.
static uint32_t append(kifu__payload *payload, uint32_t lead, const void *bytes, uint64_t size, uint32_t align)
{
    if (payload->result)
        return 0;
    uint64_t place = ((uint64_t)payload->size + lead + align - 1) & ~(uint64_t)(align - 1);
    uint64_t end = place + size;
    if (end > MOST_BYTES) {
        payload->result = KIFU_TOO_LARGE;
        return 0;
    }
    unsigned char *grown = (unsigned char *)kifu__grow(payload->memory, payload->bytes, &payload->capacity, end, 1);
    if (!grown) {
        payload->result = KIFU_NO_MEMORY;
        return 0;
    }
    payload->bytes = grown;
    memset(grown + payload->size, 0, (size_t)(end - payload->size));
    if (bytes && size)
        memcpy(grown + place, bytes, (size_t)size);
    payload->size = (uint32_t)end;
    return (uint32_t)place;
}

static void put32(kifu__payload *payload, uint32_t place, uint32_t value)
{
    if (!payload->result)
        memcpy(payload->bytes + place, &value, sizeof value);
}

// A string or vector with its length in front, and the reference to it.
static uint32_t append_vector(kifu__payload *payload, uint32_t ref, const void *elements, uint32_t count, uint64_t size,
                              uint32_t align)
{
    uint32_t place = append(payload, 4, elements, size, align);
    put32(payload, place - 4, count);
    put32(payload, ref, place - 4 - ref);
    return place;
}

//      0   offset of the table
//      4   its vtable, padded to the table's alignment
//  start   the table, and what it leads to
//          vtables of another shape than the compiled one
void kifu__payload_begin(kifu__payload *payload, const kifu__memory *memory, const kifu__table *table,
                         const void *fields)
{
    *payload = (kifu__payload){.memory = memory, .table = table};
    append(payload, 0, NULL, 4, 4);
    append(payload, 0, table->vtable, table->vtable[0], 2);
    payload->start = append(payload, 0, fields, table->size, table->align);
    put32(payload, 0, payload->start);
}

static void append_string(kifu__payload *payload, uint32_t ref, const char *text)
{
    size_t length = strlen(text);
    if (length >= MOST_BYTES) {
        payload->result = payload->result ? payload->result : KIFU_TOO_LARGE;
        return;
    }
    append_vector(payload, ref, text, (uint32_t)length, (uint64_t)length + 1, 4);
}

void kifu__payload_string(kifu__payload *payload, size_t ref, const char *text)
{
    if (text)
        append_string(payload, payload->start + (uint32_t)ref, text);
}

// Bytes start 8-aligned: what they hold (the .bfbs is a FlatBuffer) can be used in place.
void kifu__payload_bytes(kifu__payload *payload, size_t ref, const void *bytes, uint32_t size)
{
    if (bytes)
        append_vector(payload, payload->start + (uint32_t)ref, bytes, size, size, 8);
}

void *kifu__payload_structs(kifu__payload *payload, size_t ref, uint32_t count, uint32_t size)
{
    uint32_t place = append_vector(payload, payload->start + (uint32_t)ref, NULL, count, (uint64_t)count * size, 8);
    return payload->result ? NULL : payload->bytes + place;
}

void kifu__payload_strings(kifu__payload *payload, size_t ref, const char *const *texts, uint32_t count)
{
    if (!texts)
        return;
    uint32_t first = append_vector(payload, payload->start + (uint32_t)ref, NULL, count, (uint64_t)count * 4, 4);
    for (uint32_t i = 0; i < count && !payload->result; i++)
        append_string(payload, first + 4 * i, texts[i] ? texts[i] : "");
}

kifu_result kifu__payload_end(kifu__payload *payload)
{
    if (!payload->result) {
        // Sealing wants the vtables of a whole game: these are of a game with this one table.
        const kifu_rules rules = {.vtables = payload->table->vtable, .vtables_size = payload->table->vtable[0]};
        uint32_t behind = payload->size; // A string may end at an odd place, where no vtable may start.
        if (!payload->table->flat)
            behind = append(payload, 0, NULL, kifu__seal_room(payload->table, payload->bytes + payload->start), 2);
        if (!payload->result) {
            unsigned char *end = payload->bytes + behind;
            kifu__seal(&rules, payload->table, payload->bytes + payload->start, payload->bytes + 4, &end);
            payload->size = (uint32_t)(end - payload->bytes);
        }
    }
    if (payload->result) {
        kifu__free(payload->memory, payload->bytes);
        payload->bytes = NULL;
        payload->size = 0;
    }
    return payload->result;
}

// --- Reading ---------------------------------------------------------------------------------------------------------

kifu_result kifu__payload_read(const kifu__buffer *buffer, const kifu__table *table, kifu__blob *room,
                               const void **fields)
{
    uint32_t position;
    bool castable = true;
    kifu_result result = kifu__verify_root(buffer, table, &position, &castable);
    if (result)
        return result;
    if (castable) {
        *fields = buffer->bytes + position;
        return KIFU_OK;
    }
    room->size = 0;
    result = kifu__convert_table(buffer, table, position, room);
    if (result)
        return kifu__error_at(buffer->error, result, buffer->offset, "%s: %s", table->name, kifu_result_text(result));
    *fields = room->bytes;
    return KIFU_OK;
}
