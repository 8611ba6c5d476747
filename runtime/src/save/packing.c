// The packed frame: all others of a save in one block, through a codec or as they are; and back.

#include "save/packing.h"

#include <inttypes.h>

#include "save/reader.h"
#include "save/rows.h"
#include "wire/buffer.h"

const kifu_codec kifu_compact = {.name = "", .packing = &kifu_packing};

// Whether the payload of such a frame is a segment, in the block a run of rows.
static bool has_rows(uint32_t kind)
{
    kind &= ~(uint32_t)KIFU__OF_LINE;
    return kind == KIFU__FRAME_SEGMENT || kind == KIFU__FRAME_PENDING;
}

// --- Packing ---------------------------------------------------------------------------------------------------------

// The most events of a run that is made of several segments: a load makes one segment of it.
enum { MOST_JOINED = 65536 };

// How many pieces from `first` on become one run: segments of events that follow each other, so that the bytes do not
// depend on where segments ended in memory. `*count`: of their events.
static uint32_t joined(const kifu__plan *plan, uint32_t first, uint32_t *count)
{
    const kifu__piece *piece = &plan->pieces[first];
    uint32_t pieces = 0;
    *count = 0;
    for (uint32_t version = 0; pieces < plan->count - first && piece->kind == plan->pieces[first].kind; piece++) {
        const kifu__segment segment = kifu__segment_of(piece->payload, piece->size);
        if (pieces && (segment.rules_version != version || segment.count > MOST_JOINED - *count))
            break;
        version = segment.rules_version;
        *count += segment.count;
        pieces++;
        if (*count > MOST_JOINED || (piece->kind & ~(uint32_t)KIFU__OF_LINE) == KIFU__FRAME_PENDING)
            break;
    }
    return pieces;
}

// Each frame: its kind, and rows, or the size of the payload and its bytes. Returns how many pieces became one.
static uint32_t add_frame(kifu__blob *block, kifu__shapes *shapes, const kifu__plan *plan, uint32_t first)
{
    const kifu__piece *piece = &plan->pieces[first];
    uint32_t pieces = 1, count;
    kifu__add_number(block, piece->kind);
    if (!has_rows(piece->kind)) {
        kifu__add_number(block, piece->size);
        kifu__build(block, 0, piece->payload, piece->size, 1);
        return 1;
    }
    pieces = joined(plan, first, &count);
    for (uint32_t i = 0; i < pieces; i++, piece++) {
        const kifu__segment segment = kifu__segment_of(piece->payload, piece->size);
        if (!i)
            kifu__rows_begin(block, count, segment.rules_version);
        kifu__rows_of(block, shapes, plan->timeline->rules, &segment, 0, segment.count);
    }
    return pieces;
}

// The progress function is called behind each frame of so many bytes.
enum { TELL_AFTER = 1 << 18 };

// All pieces but the first and the last. `*plain`: how many bytes their frames have.
static kifu_result make_block(kifu__plan *plan, kifu__blob *block, uint64_t *plain)
{
    kifu_timeline *timeline = plan->timeline;
    kifu__shapes shapes = {.memory = &timeline->memory};
    uint64_t told = 0;
    for (uint32_t i = 1, end = 1; end + 1 < plan->count && !block->result && !plan->result;) {
        end += add_frame(block, &shapes, plan, i);
        for (; i < end; i++)
            *plain += kifu__frame_size(plan->pieces[i].size);
        if (*plain - told >= TELL_AFTER && !block->result)
            plan->result = kifu__tick(timeline, told = *plain, plan->size);
    }
    kifu__shapes_free(&shapes);
    return block->result ? block->result : plan->result;
}

