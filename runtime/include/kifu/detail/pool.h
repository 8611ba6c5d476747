/// Pools: what their generated functions call.
#ifndef KIFU_DETAIL_POOL_H
#define KIFU_DETAIL_POOL_H

#include <stddef.h>
#include <stdint.h>

#include "../pool.h"
#include "state.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A pool, as generated code describes it.
typedef struct kifu__pool {
    const char *name; ///< "monsters".
    uint32_t offset;  ///< In the state.
    uint32_t stride;  ///< Of one element.
    uint32_t count;   ///< Of elements; at most 65,535.
} kifu__pool;

/// The slot with this index.
static inline const kifu_slot *kifu__pool_slot(const void *state, const kifu__pool *pool, uint32_t index)
{
    return (const kifu_slot *)(const void *)((const unsigned char *)state + pool->offset +
                                             (size_t)index * pool->stride);
}

/// The handle of the entity in slot `index` of a pool; KIFU_NO_HANDLE if the slot is free.
static inline kifu_handle kifu__pool_handle_at(const void *state, const kifu__pool *pool, uint32_t index)
{
    if (index >= pool->count)
        return KIFU_NO_HANDLE;
    const uint32_t generation = kifu__pool_slot(state, pool, index)->generation;
    return generation & 1 ? index | generation << 16 : KIFU_NO_HANDLE;
}

/// The entity, or NULL for a stale handle.
static inline const void *kifu__pool_get(const void *state, const kifu__pool *pool, kifu_handle handle)
{
    const uint32_t index = kifu_handle_index(handle);
    if (index >= pool->count)
        return (const void *)0;
    const kifu_slot *slot = kifu__pool_slot(state, pool, index);
    const uint32_t generation = slot->generation;
    return generation & 1 && generation == handle >> 16 ? slot : (const void *)0;
}

/// The next entity by index. KIFU_NO_HANDLE leads to the first; after the last the result is KIFU_NO_HANDLE. `previous`
/// may be gone.
static inline kifu_handle kifu__pool_next(const void *state, const kifu__pool *pool, kifu_handle previous)
{
    for (uint32_t index = previous ? kifu_handle_index(previous) + 1 : 0; index < pool->count; index++) {
        const uint32_t generation = kifu__pool_slot(state, pool, index)->generation;
        if (generation & 1)
            return (uint16_t)index | generation << 16;
    }
    return KIFU_NO_HANDLE;
}

/// Makes an entity, zeroed, in the free slot of the lowest index; KIFU_NO_HANDLE: the pool is full. Allowed only where
/// edits are allowed.
kifu_handle kifu__pool_spawn(kifu_timeline *timeline, const kifu__pool *pool);

/// Removes an entity and zeroes its slot; a stale handle is misuse.
void kifu__pool_despawn(kifu_timeline *timeline, const kifu__pool *pool, kifu_handle handle);

/// Reports misuse, so that the Do fails and is taken back; returns 0.
uint32_t kifu__pool_stale(kifu_timeline *timeline, const kifu__pool *pool, kifu_handle handle);

/// Index of the entity that is to be edited. A stale handle is misuse, and the result is 0.
static inline uint32_t kifu__pool_index(kifu_timeline *timeline, const kifu__pool *pool, kifu_handle handle)
{
    const unsigned char *state = ((const kifu__core *)timeline)->state;
    return kifu__pool_get(state, pool, handle) ? kifu_handle_index(handle) : kifu__pool_stale(timeline, pool, handle);
}

#ifdef __cplusplus
}
#endif

#endif
