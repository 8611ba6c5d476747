// The packed frame: another frame's payload through a codec, part by part, and back.

#include "save/packing.h"

#include <inttypes.h>
#include <stddef.h>

#include "save/reader.h"
#include "wire/buffer.h"

bool kifu__packed_sum_add(kifu__packed_sum *sum, uint32_t size, uint64_t unpacked)
{
    const kifu__packed_sum more = {.size = sum->size + size, .unpacked = sum->unpacked + unpacked};
    if (more.unpacked > KIFU__UNPACKED_FREE + more.size * KIFU__UNPACKED_TIMES)
        return false;
    *sum = more;
    return true;
}

// --- A frame ---------------------------------------------------------------------------------------------------------

// What the codec has made of the parts.
typedef struct output {
    unsigned char *bytes;
    size_t used;
    kifu__save_part *parts;
} output;

static kifu_result pack_part(const kifu_codec *codec, const unsigned char *bytes, uint32_t size, output *output,
                             kifu__save_part *part)
{
    size_t packed_size = 0;
    unsigned char *to = output->bytes + output->used;
    kifu_result result =
        codec->compress(codec->context, bytes, size, to, codec->bound(codec->context, size), &packed_size);
    if (result)
        return result;
    if (packed_size >= size) { // Bytes that the codec makes no smaller stay as they are.
        memcpy(to, bytes, size);
        packed_size = size;
    }
    *part = (kifu__save_part){.size = size, .packed_size = (uint32_t)packed_size};
    output->used += packed_size;
    return KIFU_OK;
}

// Each part may need its bound behind what the others have really taken, and all as they are.
static kifu_result pack_parts(const kifu_codec *codec, const kifu__memory *memory, const kifu__columns *columns,
                              output *output)
{
    const unsigned char *bytes = columns->bytes;
    size_t most = 0;
    for (uint32_t i = 0; i < columns->part_count; i++) {
        size_t bound = codec->bound(codec->context, columns->parts[i]);
        most = bound > most ? bound : most;
    }
    output->bytes = (unsigned char *)kifu__new(memory, columns->size + most);
    output->parts = (kifu__save_part *)kifu__new(memory, columns->part_count * sizeof *output->parts);
    kifu_result result = output->bytes && output->parts ? KIFU_OK : KIFU_NO_MEMORY;
    for (uint32_t i = 0; i < columns->part_count && !result; i++) {
        result = pack_part(codec, bytes, columns->parts[i], output, &output->parts[i]);
        bytes += columns->parts[i];
    }
    return result;
}

kifu_result kifu__packed_write(const kifu_codec *codec, const kifu__memory *memory, uint32_t kind,
                               const kifu__columns *columns, unsigned char **payload, uint32_t *size)
{
    output output = {0};
    kifu_result result = pack_parts(codec, memory, columns, &output);
    if (!result) {
        const kifu__save_packed packed = {.kind = kind, .size = columns->size};
        kifu__blob out = {.memory = memory, .link = KIFU__LINK_SIZE};
        kifu__build_root(&out, NULL, &kifu__save_packed_table, &packed, sizeof packed);
        kifu__build_string(&out, offsetof(kifu__save_packed, codec), codec->name);
        kifu__build_vector(&out, offsetof(kifu__save_packed, parts), output.parts, columns->part_count,
                           columns->part_count * sizeof *output.parts, 8);
        kifu__build_vector(&out, offsetof(kifu__save_packed, bytes), output.bytes, (uint32_t)output.used, output.used,
                           8);
        result = kifu__build_end(&out, NULL, &kifu__save_packed_table);
        if (result)
            kifu__free(memory, out.bytes);
        *payload = out.bytes;
        *size = out.size;
    }
    kifu__free(memory, output.bytes);
    kifu__free(memory, output.parts);
    return result;
}

// --- All frames of a save --------------------------------------------------------------------------------------------

// How many events go into one packed frame, when segments are joined: long columns pack better, and what a frame holds
// has to be in memory three times when it is loaded.
enum { MOST_JOINED = 65536 };

// Frames that become one: segments of events, or any one.
typedef struct group {
    kifu__plan *plan;
    const kifu_codec *codec;
    kifu__packed_sum *sum;
    uint32_t first, count; // of the pieces
    uint64_t plain_size;   // of their frames
} group;

