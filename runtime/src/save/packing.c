// Packing the frames of a save, before they are written.

#include "save/packing.h"

#include "save/pack.h"
#include "save/packed.h"
#include "wire/buffer.h"

// How many events go into one packed frame, when segments are joined: long columns pack better, and what a frame holds
// has to be in memory three times when it is loaded.
enum { MOST_JOINED = 65536 };

// Frames of segments that become one, and those segments.
typedef struct group {
    kifu__plan *plan;
    const kifu_codec *codec;
    kifu__packed_sum *sum;
    uint32_t first, count; // of the pieces
    uint64_t plain_size;   // of their frames
} group;

static kifu__segment segment_of(const kifu__piece *piece)
{
    const kifu__parts parts = kifu__segment_parts(piece->payload);
    const kifu__segment segment = {
        .bytes = piece->payload,
        .size = piece->size,
        .count = parts.count,
        .rules_version = parts.rules_version,
        .marks = (kifu__mark *)(void *)(piece->payload + parts.marks),
        .offsets = (uint32_t *)(void *)(piece->payload + parts.offsets),
        .types = piece->payload + parts.types,
    };
    return segment;
}

// What comes from a loaded file may have any layout.
static kifu_result make_packable(kifu__plan *plan, kifu__piece *piece)
{
    const kifu__memory *memory = &plan->timeline->memory;
    const kifu_rules *rules = plan->timeline->rules;
    kifu__segment segment = segment_of(piece);
    if (kifu__is_packable(rules, &segment))
        return KIFU_OK;
    const kifu__buffer buffer = {.bytes = piece->payload, .size = piece->size};
    kifu_result result = kifu__convert_segment(&buffer, rules, 0, memory, &segment);
    if (result)
        return result;
    if (piece->owned)
        kifu__free(memory, piece->payload);
    plan->size += kifu__frame_size(segment.size) - kifu__frame_size(piece->size);
    *piece = (kifu__piece){.kind = piece->kind, .size = segment.size, .payload = segment.bytes, .owned = true};
    return KIFU_OK;
}

// The bytes in their place, where they are fewer and there is still room to unpack them.
static void replace(group *group, unsigned char *payload, uint32_t size, uint32_t unpacked)
{
    kifu__plan *plan = group->plan;
    const kifu__memory *memory = &plan->timeline->memory;
    kifu__piece *pieces = plan->pieces + group->first;
    if (kifu__frame_size(size) >= group->plain_size || !kifu__packed_sum_add(group->sum, size, unpacked)) {
        kifu__free(memory, payload);
        return;
    }
    for (uint32_t i = 0; i < group->count; i++) {
        if (pieces[i].owned)
            kifu__free(memory, pieces[i].payload);
    }
    pieces[0] = (kifu__piece){.kind = KIFU__FRAME_PACKED, .size = size, .payload = payload, .owned = true};
    plan->packed = true;
    uint32_t behind = plan->count - group->first - group->count;
    memmove(pieces + 1, pieces + group->count, behind * sizeof *pieces);
    plan->count -= group->count - 1;
    plan->size += kifu__frame_size(size) - group->plain_size;
}

static kifu_result pack_bytes(group *group, uint32_t kind, const unsigned char *bytes, const uint32_t *parts,
                              uint32_t part_count)
{
    unsigned char *payload;
    uint32_t size, unpacked = 0;
    kifu_result result = kifu__packed_write(group->codec, &group->plan->timeline->memory, kind, bytes, parts,
                                            part_count, &payload, &size);
    for (uint32_t i = 0; i < part_count; i++)
        unpacked += parts[i];
    if (!result)
        replace(group, payload, size, unpacked);
    return result;
}

static kifu_result pack_segments(group *group)
{
    const kifu__memory *memory = &group->plan->timeline->memory;
    const kifu__piece *pieces = group->plan->pieces + group->first;
    kifu__segment *segments = (kifu__segment *)kifu__new(memory, group->count * sizeof *segments);
    if (!segments)
        return KIFU_NO_MEMORY;
    for (uint32_t i = 0; i < group->count; i++)
        segments[i] = segment_of(&pieces[i]);
    kifu__columns columns;
    kifu_result result = kifu__pack(group->plan->timeline->rules, segments, group->count, memory, &columns);
    if (!result) {
        result = pack_bytes(group, pieces[0].kind, columns.bytes, columns.parts, columns.part_count);
        kifu__columns_free(&columns, memory);
    }
    kifu__free(memory, segments);
    return result;
}

// Takes the segments of events that follow the first of the group into it, as far as they fit.
static kifu_result gather(group *group)
{
    kifu__plan *plan = group->plan;
    uint64_t events = 0, bytes = 0;
    uint32_t rules_version = 0;
    for (uint32_t i = group->first; i < plan->count; i++) {
        kifu__piece *piece = &plan->pieces[i];
        bool follows = i > group->first;
        if (follows && (plan->pieces[group->first].kind != KIFU__FRAME_SEGMENT || piece->kind != KIFU__FRAME_SEGMENT))
            break;
        const kifu__parts parts = kifu__segment_parts(piece->payload);
        events += parts.count;
        bytes += piece->size;
        if (follows && (events > MOST_JOINED || bytes > INT32_MAX / 2 || parts.rules_version != rules_version))
            break;
        rules_version = parts.rules_version;
        kifu_result result = make_packable(plan, piece);
        if (result == KIFU_TOO_LARGE)
            break;
        if (result)
            return result;
        group->count++;
        group->plain_size += kifu__frame_size(piece->size);
    }
    if (group->count)
        return pack_segments(group);
    group->count = 1;
    return KIFU_OK;
}

static kifu_result pack(kifu__plan *plan, const kifu_codec *codec)
{
    kifu__packed_sum sum = {0};
    kifu_result result = KIFU_OK;
    for (uint32_t i = 0; i < plan->count && !result; i++) {
        const kifu__piece *piece = &plan->pieces[i];
        group group = {.plan = plan, .codec = codec, .sum = &sum, .first = i};
        switch (piece->kind) {
        case KIFU__FRAME_SEGMENT:
        case KIFU__FRAME_PENDING:
            result = gather(&group);
            if (plan->pieces[i].kind != KIFU__FRAME_PACKED) // it stays as it is
                i += group.count - 1;
            break;
        case KIFU__FRAME_SNAPSHOT:
        case KIFU__FRAME_CHECKPOINTS:
        case KIFU__FRAME_SCHEMA:
            group.count = 1;
            group.plain_size = kifu__frame_size(piece->size);
            result = pack_bytes(&group, piece->kind, piece->payload, &piece->size, 1);
            break;
        default: // Too small; and the header is for listings, which have no codec.
            break;
        }
        if (result == KIFU_TOO_LARGE) // to be packed, not to be saved
            result = KIFU_OK;
    }
    return result;
}

const struct kifu_packing kifu_packing = {.pack = pack, .unpack = kifu__packed_read};