// The payload of a packed frame: KIFU__PACKED_HEAD bytes, the length of the codec's name, that, and what the codec has
// made of the block; or 0 and the block, where that is not longer.
static kifu_result make_payload(const kifu__plan *plan, const kifu_codec *codec, const kifu__blob *block,
                                kifu__blob *payload)
{
    const size_t bound = codec->compress ? codec->bound(codec->context, block->size) : 0;
    const uint32_t name_size = (uint32_t)strlen(codec->name), begin = plan->timeline->log.begin;
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
    kifu__put32(payload->bytes + 8, begin);
    return KIFU_OK;
}

// In place of all pieces but the first and the last.
static void replace(kifu__plan *plan, const kifu__blob *payload, uint64_t plain)
{
    const uint32_t end = plan->count - 1;
    for (uint32_t i = 1; i < end; i++) {
        if (plan->pieces[i].owned)
            kifu__free(&plan->timeline->memory, plan->pieces[i].payload);
    }
    plan->pieces[1] =
        (kifu__piece){.kind = KIFU__FRAME_PACKED, .size = payload->size, .payload = payload->bytes, .owned = true};
    plan->pieces[2] = plan->pieces[end];
    plan->count = 3;
    plan->size += kifu__frame_size(payload->size) - plain;
    plan->version = KIFU__PACKED_VERSION;
}

static kifu_result pack(kifu__plan *plan, const kifu_codec *codec)
{
    const kifu__memory *memory = &plan->timeline->memory;
    kifu__blob block = {.memory = memory}, payload = {.memory = memory};
    uint64_t plain = 0;
    kifu_result result = plan->count > 2 ? make_block(plan, &block, &plain) : KIFU_TOO_LARGE;
    if (!result)
        result = make_payload(plan, codec, &block, &payload);
    kifu__free(memory, block.bytes);
    if (!result && kifu__frame_size(payload.size) < plain &&
        block.size + plain <= KIFU__UNPACKED_FREE + (uint64_t)payload.size * KIFU__UNPACKED_TIMES)
        replace(plan, &payload, plain);
    else
        kifu__free(memory, payload.bytes);
    return result == KIFU_TOO_LARGE ? KIFU_OK : result; // to be packed, not to be saved
}

// --- Unpacking -------------------------------------------------------------------------------------------------------

bool kifu__is_codec_of(const kifu_codec *codec, const kifu__packed *packed)
{
    return !packed->name_size ||
           (strlen(codec->name) == packed->name_size && !memcmp(codec->name, packed->name, packed->name_size));
}

static kifu_result damaged(const kifu__frame *frame, const char *reason, kifu_error *error)
{
    return kifu__damaged(error, frame->offset, "the packed frame at byte %" PRIu64 " is damaged: %s", frame->offset,
                         reason);
}

// The next frame, with its payload in new memory.
static kifu_result take_frame(const kifu__memory *memory, kifu__shapes *shapes, kifu__bytes *from, kifu__frame *inner,
                              const char **reason)
{
    unsigned char *bytes = NULL;
    kifu_result result = KIFU_OK;
    inner->kind = kifu__take_number(from);
    *reason = "it contains a frame that must not be packed";
    if (inner->kind == KIFU__FRAME_HEADER || inner->kind == KIFU__FRAME_END || inner->kind == KIFU__FRAME_PACKED ||
        inner->kind == KIFU__FRAME_COMMIT)
        return KIFU_DAMAGED;
    *reason = "a frame in it ends too late";
    if (has_rows(inner->kind)) {
        result = kifu__rows_read(shapes, from, &bytes, &inner->size, reason);
    } else {
        inner->size = kifu__take_number(from);
        const unsigned char *payload = kifu__take_bytes(from, inner->size);
        if (!payload)
            return KIFU_DAMAGED;
        bytes = (unsigned char *)kifu__new(memory, inner->size);
        if (bytes)
            memcpy(bytes, payload, inner->size);
        result = bytes ? KIFU_OK : KIFU_NO_MEMORY;
    }
    inner->payload = bytes;
    return result;
}

