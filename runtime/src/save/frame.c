#include "save/frame.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/crc32c.h"
#include "wire/buffer.h"

// No text file begins so, and no transfer that changes line ends or bit 7 leaves it as it is.
static const unsigned char magic[8] = {0x89, 'K', 'I', 'F', 'U', '\r', '\n', 0x1A};

static uint32_t padding_of(uint32_t size)
{
    return (0 - size) & 7;
}

uint64_t kifu__frame_size(uint32_t size)
{
    return (uint64_t)KIFU__FRAME_HEAD + size + padding_of(size);
}

// Of a frame's kind and reserved word, then its payload. The length needs no checksum: a wrong one moves the end.
static KIFU__APART uint32_t frame_checksum(const unsigned char *header, const void *payload, uint32_t size)
{
    return kifu__crc32c(kifu__crc32c(0, header + 8, 8), payload, size);
}

// --- Writing ---------------------------------------------------------------------------------------------------------

kifu_result kifu__flush(kifu__sink *sink)
{
    size_t size = sink->used;
    sink->used = 0;
    return sink->write(sink->context, sink->gathered, size, sink->error);
}

static kifu_result write_bytes(kifu__sink *sink, const void *bytes, size_t size)
{
    if (size > sizeof sink->gathered - sink->used || size > sizeof sink->gathered / 2) {
        kifu_result result = kifu__flush(sink);
        if (result)
            return result;
    }
    if (size > sizeof sink->gathered / 2)
        return sink->write(sink->context, bytes, size, sink->error);
    if (size)
        memcpy(sink->gathered + sink->used, bytes, size);
    sink->used += size;
    return KIFU_OK;
}

kifu_result kifu__write_file_header(kifu__sink *sink)
{
    unsigned char header[KIFU__FILE_HEAD] = {0};
    memcpy(header, magic, sizeof magic);
    kifu__put32(header + 8, KIFU__FORMAT_VERSION);
    return write_bytes(sink, header, sizeof header);
}

// The others are segments and the schema, whose bytes are not the save's own. Frames of a later Kifu have none.
static bool has_link(uint32_t kind)
{
    return kind == KIFU__FRAME_HEADER || kind == KIFU__FRAME_COMMIT || kind == KIFU__FRAME_PACKED ||
           kind == KIFU__FRAME_ROOT;
}

// Where it is: a commit is no FlatBuffer.
static uint32_t link_of(uint32_t kind)
{
    return kind == KIFU__FRAME_COMMIT ? 0 : KIFU__LINK;
}

void kifu__put_link(const kifu__sink *sink, uint32_t kind, unsigned char *payload)
{
    if (has_link(kind))
        kifu__put32(payload + link_of(kind), kind == KIFU__FRAME_HEADER ? KIFU__LINK_MARK : sink->chain);
}

kifu_result kifu__write_frame(kifu__sink *sink, uint32_t kind, const void *payload, uint32_t size)
{
    static const unsigned char zeros[8] = {0};
    unsigned char header[KIFU__FRAME_HEAD] = {0};
    kifu__put32(header, size);
    kifu__put32(header + 8, kind);
    kifu__put32(header + 4, frame_checksum(header, payload, size));
    sink->chain = kifu__crc32c(sink->chain, header, sizeof header);
    kifu_result result = write_bytes(sink, header, sizeof header);
    if (!result)
        result = write_bytes(sink, payload, size);
    return result ? result : write_bytes(sink, zeros, padding_of(size));
}

// --- Reading ---------------------------------------------------------------------------------------------------------

