/// Memory for the command: if there is none left, it says so and ends.
#ifndef KIFU_TOOL_MUST_H
#define KIFU_TOOL_MUST_H

#include <stddef.h>

/// realloc.
void *kifu__must_grow(void *block, size_t size);

/// `block`, which is what an allocation returned.
void *kifu__must(void *block);

#endif
