/// Memory of one timeline: every allocation of the runtime goes through here.
#ifndef KIFU_SRC_MEMORY_H
#define KIFU_SRC_MEMORY_H

#include <kifu/timeline.h>

typedef struct kifu__memory {
    kifu_allocate *allocate;
    void *context;
} kifu__memory;

/// malloc, realloc and free, where `allocate` is NULL.
kifu__memory kifu__memory_of(kifu_allocate *allocate, void *context);

/// New bytes, not zeroed; NULL when there are none.
void *kifu__new(const kifu__memory *memory, size_t size);

/// NULL is allowed.
void kifu__free(const kifu__memory *memory, void *block);

/// Makes room for `needed` elements of `size` bytes in an array with room for `*capacity`, at least doubling it;
/// `block` may move. NULL, with nothing changed, when there is no memory or the size overflows.
void *kifu__grow(const kifu__memory *memory, void *block, uint32_t *capacity, uint64_t needed, size_t size);

#endif