static kifu_result take_block(const kifu__memory *memory, const kifu__frame *frame, const unsigned char *block,
                              uint32_t size, kifu__take_inner *take, void *context, kifu_error *error)
{
    kifu__shapes shapes = {.memory = memory};
    kifu__bytes from = {block, block + size, true};
    kifu_result result = KIFU_OK;
    while (!result && from.at < from.end) {
        kifu__frame inner = {.offset = frame->offset};
        const char *reason;
        result = take_frame(memory, &shapes, &from, &inner, &reason);
        result = result == KIFU_DAMAGED ? damaged(frame, reason, error)
                 : result               ? kifu__not_loaded(error, frame->offset, result)
                                        : take(context, &inner);
    }
    kifu__shapes_free(&shapes);
    return result;
}

kifu_result kifu__unpack(const kifu_codec *codec, const kifu__memory *memory, const kifu__frame *frame,
                         const kifu__packed *packed, kifu__take_inner *take, void *context, kifu_error *error)
{
    if (!packed->name_size && packed->size != packed->packed_size)
        return damaged(frame, "it has another size than it says", error);
    if (!packed->name_size)
        return take_block(memory, frame, packed->bytes, packed->size, take, context, error);
    unsigned char *block = (unsigned char *)kifu__new(memory, packed->size);
    if (!block)
        return kifu__not_loaded(error, frame->offset, KIFU_NO_MEMORY);
    kifu_result result = codec->decompress(codec->context, packed->bytes, packed->packed_size, block, packed->size);
    result = result == KIFU_NO_MEMORY ? kifu__not_loaded(error, frame->offset, KIFU_NO_MEMORY)
             : result                 ? damaged(frame, "its codec cannot unpack it", error)
                                      : take_block(memory, frame, block, packed->size, take, context, error);
    kifu__free(memory, block);
    return result;
}

// --- For loads -------------------------------------------------------------------------------------------------------

// Whether something refers to what was unpacked: the log to its events, the load to all other frames until it is done.
static bool is_needed(const kifu__reader *reader, const kifu__frame *inner)
{
    const kifu__branch *branch = reader->timeline->log.branch;
    return !has_rows(inner->kind) ||
           (branch->segment_count && branch->segments[branch->segment_count - 1].bytes == inner->payload);
}

// It stays in memory of its own, as the file does, until the load is done.
static kifu_result take_inner(void *context, const kifu__frame *inner)
{
    kifu__reader *reader = (kifu__reader *)context;
    kifu__loaded *loaded = reader->loaded;
    const kifu__memory *memory = &reader->timeline->memory;
    void **blocks =
        (void **)kifu__grow(memory, loaded->blocks, &loaded->capacity, (uint64_t)loaded->count + 1, sizeof *blocks);
    if (!blocks) {
        kifu__free(memory, (void *)(uintptr_t)inner->payload);
        return kifu__not_loaded(reader->error, inner->offset, KIFU_NO_MEMORY);
    }
    loaded->blocks = blocks;
    blocks[loaded->count++] = (void *)(uintptr_t)inner->payload;
    reader->unpacked += inner->size;
    kifu_result result = kifu__take_frame(reader, inner);
    if (!is_needed(reader, inner))
        kifu__free(memory, blocks[--loaded->count]);
    if (result && reader->error) {
        kifu__add_words(reader, "this is inside the packed frame at byte ", inner->offset, ", after unpacking");
        reader->error->offset = inner->offset;
    }
    return result ? result : kifu__tell_read(reader, inner->offset);
}

static kifu_result take(kifu__reader *reader, const kifu__frame *frame, const kifu__packed *packed)
{
    if (kifu__is_codec_of(reader->codec, packed))
        return kifu__unpack(reader->codec, &reader->timeline->memory, frame, packed, take_inner, reader, reader->error);
    return kifu__refuse_codec(reader, frame, packed);
}

const struct kifu_packing kifu_packing = {.pack = pack, .take = take};