// The bytes in their place, where they are fewer and there is still room to unpack them.
static void replace(group *group, unsigned char *payload, uint32_t size)
{
    kifu__plan *plan = group->plan;
    const kifu__memory *memory = &plan->timeline->memory;
    kifu__piece *pieces = plan->pieces + group->first;
    if (kifu__frame_size(size) >= group->plain_size || !kifu__packed_sum_add(group->sum, size, group->plain_size)) {
        kifu__free(memory, payload);
        return;
    }
    for (uint32_t i = 0; i < group->count; i++) {
        if (pieces[i].owned)
            kifu__free(memory, pieces[i].payload);
    }
    pieces[0] = (kifu__piece){.kind = KIFU__FRAME_PACKED, .size = size, .payload = payload, .owned = true};
    plan->version = KIFU__PACKED_VERSION;
    uint32_t behind = plan->count - group->first - group->count;
    memmove(pieces + 1, pieces + group->count, behind * sizeof *pieces);
    plan->count -= group->count - 1;
    plan->size += kifu__frame_size(size) - group->plain_size;
    group->count = 1;
}

static kifu_result pack_columns(group *group, const kifu__columns *columns)
{
    kifu__plan *plan = group->plan;
    unsigned char *payload;
    uint32_t size;
    kifu_result result = kifu__packed_write(group->codec, &plan->timeline->memory, plan->pieces[group->first].kind,
                                            columns, &payload, &size);
    if (!result)
        replace(group, payload, size);
    return result;
}

// Any payload, in one part.
static kifu_result pack_piece(group *group, kifu__piece *piece)
{
    const kifu__columns columns = {
        .bytes = piece->payload, .size = piece->size, .parts = &piece->size, .part_count = 1};
    group->count = 1;
    group->plain_size = kifu__frame_size(piece->size);
    return pack_columns(group, &columns);
}

// What comes from a loaded file may have any layout, and is the file's.
static kifu_result make_packable(kifu__plan *plan, kifu__piece *piece, kifu__segment *segment)
{
    const kifu_rules *rules = plan->timeline->rules;
    if (kifu__is_packable(rules, segment))
        return KIFU_OK;
    const kifu__buffer buffer = {.bytes = piece->payload, .size = piece->size};
    kifu_result result = kifu__convert_segment(&buffer, rules, 0, &plan->timeline->memory, segment);
    if (result)
        return result;
    plan->size += kifu__frame_size(segment->size) - kifu__frame_size(piece->size);
    *piece = (kifu__piece){.kind = piece->kind, .size = segment->size, .payload = segment->bytes, .owned = true};
    return KIFU_OK;
}

// Whether segments of this kind that follow each other become one: not what waits.
static bool joins(uint32_t kind)
{
    return (kind & ~(uint32_t)KIFU__OF_LINE) == KIFU__FRAME_SEGMENT;
}

// Takes the first piece into the group, and the segments of events that follow one, as far as they fit.
static kifu_result gather(group *group, kifu__segment *segments)
{
    kifu__piece *piece = &group->plan->pieces[group->first];
    const uint32_t kind = piece->kind;
    uint64_t events = 0;
    do {
        kifu__segment *segment = &segments[group->count];
        *segment = kifu__segment_of(piece->payload, piece->size);
        events += segment->count;
        if (group->count && (events > MOST_JOINED || group->plain_size + segment->size > INT32_MAX / 2 ||
                             segment->rules_version != segments[0].rules_version))
            break;
        kifu_result result = make_packable(group->plan, piece, segment);
        if (result)
            return result == KIFU_TOO_LARGE && group->count ? KIFU_OK : result;
        group->count++;
        group->plain_size += kifu__frame_size(piece->size);
        piece++;
    } while (joins(kind) && piece->kind == kind); // Behind them is the end, if nothing else.
    return KIFU_OK;
}

static kifu_result columns_of(group *group, kifu__columns *columns)
{
    const kifu__plan *plan = group->plan;
    const kifu__memory *memory = &plan->timeline->memory;
    const kifu__piece *piece = &plan->pieces[group->first];
    uint32_t most = 2; // with one that does not fit
    while (joins(piece->kind) && piece[most - 1].kind == piece->kind)
        most++;
    kifu__segment *segments = (kifu__segment *)kifu__new(memory, most * sizeof *segments);
    if (!segments)
        return KIFU_NO_MEMORY;
    kifu_result result = gather(group, segments);
    if (!result)
        result = kifu__pack(plan->timeline->rules, segments, group->count, memory, columns);
    kifu__free(memory, segments);
    return result;
}

kifu_result kifu__pack_columns(kifu__plan *plan, uint32_t first, uint32_t *count, kifu__columns *columns)
{
    group group = {.plan = plan, .first = first};
    *columns = (kifu__columns){.bytes = NULL};
    kifu_result result = columns_of(&group, columns);
    *count = group.count;
    return result;
}

static kifu_result pack_segments(group *group)
{
    kifu__columns columns = {.bytes = NULL};
    kifu_result result = columns_of(group, &columns);
    if (!result)
        result = pack_columns(group, &columns);
    kifu__columns_free(&columns, &group->plan->timeline->memory);
    return result;
}

// Somebody is told how far it is behind each frame of so many bytes.
enum { TELL_AFTER = 1 << 18 };

