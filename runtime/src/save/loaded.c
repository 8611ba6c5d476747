#include "save/loaded.h"

static void freed(kifu_timeline *timeline, kifu__part *part)
{
    kifu__loaded *loaded = (kifu__loaded *)(void *)part;
    kifu__os_release(&loaded->file, &timeline->memory);
    for (uint32_t i = 0; i < loaded->count; i++)
        kifu__free(&timeline->memory, loaded->blocks[i]);
    kifu__free(&timeline->memory, loaded->blocks);
}

static const kifu__part_table table = {.size = sizeof(kifu__loaded), .order = KIFU__LOADED, .freed = freed};

kifu__loaded *kifu__loaded_attach(kifu_timeline *timeline)
{
    return (kifu__loaded *)(void *)kifu__attach(timeline, &table);
}

// Segments come in the order in which they were unpacked.
void kifu__loaded_release(kifu_timeline *timeline, kifu__loaded *loaded)
{
    const kifu__memory *memory = &timeline->memory;
    uint32_t next = 0, left = 0;
    bool needs_file = false;
    for (uint32_t i = 0; i < timeline->log.segment_count; i++) {
        const kifu__segment *segment = &timeline->log.segments[i];
        if (!segment->borrowed)
            continue;
        if ((uintptr_t)segment->bytes - (uintptr_t)loaded->file.bytes < loaded->file.size) {
            needs_file = true;
            continue;
        }
        while (loaded->blocks[next] != segment->bytes)
            kifu__free(memory, loaded->blocks[next++]);
        loaded->blocks[left++] = loaded->blocks[next++];
    }
    while (next < loaded->count)
        kifu__free(memory, loaded->blocks[next++]);
    loaded->count = left;
    if (!needs_file)
        kifu__os_release(&loaded->file, memory);
}