kifu_result kifu__damaged(kifu_error *error, uint64_t offset, const char *format, ...)
{
    char what[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return kifu__error_at(error, KIFU_DAMAGED, offset, "%s; get another copy of the save", what);
}

kifu_result kifu__not_loaded(kifu_error *error, uint64_t offset, kifu_result result)
{
    return result ? kifu__error_at(error, result, offset, "%s while the save was loaded", kifu_result_text(result))
                  : KIFU_OK;
}

kifu_result kifu__read_file_header(const unsigned char *bytes, uint64_t size, kifu_error *error)
{
    if (size == 0 || memcmp(bytes, magic, size < sizeof magic ? (size_t)size : sizeof magic) != 0)
        return kifu__error_at(error, KIFU_NOT_A_SAVE, 0,
                              "this is not a Kifu save, because the file %s: choose another file",
                              size ? "does not begin as one" : "is empty");
    if (size < KIFU__FILE_HEAD)
        return kifu__error_at(error, KIFU_DAMAGED, size,
                              "the save was cut off after %u bytes, in its file header: get a whole copy of it",
                              (unsigned)size);
    uint32_t version = kifu__load32(bytes + 8);
    if (version > KIFU__FORMAT_VERSION)
        return kifu__error_at(error, KIFU_NEWER_FORMAT, 8,
                              "the save has format version %" PRIu32 ", this library reads version %d: update the game",
                              version, (int)KIFU__FORMAT_VERSION);
    if (version == 0 || kifu__load32(bytes + 12) != 0)
        return kifu__damaged(error, version == 0 ? 8 : 12, "the save's file header is damaged");
    if (version < KIFU__FORMAT_VERSION)
        return kifu__error_at(error, KIFU_UNSUPPORTED, 8,
                              "the save is of a program with Kifu 0.2 or before (format version %" PRIu32
                              "): convert it with the command `kifu json` of that version",
                              version);
    return KIFU_OK;
}

uint64_t kifu__peek_frame(const unsigned char *bytes, uint64_t size, uint64_t offset)
{
    if (offset > size || size - offset < KIFU__FRAME_HEAD)
        return 0;
    return kifu__frame_size(kifu__load32(bytes + offset));
}

kifu_result kifu__read_frame(const unsigned char *bytes, uint64_t size, uint64_t *offset, kifu__frame *frame,
                             kifu_error *error)
{
    uint64_t start = *offset;
    uint64_t whole = kifu__peek_frame(bytes, size, start);
    if (whole == 0 || whole > size - start)
        return kifu__error_at(error, KIFU_DAMAGED, start,
                              "the save was cut off: the frame at byte %" PRIu64 " needs %" PRIu64
                              " bytes, the file has %" PRIu64 " from there; get a whole copy of it",
                              start, whole ? whole : KIFU__FRAME_HEAD, size - start);
    const unsigned char *header = bytes + start;
    *frame = (kifu__frame){.offset = start,
                           .kind = kifu__load32(header + 8),
                           .size = kifu__load32(header),
                           .payload = header + KIFU__FRAME_HEAD};
    const char *wrong = NULL;
    uint32_t rest = kifu__load32(header + 12);
    for (uint32_t i = 0; i < padding_of(frame->size); i++)
        rest |= frame->payload[frame->size + i];
    if (rest)
        wrong = "bytes that must be zero are not";
    if (kifu__load32(header + 4) != frame_checksum(header, frame->payload, frame->size))
        wrong = "its checksum is wrong";
    if (wrong)
        return kifu__damaged(error, start, "the frame at byte %" PRIu64 " is damaged: %s", start, wrong);
    *offset = start + whole;
    return KIFU_OK;
}

// What a frame says of those in front of it.
static uint32_t link_in(const kifu__frame *frame)
{
    const uint32_t at = link_of(frame->kind);
    return frame->size < at + KIFU__LINK_SIZE ? 0 : kifu__load32(frame->payload + at);
}

kifu_result kifu__refuse_kind(kifu_error *error, const kifu__frame *frame, const char *of, uint32_t kind)
{
    return kifu__error_at(error, KIFU_NEWER_FORMAT, frame->offset,
                          "the save has a %s of kind %" PRIu32 ", which this program does not know: update the game",
                          of, kind);
}

kifu__buffer kifu__buffer_of(const kifu__frame *frame, kifu_error *error)
{
    return (kifu__buffer){
        .bytes = frame->payload, .size = frame->size, .offset = frame->offset + KIFU__FRAME_HEAD, .error = error};
}

kifu_result kifu__read_header(const kifu__frame *frame, kifu__blob *room, const kifu__save_header **header,
                              kifu_error *error)
{
    const kifu__buffer buffer = kifu__buffer_of(frame, error);
    const void *fields = NULL;
    if (frame->kind != KIFU__FRAME_HEADER)
        return kifu__damaged(error, frame->offset, "the save's first frame is of kind %" PRIu32 ", not its header",
                             frame->kind);
    if (link_in(frame) != KIFU__LINK_MARK)
        return kifu__damaged(error, frame->offset, "the save's header has no \"LINK\", so it is not of format 1.0");
    const kifu_result result = kifu__payload_read(&buffer, &kifu__save_header_table, room, &fields);
    *header = (const kifu__save_header *)fields;
    return result;
}

const char kifu__try_what[] = "get a whole copy of it" KIFU__TRY_RECOVERY;

kifu_result kifu__next_frame(kifu__chain *chain, const unsigned char *bytes, uint64_t size, kifu__frame *frame,
                             kifu_error *error)
{
    const kifu_result result = kifu__read_frame(bytes, size, &chain->offset, frame, error);
    const uint32_t before = chain->heads;
    if (result)
        return result;
    chain->heads = kifu__crc32c(before, bytes + frame->offset, KIFU__FRAME_HEAD);
    if (!has_link(frame->kind))
        return KIFU_OK;
    if (frame->offset == KIFU__FILE_HEAD || link_in(frame) == before) {
        chain->sound = chain->offset;
        return KIFU_OK;
    }
    chain->offset = chain->sound;
    return kifu__damaged(error, frame->offset,
                         "a frame of the save is missing, repeated or moved, between byte %" PRIu64
                         " and the frame at byte %" PRIu64,
                         chain->sound, frame->offset);
}