kifu_result kifu__pack_frames(kifu__plan *plan, const kifu_codec *codec)
{
    kifu__packed_sum sum = {0};
    kifu_result result = KIFU_OK;
    const uint64_t total = plan->size;
    uint64_t done = 0;
    for (uint32_t i = 0; i < plan->count && !result; i++) {
        group group = {.plan = plan, .codec = codec, .sum = &sum, .first = i};
        switch (plan->pieces[i].kind) {
        case KIFU__FRAME_SEGMENT:
        case KIFU__FRAME_PENDING:
        case KIFU__OF_LINE + KIFU__FRAME_SEGMENT:
        case KIFU__OF_LINE + KIFU__FRAME_PENDING:
            result = pack_segments(&group);
            break;
        case KIFU__FRAME_SNAPSHOT:
        case KIFU__FRAME_CHECKPOINTS:
        case KIFU__OF_LINE + KIFU__FRAME_CHECKPOINTS:
        case KIFU__FRAME_SCHEMA:
            result = pack_piece(&group, &plan->pieces[i]);
            break;
        default: // Too small; and the header is for listings, which have no codec.
            break;
        }
        if (group.count) // They are one, or stay as they are.
            i += group.count - 1;
        if (result == KIFU_TOO_LARGE) // to be packed, not to be saved
            result = KIFU_OK;
        done += group.plain_size;
        if (!result && group.plain_size >= TELL_AFTER)
            result = plan->result = kifu__tick(plan->timeline, done < total ? done : total, total);
    }
    return result;
}

// --- Reading ---------------------------------------------------------------------------------------------------------

static kifu_result damaged(const kifu__frame *frame, const char *reason, kifu_error *error)
{
    return kifu__damaged(error, frame->offset, "the packed frame at byte %" PRIu64 " is damaged: %s", frame->offset,
                         reason);
}

// Whether the parts make up what there is, and what there shall be; and none is empty, or larger than it will be.
static bool parts_fit(const kifu__save_packed *packed)
{
    const kifu__save_part *parts = (const kifu__save_part *)kifu__elements(&packed->parts);
    uint64_t size = 0, packed_size = 0;
    for (uint32_t i = 0; i < kifu__length(&packed->parts); i++) {
        if (parts[i].packed_size == 0 || parts[i].packed_size > parts[i].size)
            return false;
        size += parts[i].size;
        packed_size += parts[i].packed_size;
    }
    return size == packed->size && packed_size == kifu__length(&packed->bytes);
}

static kifu_result unpack_parts(const kifu_codec *codec, const kifu__save_packed *packed, unsigned char *to)
{
    const kifu__save_part *parts = (const kifu__save_part *)kifu__elements(&packed->parts);
    const unsigned char *from = (const unsigned char *)kifu__elements(&packed->bytes);
    kifu_result result = KIFU_OK;
    for (uint32_t i = 0; i < kifu__length(&packed->parts) && !result; i++) {
        const kifu__save_part *part = &parts[i];
        if (part->size == part->packed_size)
            memcpy(to, from, part->size);
        else
            result = codec->decompress(codec->context, from, part->packed_size, to, part->size);
        from += part->packed_size;
        to += part->size;
    }
    return result;
}

kifu_result kifu__unpack_frame(const kifu_codec *codec, const kifu__memory *memory, const kifu__frame *frame,
                               const kifu__save_packed *packed, kifu__frame *inner, kifu_error *error)
{
    if (!parts_fit(packed))
        return damaged(frame, "its parts have other sizes than the whole", error);
    if (packed->size > INT32_MAX)
        return damaged(frame, "it would unpack to more bytes than a frame may have", error);
    if (packed->kind == KIFU__FRAME_HEADER || packed->kind == KIFU__FRAME_END || packed->kind == KIFU__FRAME_PACKED)
        return damaged(frame, "it contains a frame that must not be packed", error);
    unsigned char *bytes = (unsigned char *)kifu__new(memory, packed->size);
    if (!bytes)
        return kifu__not_loaded(error, frame->offset, KIFU_NO_MEMORY);
    kifu_result result = unpack_parts(codec, packed, bytes);
    const char *reason = "its codec cannot unpack it";
    uint32_t size = packed->size;
    if (!result && kifu__has_columns(packed->kind)) {
        unsigned char *columns = bytes;
        result = kifu__unpack(columns, size, memory, &bytes, &size, &reason);
        kifu__free(memory, columns);
    }
    if (result) {
        kifu__free(memory, bytes);
        return result == KIFU_NO_MEMORY ? kifu__not_loaded(error, frame->offset, KIFU_NO_MEMORY)
                                        : damaged(frame, reason, error);
    }
    *inner = (kifu__frame){.kind = packed->kind, .size = size, .offset = frame->offset, .payload = bytes};
    return KIFU_OK;
}

const struct kifu_packing kifu_packing = {.pack = kifu__pack_frames, .take = kifu__take_packed};
