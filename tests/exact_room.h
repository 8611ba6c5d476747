/// Linked with -Wl,--wrap=kifu__grow, a suite gives each array room for as many as were asked for. So each element is
/// added to one that is full: what is written behind it is seen by test_allocate's fence, and each may lack memory.
#ifndef TESTS_EXACT_ROOM_H
#define TESTS_EXACT_ROOM_H

#include <stdbool.h>

#include "base/memory.h"

/// They grow by more, as they do otherwise: for games that are long.
static bool grows_fast;

void *__real_kifu__grow(const kifu__memory *memory, void *block, uint32_t *capacity, uint64_t needed, size_t size);
void *__wrap_kifu__grow(const kifu__memory *memory, void *block, uint32_t *capacity, uint64_t needed, size_t size);
void *__wrap_kifu__grow(const kifu__memory *memory, void *block, uint32_t *capacity, uint64_t needed, size_t size)
{
    if (grows_fast)
        return __real_kifu__grow(memory, block, capacity, needed, size);
    if (block && needed <= *capacity)
        return block;
    if (needed > UINT32_MAX || needed > SIZE_MAX / size)
        return NULL;
    void *grown = memory->allocate(memory->context, block, needed ? (size_t)needed * size : 1);
    if (grown)
        *capacity = (uint32_t)needed;
    return grown;
}

#endif
