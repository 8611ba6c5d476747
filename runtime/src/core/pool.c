// Pools: entities in an array of the state, behind handles.

#include "core/timeline.h"

// A generation is odd while an entity is in the slot. The last even one is for ever: the slot is used up.
enum { LAST_GENERATION = 65534 };

static uint32_t place_of(const kifu__pool *pool, uint32_t index)
{
    return pool->offset + index * pool->stride;
}

static uint16_t generation_at(const unsigned char *state, const kifu__pool *pool, uint32_t index)
{
    uint16_t generation;
    memcpy(&generation, state + place_of(pool, index), sizeof generation);
    return generation;
}

static bool is_free(uint16_t generation)
{
    return !((generation & 1) | (generation == LAST_GENERATION)); // one jump for each slot
}

kifu_handle kifu__pool_next(const void *state, const kifu__pool *pool, kifu_handle previous)
{
    uint32_t index = previous ? kifu_handle_index(previous) + 1 : 0;
    for (; index < pool->count; index++) {
        kifu_handle handle = kifu__pool_handle_at(state, pool, index);
        if (handle)
            return handle;
    }
    return KIFU_NO_HANDLE;
}

// Zeroes a slot and gives it its next generation. False where edits are not allowed, which is remembered.
static bool renew(kifu_timeline *timeline, const kifu__pool *pool, uint32_t index, uint16_t generation)
{
    unsigned char *slot = (unsigned char *)kifu__edit_bytes(timeline, place_of(pool, index), pool->stride);
    if (slot == timeline->scratch)
        return false;
    memset(slot, 0, pool->stride);
    memcpy(slot, &generation, sizeof generation);
    return true;
}

kifu_handle kifu__pool_spawn(kifu_timeline *timeline, const kifu__pool *pool)
{
    uint32_t index = 0;
    while (index < pool->count && !is_free(generation_at(timeline->core.state, pool, index)))
        index++;
    if (index == pool->count)
        return KIFU_NO_HANDLE;
    const uint16_t generation = (uint16_t)(generation_at(timeline->core.state, pool, index) + 1);
    return renew(timeline, pool, index, generation) ? index | (kifu_handle)generation << 16 : KIFU_NO_HANDLE;
}

static void stale(kifu_timeline *timeline, const kifu__pool *pool, kifu_handle handle, const char *what)
{
    if (handle)
        kifu__fault(timeline, KIFU_MISUSE,
                    "handle 0x%08x of the pool %s is stale, but %s: test it with the pool's get function first",
                    (unsigned)handle, pool->name, what);
    else
        kifu__fault(timeline, KIFU_MISUSE, "KIFU_NO_HANDLE names nothing in the pool %s, but %s", pool->name, what);
}

void kifu__pool_despawn(kifu_timeline *timeline, const kifu__pool *pool, kifu_handle handle)
{
    if (kifu__pool_get(timeline->core.state, pool, handle))
        renew(timeline, pool, kifu_handle_index(handle), (uint16_t)((handle >> 16) + 1));
    else
        stale(timeline, pool, handle, "was removed again");
}

uint32_t kifu__pool_stale(kifu_timeline *timeline, const kifu__pool *pool, kifu_handle handle)
{
    stale(timeline, pool, handle, "was edited");
    return 0;
}
