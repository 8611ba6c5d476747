#include "save/packed.h"

#include <inttypes.h>
#include <stddef.h>

#include "save/pack.h"
#include "save/save_tables.h"

bool kifu__packed_sum_add(kifu__packed_sum *sum, uint32_t size, uint32_t unpacked)
{
    const kifu__packed_sum more = {.size = sum->size + size, .unpacked = sum->unpacked + unpacked};
    if (more.unpacked > KIFU__UNPACKED_FREE + more.size * KIFU__UNPACKED_TIMES)
        return false;
    *sum = more;
    return true;
}

// --- Writing ---------------------------------------------------------------------------------------------------------

// What the codec has made of the parts.
typedef struct output {
    unsigned char *bytes;
    size_t room;
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
static kifu_result pack_parts(const kifu_codec *codec, const kifu__memory *memory, const unsigned char *bytes,
                              const uint32_t *parts, uint32_t part_count, output *output)
{
    size_t most = 0, whole = 0;
    for (uint32_t i = 0; i < part_count; i++) {
        size_t bound = codec->bound(codec->context, parts[i]);
        whole += parts[i];
        most = bound > most ? bound : most;
    }
    output->bytes = (unsigned char *)kifu__new(memory, whole + most);
    output->parts = (kifu__save_part *)kifu__new(memory, part_count * sizeof *output->parts);
    kifu_result result = output->bytes && output->parts ? KIFU_OK : KIFU_NO_MEMORY;
    for (uint32_t i = 0; i < part_count && !result; i++) {
        result = pack_part(codec, bytes, parts[i], output, &output->parts[i]);
        bytes += parts[i];
    }
    return result;
}

kifu_result kifu__packed_write(const kifu_codec *codec, const kifu__memory *memory, uint32_t kind,
                               const unsigned char *bytes, const uint32_t *parts, uint32_t part_count,
                               unsigned char **payload, uint32_t *size)
{
    output output = {0};
    kifu_result result = pack_parts(codec, memory, bytes, parts, part_count, &output);
    if (!result) {
        kifu__save_packed packed = {.kind = kind};
        for (uint32_t i = 0; i < part_count; i++)
            packed.size += parts[i];
        kifu__blob out = {.memory = memory};
        kifu__build_root(&out, NULL, &kifu__save_packed_table, &packed, sizeof packed);
        kifu__build_string(&out, offsetof(kifu__save_packed, codec), codec->name);
        kifu__build_vector(&out, offsetof(kifu__save_packed, parts), output.parts, part_count,
                           part_count * sizeof *output.parts, 8);
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

kifu_result kifu__packed_read(const kifu_codec *codec, const kifu__memory *memory, const kifu__frame *frame,
                              const kifu__save_packed *packed, kifu__packed_sum *sum, kifu__frame *inner,
                              kifu_error *error)
{
    if (!parts_fit(packed))
        return damaged(frame, "its parts have other sizes than the whole", error);
    if (packed->kind == KIFU__FRAME_HEADER || packed->kind == KIFU__FRAME_END || packed->kind == KIFU__FRAME_PACKED)
        return damaged(frame, "it has what must not be packed", error);
    if (packed->size > INT32_MAX || !kifu__packed_sum_add(sum, frame->size, packed->size))
        return damaged(frame, "it would unpack to more than a save may", error);
    unsigned char *bytes = (unsigned char *)kifu__new(memory, packed->size);
    if (!bytes)
        return kifu__not_loaded(error, frame->offset, KIFU_NO_MEMORY);
    kifu_result result = unpack_parts(codec, packed, bytes);
    const char *reason = "its codec cannot unpack it";
    uint32_t size = packed->size;
    if (!result && (packed->kind == KIFU__FRAME_SEGMENT || packed->kind == KIFU__FRAME_PENDING)) {
        unsigned char *columns = bytes;
        result = kifu__unpack(columns, size, memory, &bytes, &size, &reason);
        kifu__free(memory, columns);
    }
    if (result) {
        kifu__free(memory, bytes);
        return result == KIFU_NO_MEMORY ? kifu__not_loaded(error, frame->offset, KIFU_NO_MEMORY)
                                        : damaged(frame, reason, error);
    }
    *inner = *frame;
    inner->kind = packed->kind;
    inner->size = size;
    inner->payload = bytes;
    return KIFU_OK;
}
