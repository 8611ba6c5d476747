// Loading: the reader takes the file into a new timeline; only then does the first Do run (restore.c).

#include <kifu/save.h>

#include "save/packing.h"
#include "save/recover.h"
#include "save/regroup.h"

// The file is of no more use when no segment is a part of it, nor is what was unpacked and is no segment. Segments come
// in the order in which they were unpacked.
static void release_unused(kifu_timeline *timeline)
{
    const kifu__memory *memory = &timeline->memory;
    kifu__blocks *blocks = &timeline->unpacked;
    uint32_t next = 0, kept = 0;
    bool needs_file = false;
    for (uint32_t i = 0; i < timeline->log.segment_count; i++) {
        const kifu__segment *segment = &timeline->log.segments[i];
        if (!segment->borrowed)
            continue;
        if ((uintptr_t)segment->bytes - (uintptr_t)timeline->file.bytes < timeline->file.size) {
            needs_file = true;
            continue;
        }
        while (blocks->items[next] != segment->bytes)
            kifu__free(memory, blocks->items[next++]);
        blocks->items[kept++] = blocks->items[next++];
    }
    while (next < blocks->count)
        kifu__free(memory, blocks->items[next++]);
    blocks->count = kept;
    if (!needs_file)
        kifu__os_release(&timeline->file, memory);
}

static kifu_result restore(kifu__reader *reader)
{
    kifu_timeline *timeline = reader->timeline;
    kifu_result result = kifu__log_regroup(&timeline->log);
    if (result)
        return kifu__error(reader->error, result, "out of memory for a save to load");
    result = kifu__restore_state(&reader->states, timeline, reader->error);
    if (result)
        return result;
    kifu__find_input(timeline);
    kifu__listeners_jump(timeline); // those that `prepare` has added
    result = kifu__show_anew(timeline, KIFU_OK);
    if (result && reader->error)
        *reader->error = timeline->error;
    return result;
}

static kifu__memory memory_of(const kifu_options *options)
{
    return options ? kifu__memory_of(options->allocate, options->allocate_context) : kifu__memory_of(NULL, NULL);
}

// The file's bytes pass to the timeline, or are released.
static kifu_result load(const kifu_rules *rules, kifu__file *file, const kifu_options *options,
                        kifu_timeline **timeline, kifu_error *error)
{
    kifu_result result = kifu_create(rules, options, timeline, error);
    if (result) {
        kifu__memory memory = memory_of(options);
        kifu__os_release(file, &memory);
        return result;
    }
    (*timeline)->file = *file;
    kifu__reader reader = {
        .timeline = *timeline,
        .error = error,
        .codec = (*timeline)->options.codec,
        .end = KIFU__NO_END,
        .header_room = {.memory = &(*timeline)->memory},
    };
    result = kifu__require_packing(reader.codec, error);
    if (!result)
        result = kifu__read_file_header(file->bytes, file->size, error);
    if (!result && options && options->recover)
        result = kifu__recover(&reader, file, options->recover);
    else if (!result)
        result = kifu__read_frames(&reader, file);
    if (!result)
        result = restore(&reader);
    kifu__reader_close(&reader);
    if (result) {
        kifu_destroy(*timeline);
        *timeline = NULL;
    } else
        release_unused(*timeline);
    return result;
}

kifu_result kifu_load(const kifu_rules *rules, const char *path, const kifu_options *options, kifu_timeline **timeline,
                      kifu_error *error)
{
    kifu__memory memory = memory_of(options);
    kifu__file file;
    *timeline = NULL;
    kifu_result result = kifu__os_map(path, &memory, &file, error);
    return result ? result : load(rules, &file, options, timeline, error);
}

kifu_result kifu_load_from_memory(const kifu_rules *rules, const void *bytes, size_t size, const kifu_options *options,
                                  kifu_timeline **timeline, kifu_error *error)
{
    kifu__memory memory = memory_of(options);
    *timeline = NULL;
    kifu__file file = {.bytes = (unsigned char *)kifu__new(&memory, size), .size = size};
    if (!file.bytes)
        return kifu__error(error, KIFU_NO_MEMORY, "out of memory for a save of %zu bytes", size);
    if (size)
        memcpy(file.bytes, bytes, size);
    return load(rules, &file, options, timeline, error);
}
