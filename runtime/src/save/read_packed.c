// Packed frames, for loads: unpacked, and taken as if they were in the file.

#include <stdio.h>

#include "save/reader.h"

// Whether something refers to what was unpacked: the log to its events, the load to all other frames until it is done.
static bool is_needed(const kifu__reader *reader, const kifu__frame *inner)
{
    const kifu__log *log = &reader->timeline->log;
    return !kifu__has_columns(inner->kind) ||
           (log->branch->segment_count &&
            log->branch->segments[log->branch->segment_count - 1].bytes == inner->payload);
}

// It stays in memory of its own, as the file does, until the load is done.
kifu_result kifu__take_inner(kifu__reader *reader, const kifu__frame *frame, const kifu__frame *inner)
{
    kifu__loaded *loaded = reader->loaded;
    const kifu__memory *memory = &reader->timeline->memory;
    void **blocks =
        (void **)kifu__grow(memory, loaded->blocks, &loaded->capacity, (uint64_t)loaded->count + 1, sizeof *blocks);
    if (!blocks) {
        kifu__free(memory, (void *)(uintptr_t)inner->payload);
        return kifu__not_loaded(reader->error, frame->offset, KIFU_NO_MEMORY);
    }
    loaded->blocks = blocks;
    blocks[loaded->count++] = (void *)(uintptr_t)inner->payload;
    reader->unpacked += inner->size;
    kifu_result result = kifu__take_frame(reader, inner);
    if (!is_needed(reader, inner))
        kifu__free(memory, blocks[--loaded->count]);
    if (result && reader->error) {
        kifu__add_words(reader, "this is inside the packed frame at byte ", frame->offset, ", after unpacking");
        reader->error->offset = frame->offset;
    }
    return result;
}

kifu_result kifu__take_packed(kifu__reader *reader, const kifu__frame *frame, const kifu__save_packed *fields)
{
    const kifu_codec *codec = reader->codec;
    const char *name = (const char *)kifu__elements(&fields->codec);
    kifu__frame inner;
    if (strcmp(codec->name, name) != 0) {
        char given[160];
        const bool all = strcmp(name, "kifu") == 0;
        snprintf(given, sizeof given, "'%.60s'%s", codec->name, all ? ", whose packing is not kifu_small_packing" : "");
        return kifu__refuse_codec(reader, frame, fields, given);
    }
    kifu_result result = kifu__unpack_frame(codec, &reader->timeline->memory, frame, fields, &inner, reader->error);
    return result ? result : kifu__take_inner(reader, frame, &inner);
}
