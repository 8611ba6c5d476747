// Pools: entities in an array of the state, behind handles.

#include "core/free_slots.h"
#include "core/timeline.h"

static uint32_t pool_place(const kifu__pool *pool, uint32_t index)
{
    return pool->offset + index * pool->stride;
}

static uint16_t generation_at(const unsigned char *state, const kifu__pool *pool, uint32_t index)
{
    uint16_t generation;
    memcpy(&generation, state + pool_place(pool, index), sizeof generation);
    return generation;
}

// Zeroes a slot and gives it its next generation. False where edits are not allowed, which is remembered.
static bool renew(kifu_timeline *timeline, const kifu__pool *pool, uint32_t index, uint16_t generation)
{
    unsigned char *slot = (unsigned char *)kifu__edit_windows(timeline, pool_place(pool, index), pool->stride);
    if (slot == timeline->scratch)
        return false;
    memset(slot, 0, pool->stride);
    memcpy(slot, &generation, sizeof generation);
    if (pool->count >= KIFU__LEAST_KNOWN)
        kifu__slot_changed(timeline, pool, index);
    return true;
}

kifu_handle kifu__pool_spawn(kifu_timeline *timeline, const kifu__pool *pool)
{
    const uint32_t index = kifu__first_free(timeline, pool);
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
