// Packed frames, for loads: unpacked, and taken as if they were in the file.

#include "save/reader.h"

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
    kifu_result result = kifu__take_frame(reader, inner);
    if (result && reader->error) {
        kifu__add_words(reader, "this is inside the packed frame at byte ", frame->offset, ", after unpacking");
        reader->error->offset = frame->offset;
    }
    return result;
}

kifu_result kifu__take_packed(kifu__reader *reader, const kifu__frame *frame, const kifu__save_packed *fields)
{
    const kifu_codec *codec = reader->codec;
    kifu__frame inner;
    if (strcmp(codec->name, (const char *)kifu__elements(&fields->codec)) != 0)
        return kifu__refuse_codec(reader, frame, fields);
    kifu_result result =
        codec->packing->unpack(codec, &reader->timeline->memory, frame, fields, &reader->packed, &inner, reader->error);
    return result ? result : kifu__take_inner(reader, frame, &inner);
}
