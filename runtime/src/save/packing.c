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

// What the codec has made of the parts. It grows as they come: columns are often many times as large.
typedef struct output {
    unsigned char *bytes;
    uint32_t used, room;
    kifu__save_part *parts;
} output;

static kifu_result pack_part(const kifu_codec *codec, const kifu__memory *memory, const unsigned char *bytes,
                             uint32_t size, output *output, kifu__save_part *part)
{
    const size_t bound = codec->bound(codec->context, size);
    const uint64_t needed = output->used + (uint64_t)(bound > size ? bound : size);
    unsigned char *grown = (unsigned char *)kifu__grow(memory, output->bytes, &output->room, needed, 1);
    if (!grown)
        return KIFU_NO_MEMORY;
    output->bytes = grown;
    size_t packed_size = 0;
    unsigned char *to = grown + output->used;
    kifu_result result = codec->compress(codec->context, bytes, size, to, bound, &packed_size);
    if (result)
        return result;
    if (packed_size >= size) { // Bytes that the codec makes no smaller stay as they are.
        memcpy(to, bytes, size);
        packed_size = size;
    }
    *part = (kifu__save_part){.size = size, .packed_size = (uint32_t)packed_size};
    output->used += (uint32_t)packed_size;
    return KIFU_OK;
}

static kifu_result pack_parts(const kifu_codec *codec, const kifu__memory *memory, const kifu__columns *columns,
                              output *output)
{
    const unsigned char *bytes = columns->bytes;
    output->parts = (kifu__save_part *)kifu__new(memory, columns->part_count * sizeof *output->parts);
    kifu_result result = output->parts ? KIFU_OK : KIFU_NO_MEMORY;
    for (uint32_t i = 0; i < columns->part_count && !result; i++) {
        result = pack_part(codec, memory, bytes, columns->parts[i], output, &output->parts[i]);
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
        kifu__build_vector(&out, offsetof(kifu__save_packed, bytes), output.bytes, output.used, output.used, 8);
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

// How many events go into one packed frame, when segments are joined: long columns pack better, but all columns of a
// frame are in memory when it is packed, and one of its parts when it is loaded.
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
    plan->version = plan->version > KIFU__PACKED_VERSION ? plan->version : KIFU__PACKED_VERSION;
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

// The progress function is called behind each frame of so many bytes.
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
        case KIFU__FRAME_NOTES:
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

// One part after the other. Of those that were packed, the last one that was asked for is in memory.
typedef struct part_source {
    kifu__column_source source;
    const kifu_codec *codec;
    const kifu__memory *memory;
    const kifu__save_packed *packed;
    uint32_t part;                // Where it is.
    uint32_t unpacked;            // The part in `bytes`, and 1; 0: none.
    uint64_t start, packed_start; // of the part
    unsigned char *bytes;         // with room for the largest part that is packed
} part_source;

static bool make_room(part_source *from)
{
    const kifu__save_part *parts = (const kifu__save_part *)kifu__elements(&from->packed->parts);
    uint32_t most = 1;
    for (uint32_t i = 0; i < kifu__length(&from->packed->parts); i++) {
        if (parts[i].size != parts[i].packed_size && parts[i].size > most)
            most = parts[i].size;
    }
    from->bytes = (unsigned char *)kifu__new(from->memory, most);
    return from->bytes;
}

static kifu_result read_part(kifu__column_source *source, uint64_t at, const unsigned char **bytes, uint32_t *size)
{
    part_source *from = (part_source *)source;
    const kifu_codec *codec = from->codec;
    const kifu__save_part *parts = (const kifu__save_part *)kifu__elements(&from->packed->parts);
    if (at < from->start) {
        from->part = 0;
        from->start = from->packed_start = 0;
    }
    while (at - from->start >= parts[from->part].size) {
        from->start += parts[from->part].size;
        from->packed_start += parts[from->part++].packed_size;
    }
    const kifu__save_part *part = &parts[from->part];
    const unsigned char *packed = (const unsigned char *)kifu__elements(&from->packed->bytes) + from->packed_start;
    *size = part->size - (uint32_t)(at - from->start);
    *bytes = (part->size == part->packed_size ? packed : from->bytes) + (at - from->start);
    if (part->size == part->packed_size || from->unpacked == from->part + 1)
        return KIFU_OK;
    from->unpacked = from->part + 1;
    return codec->decompress(codec->context, packed, part->packed_size, from->bytes, part->size);
}

static kifu_result unpack_columns(const kifu_codec *codec, const kifu__memory *memory, const kifu__save_packed *packed,
                                  kifu__frame *inner, const char **reason)
{
    part_source from = {.source = {packed->size, read_part}, .codec = codec, .memory = memory, .packed = packed};
    unsigned char *bytes = NULL;
    kifu_result result = make_room(&from) ? KIFU_OK : KIFU_NO_MEMORY;
    if (!result)
        result = kifu__unpack_from(&from.source, memory, &bytes, &inner->size, reason);
    kifu__free(memory, from.bytes);
    inner->payload = bytes;
    return result;
}

static kifu_result unpack_bytes(const kifu_codec *codec, const kifu__memory *memory, const kifu__save_packed *packed,
                                kifu__frame *inner)
{
    unsigned char *bytes = (unsigned char *)kifu__new(memory, packed->size);
    kifu_result result = bytes ? unpack_parts(codec, packed, bytes) : KIFU_NO_MEMORY;
    if (result)
        kifu__free(memory, bytes);
    inner->payload = bytes;
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
    const char *reason = "its codec cannot unpack it";
    *inner = (kifu__frame){.kind = packed->kind, .size = packed->size, .offset = frame->offset};
    const kifu_result result = kifu__has_columns(packed->kind) ? unpack_columns(codec, memory, packed, inner, &reason)
                                                               : unpack_bytes(codec, memory, packed, inner);
    return result == KIFU_NO_MEMORY ? kifu__not_loaded(error, frame->offset, KIFU_NO_MEMORY)
           : result                 ? damaged(frame, reason, error)
                                    : KIFU_OK;
}

const struct kifu_packing kifu_packing = {.pack = kifu__pack_frames, .take = kifu__take_packed};
