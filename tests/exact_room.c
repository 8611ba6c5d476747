// See exact_room.h. It is a source of its own because the header of what it wraps is private.

#include "exact_room.h"

#include "base/memory.h"

bool grows_fast;

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
