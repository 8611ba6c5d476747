// Packing of small saves: all frames but the header and the end become one. What a frame and a compressor need for
// each part would be most of their bytes.

#include <inttypes.h>
#include <stddef.h>

#include "save/packing.h"
#include "save/reader.h"
#include "save/tight.h"

static bool is_tight(uint32_t kind)
{
    return kind != KIFU__FRAME_HEADER && kind != KIFU__FRAME_SCHEMA && kind != KIFU__FRAME_ROOT &&
           kind != KIFU__FRAME_END;
}

static void add_frame(kifu__blob *frames, uint32_t kind, const void *payload, uint32_t size)
{
    const kifu__tight_head head = {kind, size};
    kifu__build(frames, 0, &head, sizeof head, 8);
    kifu__build(frames, 0, payload, size, 8);
    kifu__build(frames, 0, NULL, 0, 8);
}

// The frames of the plan from piece `first` on, to which the end does not belong.
static kifu_result gather(kifu__plan *plan, uint32_t first, kifu__blob *frames)
{
    kifu_result result = KIFU_OK;
    for (uint32_t i = first; i + 1 < plan->count && !result;) {
        const kifu__piece *piece = &plan->pieces[i];
        uint32_t count = 1;
        if (kifu__has_columns(piece->kind)) {
            kifu__columns columns;
            result = kifu__pack_columns(plan, i, &count, &columns);
            if (!result)
                add_frame(frames, plan->pieces[i].kind, columns.bytes, columns.size);
            kifu__columns_free(&columns, frames->memory);
        } else
            add_frame(frames, piece->kind, piece->payload, piece->size);
        i += count;
    }
    return result ? result : frames->result;
}

// The payload of the one packed frame. It has no bytes where it must not be.
static kifu_result make(kifu__plan *plan, uint32_t first, kifu__blob *payload)
{
    const kifu__memory *memory = &plan->timeline->memory;
    kifu__blob frames = {.memory = memory}, bytes = {.memory = memory};
    kifu_result result = gather(plan, first, &frames);
    if (!result && frames.size <= KIFU__TIGHT_MOST)
        result = kifu__tighten(memory, frames.bytes, frames.size, &bytes);
    if (!result && bytes.size && bytes.size < frames.size) {
        const kifu__save_packed packed = {.size = frames.size};
        const kifu__save_part part = {.size = frames.size, .packed_size = bytes.size};
        kifu__build_root(payload, NULL, &kifu__save_packed_table, &packed, sizeof packed);
        kifu__build_string(payload, offsetof(kifu__save_packed, codec), "kifu");
        kifu__build_vector(payload, offsetof(kifu__save_packed, parts), &part, 1, sizeof part, 4);
        kifu__build_vector(payload, offsetof(kifu__save_packed, bytes), bytes.bytes, bytes.size, bytes.size, 4);
        result = kifu__build_end(payload, NULL, &kifu__save_packed_table);
    }
    kifu__free(memory, frames.bytes);
    kifu__free(memory, bytes.bytes);
    return result == KIFU_TOO_LARGE ? KIFU_OK : result;
}

// In place of all pieces but those in front and the end.
static void replace(kifu__plan *plan, uint32_t first, const kifu__blob *payload, uint64_t others)
{
    kifu__piece *pieces = plan->pieces;
    const uint32_t end = plan->count - 1;
    for (uint32_t i = first; i < end; i++) {
        if (pieces[i].owned)
            kifu__free(&plan->timeline->memory, pieces[i].payload);
    }
    pieces[first] =
        (kifu__piece){.kind = KIFU__FRAME_PACKED, .size = payload->size, .payload = payload->bytes, .owned = true};
    pieces[first + 1] = pieces[end];
    plan->count = first + 2;
    plan->size += kifu__frame_size(payload->size) - others;
    plan->version = plan->version > KIFU__PACKED_VERSION ? plan->version : KIFU__PACKED_VERSION;
}

