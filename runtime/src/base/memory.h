/// Memory of one timeline: every allocation of the runtime goes through here.
#ifndef KIFU_SRC_MEMORY_H
#define KIFU_SRC_MEMORY_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/// A kifu_allocate.
typedef void *kifu__allocate(void *context, void *block, size_t size);

typedef struct kifu__memory {
    kifu__allocate *allocate;
    void *context;
} kifu__memory;

/// malloc, realloc and free, where `allocate` is NULL.
kifu__memory kifu__memory_of(kifu__allocate *allocate, void *context);

/// New bytes, not zeroed; NULL when there are none.
void *kifu__new(const kifu__memory *memory, size_t size);

/// NULL is allowed.
void kifu__free(const kifu__memory *memory, void *block);

/// Makes room for `needed` elements of `size` bytes in an array with room for `*capacity`, at least doubling it;
/// `block` may move. NULL, with nothing changed, when there is no memory or the size overflows.
void *kifu__grow(const kifu__memory *memory, void *block, uint32_t *capacity, uint64_t needed, size_t size);

/// Where the library is compiled for size, it does without quick ways beside functions that can do all.
#if defined(__OPTIMIZE_SIZE__)
#define KIFU__QUICK 0
#else
#define KIFU__QUICK 1
#endif

/// Functions that gcc would inline there, although that takes more bytes: several times, or among large structs on the
/// stack.
#if defined(__GNUC__) && !KIFU__QUICK
#define KIFU__APART __attribute__((noinline))
#else
#define KIFU__APART
#endif

/// Copies a proposal's or an event's bytes: a multiple of 4, and mostly two to eight words, so that this is cheaper
/// than a call.
static inline void kifu__copy_blob(void *to, const void *from, uint32_t size)
{
    unsigned char first[16], last[16];
    if (!KIFU__QUICK) {
        memcpy(to, from, size);
        return;
    }
    if (size >= 8 && size <= 16) {
        memcpy(first, from, 8);
        memcpy(last, (const unsigned char *)from + size - 8, 8);
        memcpy(to, first, 8);
        memcpy((unsigned char *)to + size - 8, last, 8);
    } else if (size > 16 && size <= 32) {
        memcpy(first, from, 16);
        memcpy(last, (const unsigned char *)from + size - 16, 16);
        memcpy(to, first, 16);
        memcpy((unsigned char *)to + size - 16, last, 16);
    } else
        memcpy(to, from, size);
}

#endif
