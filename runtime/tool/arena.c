#include "tool/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct kifu__arena_block {
    struct kifu__arena_block *next;
    max_align_t bytes[];
} block;

void kifu__no_memory(void)
{
    fputs("kifu: out of memory\n", stderr);
    exit(2);
}

void *kifu__must_grow(void *old, size_t size)
{
    void *grown = realloc(old, size ? size : 1);
    if (!grown)
        kifu__no_memory();
    return grown;
}

void *kifu__arena_new(kifu__arena *arena, size_t count, size_t size)
{
    if (size && count > (SIZE_MAX - sizeof(block)) / size)
        kifu__no_memory();
    block *made = (block *)calloc(1, sizeof *made + count * size);
    if (!made)
        kifu__no_memory();
    made->next = arena->blocks;
    arena->blocks = made;
    return made->bytes;
}

char *kifu__arena_text(kifu__arena *arena, const char *text)
{
    const size_t size = strlen(text) + 1;
    return (char *)memcpy(kifu__arena_new(arena, size, 1), text, size);
}

void kifu__arena_free(kifu__arena *arena)
{
    while (arena->blocks) {
        block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
}
