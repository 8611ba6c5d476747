// The packed frame: all others of a save in one block, through a codec or as they are; and back.

#include "save/packing.h"

#include <inttypes.h>
#include <stdio.h>

#include "save/reader.h"
#include "save/write_commit.h"
#include "wire/buffer.h"

const kifu_codec kifu_compact = {.name = "", .packing = &kifu_packing};

// --- Packing ---------------------------------------------------------------------------------------------------------

// A frame in the block: its kind, the size of its payload, and at a multiple of 8 the payload.
static void add_frame(kifu__blob *block, const kifu__piece *piece)
{
    kifu__add_number(block, piece->kind);
    kifu__add_number(block, piece->size);
    kifu__build(block, 0, piece->payload, piece->size, 8);
}

// Says how far it is: so many events of the path are packed. What is beside it is not counted.
static kifu_result tell_packed(kifu__plan *plan, uint64_t count)
{
    const kifu__log *log = &plan->timeline->log;
    const uint64_t all = log->branch->end - log->begin;
    plan->result = kifu__tick(plan->timeline, count < all ? count : all, all + 1);
    return plan->result;
}

static void pack_events(kifu__commit *commit, kifu__branch *branch, uint32_t first, uint32_t end)
{
    uint64_t count = commit->plan->events;
    for (uint32_t next; first < end && !commit->plan->result; first = next) {
        next = end - first < KIFU__MOST_JOINED ? end : first + KIFU__MOST_JOINED;
        kifu__as_rows.events(commit, branch, first, next);
        count += next - first;
        if (!commit->plan->result && next < end)
            tell_packed(commit->plan, count);
    }
}

// All pieces but the first. `*plain`: how many bytes their frames have.
static kifu_result make_block(kifu__plan *plan, kifu__blob *block, uint64_t *plain)
{
    for (uint32_t i = 1; i < plan->count && !block->result; i++) {
        add_frame(block, &plan->pieces[i]);
        *plain += kifu__frame_size(plan->pieces[i].size);
    }
    return block->result ? block->result : tell_packed(plan, plan->events);
}

// The payload of a packed frame: KIFU__PACKED_HEAD bytes, the length of the codec's name, that, and what the codec has
// made of the block; or 0 and the block, where that is not longer.
static kifu_result make_payload(const kifu_codec *codec, const kifu__blob *block, kifu__blob *payload)
{
    const size_t bound = codec->compress ? codec->bound(codec->context, block->size) : 0;
    const uint32_t name_size = (uint32_t)strlen(codec->name);
    size_t size = block->size;
    kifu__build(payload, 0, NULL, KIFU__PACKED_HEAD, 1);
    kifu__add_number(payload, name_size);
    kifu__build(payload, 0, codec->name, name_size, 1);
    const uint32_t at = payload->size;
    if (bound)
        kifu__build(payload, 0, NULL, bound, 1);
    kifu_result result = payload->result;
    if (!result && codec->compress)
        result = codec->compress(codec->context, block->bytes, block->size, payload->bytes + at, bound, &size);
    if (result)
        return result;
    payload->size = at + (uint32_t)size;
    if (size >= block->size) {
        payload->size = KIFU__PACKED_HEAD;
        kifu__add_number(payload, 0);
        kifu__build(payload, 0, block->bytes, block->size, 1);
    }
    if (payload->result)
        return payload->result;
    kifu__put32(payload->bytes, block->size);
    return KIFU_OK;
}

// Drops the pieces from number `count` on.
static void cut_pieces(kifu__plan *plan, uint32_t count)
{
    while (plan->count > count) {
        const kifu__piece *piece = &plan->pieces[--plan->count];
        plan->size -= kifu__frame_size(piece->size);
        if (piece->owned)
            kifu__free(&plan->timeline->memory, piece->payload);
    }
}

// A load needs memory for the block and for the segments that are made of it, of which an event takes more than its
// row.
static bool may_unpack(const kifu__plan *plan, const kifu__blob *block, uint32_t size)
{
    enum { MORE = 24 };
    return 2 * (uint64_t)block->size + MORE * plan->events <=
           KIFU__UNPACKED_FREE + (uint64_t)size * KIFU__UNPACKED_TIMES;
}

static kifu_result pack(kifu__plan *plan, const kifu_codec *codec, bool with_state)
{
    const kifu__event_form packed_rows = {.events = pack_events, .waiting = kifu__as_rows.waiting};
    const kifu__memory *memory = &plan->timeline->memory;
    const uint32_t count = plan->count;
    kifu__shapes shapes = {.memory = memory};
    kifu__blob block = {.memory = memory}, payload = {.memory = memory};
    uint64_t plain = 0;
    kifu__plan_whole(plan, &shapes, &packed_rows, with_state);
    kifu__shapes_free(&shapes);
    kifu_result result = plan->result ? plan->result : make_block(plan, &block, &plain);
    if (!result)
        result = make_payload(codec, &block, &payload);
    kifu__free(memory, block.bytes);
    const bool shorter = plan->events || kifu__frame_size(payload.size) < plain; // Segments are longer than rows.
    if (!result && shorter && may_unpack(plan, &block, payload.size)) {
        cut_pieces(plan, 1);
        kifu__plan_add(plan, KIFU__FRAME_PACKED, payload.bytes, payload.size, true);
        return plan->result;
    }
    kifu__free(memory, payload.bytes);
    if (result && result != KIFU_TOO_LARGE) // That is to be packed, not to be saved.
        return result;
    cut_pieces(plan, count);
    plan->result = KIFU_OK;
    kifu__plan_rest(plan, with_state, NULL);
    return plan->result;
}

