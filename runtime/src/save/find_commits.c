// The commits of a log file, for followers who are behind those that are remembered.

#include "save/stream.h"

#include <stddef.h>

#include "save/packing.h"
#include "wire/buffer.h"

// The position behind a commit of a log file, after that of the one before it.
static void follow_position(kifu_stream_position *position, kifu__bytes records)
{
    kifu__bytes rest = records, body;
    uint32_t kind;
    if (kifu__next_record(&rest, &kind, &body) && kind == KIFU__POSITION) {
        const unsigned char *stream = kifu__parse_bytes(&body, 8);
        const uint32_t commit = kifu__parse_number(&body);
        const unsigned char *checksum = kifu__parse_bytes(&body, 4);
        if (checksum)
            *position = (kifu_stream_position){kifu__load64(stream), commit, kifu__load32(checksum)};
        return;
    }
    position->commit++;
    position->checksum = kifu__stream_checksum(position->checksum, records);
}

// The next frame, and the position behind it.
static bool next_commit_frame(const kifu__file *file, kifu__chain *chain, kifu__frame *frame,
                              kifu_stream_position *position)
{
    if (kifu__next_frame(chain, file->bytes, file->size, frame, NULL))
        return false;
    if (frame->kind == KIFU__FRAME_COMMIT)
        follow_position(position, kifu__records_in(frame->payload, frame->size));
    return true;
}

kifu_result kifu__find_commits(kifu_timeline *timeline, const char *path, const kifu_stream_position *since,
                               kifu__blob *commits, bool *found)
{
    kifu__file file;
    uint64_t size;
    kifu__chain chain = {.offset = KIFU__FILE_HEAD};
    kifu_stream_position position = {.stream = 0};
    kifu_result result = kifu__os_read(path, UINT64_MAX, &timeline->memory, &file, &size, &timeline->error);
    *found = false;
    if (result)
        return result;
    for (kifu__frame frame = {0}; next_commit_frame(&file, &chain, &frame, &position);) {
        const kifu__bytes records = kifu__records_in(frame.payload, frame.size);
        if (*found && frame.kind == KIFU__FRAME_COMMIT)
            kifu__add_commit(commits, records, position.checksum);
        *found = *found || !memcmp(&position, since, sizeof position);
    }
    kifu__os_release(&file, &timeline->memory);
    return commits->result ? kifu__error(&timeline->error, commits->result, "%s for the changes of a game",
                                         kifu_result_text(commits->result))
                           : KIFU_OK;
}

// But for what changes each time.
static bool is_same_header(const kifu__frame *frame, const kifu__piece *header)
{
    if (frame->kind != KIFU__FRAME_HEADER || frame->size != header->size)
        return false;
    const uint32_t fields = kifu__load32(header->payload);
    const uint32_t skipped[] = {fields + offsetof(kifu__save_header, event_count),
                                fields + offsetof(kifu__save_header, saved_at), KIFU__LINK};
    const uint32_t sizes[] = {sizeof((kifu__save_header *)0)->event_count, sizeof((kifu__save_header *)0)->saved_at,
                              KIFU__LINK_SIZE};
    for (uint32_t i = 0; i < frame->size; i++) {
        const bool skips = i - skipped[0] < sizes[0] || i - skipped[1] < sizes[1] || i - skipped[2] < sizes[2];
        if (!skips && frame->payload[i] != header->payload[i])
            return false;
    }
    return true;
}

kifu_result kifu__find_stream(kifu_timeline *timeline, const char *path, const kifu__piece *header,
                              kifu_stream_position *position, uint64_t *size, uint32_t *heads)
{
    kifu__file file;
    kifu__chain chain = {.offset = KIFU__FILE_HEAD};
    *position = (kifu_stream_position){.stream = 0};
    kifu_result result = kifu__os_read(path, UINT64_MAX, &timeline->memory, &file, size, &timeline->error);
    if (result)
        return result == KIFU_NOT_FOUND ? KIFU_OK : result;
    bool good = !kifu__read_file_header(file.bytes, file.size, NULL);
    kifu__frame frame = {0};
    while (good && chain.offset < file.size)
        good = next_commit_frame(&file, &chain, &frame, position) &&
               (!header || frame.offset != KIFU__FILE_HEAD || is_same_header(&frame, header));
    if (!good)
        position->stream = 0;
    *heads = chain.heads;
    kifu__os_release(&file, &timeline->memory);
    return KIFU_OK;
}