static kifu_result pack(kifu__plan *plan, const kifu_codec *codec)
{
    kifu__blob payload = {.memory = &plan->timeline->memory, .link = KIFU__LINK_SIZE};
    uint32_t first = 0;
    while (first < plan->count && !is_tight(plan->pieces[first].kind))
        first++;
    uint64_t others = 0;
    kifu_result result = plan->size < 4 * (uint64_t)KIFU__TIGHT_MOST ? make(plan, first, &payload) : KIFU_OK;
    if (!result)
        result = kifu__pack_frames(plan, codec);
    for (uint32_t i = first; i + 1 < plan->count; i++)
        others += kifu__frame_size(plan->pieces[i].size);
    if (!result && payload.size && kifu__frame_size(payload.size) < others)
        replace(plan, first, &payload, others);
    else
        kifu__free(payload.memory, payload.bytes);
    return result;
}

// --- Reading ---------------------------------------------------------------------------------------------------------

static kifu_result damaged(const kifu__frame *frame, const char *reason, kifu_error *error)
{
    return kifu__damaged(error, frame->offset, "the packed frame at byte %" PRIu64 " is damaged: %s", frame->offset,
                         reason);
}

// The payload of one frame in new memory, as it would be in the file.
static kifu_result make_inner(const kifu__reader *reader, const unsigned char *payload, kifu__frame *inner)
{
    const kifu__memory *memory = &reader->timeline->memory;
    unsigned char *bytes = NULL;
    const char *reason = "";
    kifu_result result = KIFU_OK;
    if (kifu__has_columns(inner->kind))
        result = kifu__unpack(payload, inner->size, memory, &bytes, &inner->size, &reason);
    else if (!(bytes = (unsigned char *)kifu__new(memory, inner->size + 1)))
        result = KIFU_NO_MEMORY;
    else
        memcpy(bytes, payload, inner->size);
    inner->payload = bytes;
    return result == KIFU_DAMAGED ? damaged(inner, reason, reader->error)
           : result               ? kifu__not_loaded(reader->error, inner->offset, result)
                                  : KIFU_OK;
}

static kifu_result take_frames(kifu__reader *reader, const kifu__frame *frame, const unsigned char *frames,
                               uint32_t size)
{
    kifu_result result = KIFU_OK;
    for (uint32_t at = 0; at < size && !result;) {
        kifu__tight_head head = {0};
        memcpy(&head, frames + at, size - at < sizeof head ? size - at : sizeof head);
        at += (uint32_t)sizeof head;
        if (at > size || head.size > size - at || !is_tight(head.kind) || head.kind == KIFU__FRAME_PACKED)
            return damaged(frame, "it does not unpack to frames", reader->error);
        kifu__frame inner = {.kind = head.kind, .size = head.size, .offset = frame->offset};
        result = make_inner(reader, frames + at, &inner);
        if (!result)
            result = kifu__take_inner(reader, frame, &inner);
        at += (head.size + 7) & ~UINT32_C(7);
    }
    return result;
}

static kifu_result loosen(kifu__reader *reader, const kifu__frame *frame, const kifu__save_packed *packed)
{
    const kifu__memory *memory = &reader->timeline->memory;
    const kifu__save_part *parts = (const kifu__save_part *)kifu__elements(&packed->parts);
    const unsigned char *bytes = (const unsigned char *)kifu__elements(&packed->bytes);
    const uint32_t size = packed->size, length = kifu__length(&packed->bytes);
    if (kifu__length(&packed->parts) != 1 || parts->size != size || parts->packed_size != length || !length ||
        length > size || size > KIFU__TIGHT_MOST)
        return damaged(frame, "its parts have other sizes than the whole", reader->error);
    unsigned char *frames = (unsigned char *)kifu__new(memory, size);
    kifu_result result = frames ? kifu__loosen(memory, bytes, length, frames, size) : KIFU_NO_MEMORY;
    result = result ? kifu__not_loaded(reader->error, frame->offset, result) : take_frames(reader, frame, frames, size);
    kifu__free(memory, frames);
    return result;
}

static kifu_result take(kifu__reader *reader, const kifu__frame *frame, const kifu__save_packed *fields)
{
    const bool all = strcmp((const char *)kifu__elements(&fields->codec), "kifu") == 0;
    return all ? loosen(reader, frame, fields) : kifu__take_packed(reader, frame, fields);
}

const struct kifu_packing kifu_small_packing = {.pack = pack, .take = take};
