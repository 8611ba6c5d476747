/// Blocks of memory that are freed together.
#ifndef KIFU_JSON_ARENA_H
#define KIFU_JSON_ARENA_H

#include <stddef.h>

#include "base/memory.h"

/// Zeroed, it is empty, and has its memory from malloc.
typedef struct kifu__arena {
    kifu__memory memory; ///< Where the blocks are from; zeroed: malloc.
    struct kifu__arena_block *blocks;
} kifu__arena;

/// Zeroed bytes, 16-aligned; NULL without memory.
void *kifu__arena_new(kifu__arena *arena, size_t count, size_t size);
char *kifu__arena_text(kifu__arena *arena, const char *text);
void kifu__arena_free(kifu__arena *arena);

#endif
