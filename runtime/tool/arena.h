/// Memory for tools: a tool that has none left says so and ends.
#ifndef KIFU_TOOL_ARENA_H
#define KIFU_TOOL_ARENA_H

#include <stddef.h>

/// Blocks that are freed together. Zeroed, it is empty.
typedef struct kifu__arena {
    struct kifu__arena_block *blocks;
} kifu__arena;

/// Zeroed bytes, 16-aligned.
void *kifu__arena_new(kifu__arena *arena, size_t count, size_t size);
char *kifu__arena_text(kifu__arena *arena, const char *text);
void kifu__arena_free(kifu__arena *arena);

/// malloc, realloc.
void *kifu__must_grow(void *block, size_t size);

/// "kifu: out of memory", and the end of the process.
_Noreturn void kifu__no_memory(void);

#endif
