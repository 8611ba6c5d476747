#include "json/arena.h"

#include <stdint.h>
#include <string.h>

typedef struct kifu__arena_block {
    struct kifu__arena_block *next;
    max_align_t bytes[];
} block;

static kifu__memory memory_of(const kifu__arena *arena)
{
    return kifu__memory_of(arena->memory.allocate, arena->memory.context);
}

void *kifu__arena_new(kifu__arena *arena, size_t count, size_t size)
{
    const kifu__memory memory = memory_of(arena);
    if (size && count > (SIZE_MAX - sizeof(block)) / size)
        return NULL;
    block *made = (block *)kifu__new(&memory, sizeof *made + count * size);
    if (!made)
        return NULL;
    memset(made, 0, sizeof *made + count * size);
    made->next = arena->blocks;
    arena->blocks = made;
    return made->bytes;
}

char *kifu__arena_text(kifu__arena *arena, const char *text)
{
    const size_t size = strlen(text) + 1;
    char *made = (char *)kifu__arena_new(arena, size, 1);
    return made ? (char *)memcpy(made, text, size) : NULL;
}

void kifu__arena_free(kifu__arena *arena)
{
    const kifu__memory memory = memory_of(arena);
    while (arena->blocks) {
        block *next = arena->blocks->next;
        kifu__free(&memory, arena->blocks);
        arena->blocks = next;
    }
}
