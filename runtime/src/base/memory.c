#include "base/memory.h"

#include <stdlib.h>

static void *allocate_from_libc(void *context, void *block, size_t size)
{
    (void)context;
    if (size)
        return realloc(block, size);
    free(block);
    return NULL;
}

kifu__memory kifu__memory_of(kifu__allocate *allocate, void *context)
{
    kifu__memory memory = {.allocate = allocate ? allocate : allocate_from_libc, .context = context};
    return memory;
}

void *kifu__new(const kifu__memory *memory, size_t size)
{
    return memory->allocate(memory->context, NULL, size ? size : 1);
}

void kifu__free(const kifu__memory *memory, void *block)
{
    if (block)
        memory->allocate(memory->context, block, 0);
}

void *kifu__grow(const kifu__memory *memory, void *block, uint32_t *capacity, uint64_t needed, size_t size)
{
    if (block && needed <= *capacity)
        return block;
    uint64_t room = *capacity ? (uint64_t)*capacity * 2 : 16;
    if (room < needed)
        room = needed;
    if (room > UINT32_MAX)
        room = UINT32_MAX;
    if (room < needed || room > SIZE_MAX / size)
        return NULL;
    void *grown = memory->allocate(memory->context, block, (size_t)room * size);
    if (grown)
        *capacity = (uint32_t)room;
    return grown;
}