// --- Unpacking -------------------------------------------------------------------------------------------------------

bool kifu__is_codec_of(const kifu_codec *codec, const kifu__packed *packed)
{
    return !packed->name_size ||
           (strlen(codec->name) == packed->name_size && !memcmp(codec->name, packed->name, packed->name_size));
}

static kifu_result damaged_packed(const kifu__frame *frame, const char *reason, kifu_error *error)
{
    return kifu__damaged(error, frame->offset, "the packed frame at byte %" PRIu64 " is damaged: %s", frame->offset,
                         reason);
}

// The next frame. NULL, or what is wrong with it.
static const char *next_packed_frame(kifu__bytes *from, const unsigned char *block, kifu__frame *inner)
{
    inner->kind = kifu__parse_number(from);
    inner->size = kifu__parse_number(from);
    const unsigned char *padding = from->at;
    const uint32_t padded = from->good ? (uint32_t)(block - from->at) & 7 : 0;
    (void)kifu__parse_bytes(from, padded);
    inner->payload = kifu__parse_bytes(from, inner->size);
    if (!inner->payload)
        return "a frame in it ends too late";
    for (uint32_t i = 0; i < padded; i++) {
        if (padding[i])
            return "bytes that must be zero are not";
    }
    return inner->kind == KIFU__FRAME_SCHEMA || inner->kind == KIFU__FRAME_ROOT || inner->kind == KIFU__FRAME_COMMIT
               ? NULL
               : "it contains a frame that must not be packed";
}

static kifu_result take_block(const kifu__frame *frame, const unsigned char *block, uint32_t size,
                              kifu__take_inner *take, void *context, kifu_error *error)
{
    kifu__bytes from = {block, block + size, true};
    kifu_result result = KIFU_OK;
    while (!result && from.at < from.end) {
        kifu__frame inner = {.offset = frame->offset};
        const char *wrong = next_packed_frame(&from, block, &inner);
        result = wrong ? damaged_packed(frame, wrong, error) : take(context, &inner);
    }
    return result;
}

// Payloads lie at multiples of 8 there.
kifu_result kifu__unpack(const kifu_codec *codec, const kifu__memory *memory, const kifu__frame *frame,
                         const kifu__packed *packed, unsigned char **block, kifu__take_inner *take, void *context,
                         kifu_error *error)
{
    *block = NULL;
    if (!packed->name_size && packed->size != packed->packed_size)
        return damaged_packed(frame, "it has another size than it says", error);
    *block = (unsigned char *)kifu__new(memory, packed->size);
    if (!*block)
        return kifu__not_loaded(error, frame->offset, KIFU_NO_MEMORY);
    if (!packed->name_size) {
        memcpy(*block, packed->bytes, packed->size);
        return take_block(frame, *block, packed->size, take, context, error);
    }
    const kifu_result result =
        codec->decompress(codec->context, packed->bytes, packed->packed_size, *block, packed->size);
    return result == KIFU_NO_MEMORY ? kifu__not_loaded(error, frame->offset, KIFU_NO_MEMORY)
           : result                 ? damaged_packed(frame, "its codec cannot unpack it", error)
                                    : take_block(frame, *block, packed->size, take, context, error);
}

// --- For loads -------------------------------------------------------------------------------------------------------

static kifu_result take_inner(void *context, const kifu__frame *inner)
{
    kifu__reader *reader = (kifu__reader *)context;
    reader->unpacked += inner->size;
    const kifu_result result = reader->ended ? damaged_packed(inner, "it goes on behind its end", reader->error)
                                             : kifu__load_frame(reader, inner);
    if (result) {
        kifu__add_words(reader, "this is inside the packed frame at byte ", inner->offset, ", after unpacking");
        reader->error->offset = inner->offset;
    }
    return result ? result : kifu__report_read(reader, inner->offset);
}

// It is the last frame.
static kifu_result take_packed(kifu__reader *reader, const kifu__frame *frame, const kifu__packed *packed)
{
    const kifu_codec *codec = reader->options->codec;
    if (!kifu__is_codec_of(codec, packed)) {
        char given[70];
        snprintf(given, sizeof given, "'%.60s'", *codec->name ? codec->name : kifu__compact_name);
        return kifu__refuse_codec(reader, frame, packed, given);
    }
    if (reader->commits.begun || reader->segment_count)
        return damaged_packed(frame, "other frames stand in front of it", reader->error);
    reader->commits.rows = &kifu__row_functions;
    const kifu_result result = kifu__unpack(codec, &reader->timeline->memory, frame, packed, &reader->block, take_inner,
                                            reader, reader->error);
    return !result && !reader->ended ? damaged_packed(frame, "it has no end", reader->error) : result;
}

const struct kifu_packing kifu_packing = {.pack = pack, .take = take_packed};
