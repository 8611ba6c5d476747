/// Pools: arrays in the state for entities that come and go. A handle never refers to another entity than its own.
///
/// A pool is an array of structs in the state with the attribute `(pool)`, whose struct begins with `slot: kifu.Slot;`.
/// For `monsters: [Monster: 64] (pool);` kifuc generates these functions, which undo takes back like any edit:
///
///     kifu_handle dungeon_spawn_monsters(timeline);                  all zeros; KIFU_NO_HANDLE: the pool is full
///     void dungeon_despawn_monsters(timeline, handle);
///     const dungeon_monster *dungeon_get_monsters(state, handle);    NULL: the handle is stale
///     kifu_handle dungeon_next_monsters(state, previous);            in the order of the array
///     int16_t *dungeon_edit_monsters_hp(timeline, handle);           misuse if the handle is stale
///
/// Entities and events refer to entities by handles: `target: uint;` in the schema. A handle is *stale* when its entity
/// is gone. A loop may remove the entity at which it is:
///
///     for (kifu_handle each = 0; (each = dungeon_next_monsters(state, each)) != 0;)
///         if (dungeon_get_monsters(state, each)->hp <= 0)
///             dungeon_despawn_monsters(timeline, each);
///
/// A view can follow a pool: a listener of elements (listen.h) is told which entities came, went and changed.
#ifndef KIFU_POOL_H
#define KIFU_POOL_H

#include <stdint.h>

#include "event.h"
#include "state.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A number for one entity: its index in the lower 16 bits, the generation of its slot in the upper 16. It is plain
/// data, for events and the state. A stale handle stays stale: a slot holds at most 32,767, one after the other.
typedef uint32_t kifu_handle;

/// The handle of nothing: zeroed memory has it.
#define KIFU_NO_HANDLE ((kifu_handle)0)

/// The first member of every struct in a pool: `kifu.Slot` in schema/kifu.fbs.
typedef struct kifu_slot {
    uint16_t generation; ///< Odd while an entity is in the slot.
} kifu_slot;

/// A pool, as generated code describes it.
typedef struct kifu__pool {
    const char *name; ///< "monsters".
    uint32_t offset;  ///< In the state.
    uint32_t stride;  ///< Of one element.
    uint32_t count;   ///< Of elements; at most 65,535.
} kifu__pool;

/// Index of an entity in its array.
static inline uint32_t kifu_handle_index(kifu_handle handle)
{
    return handle & 0xffff;
}

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
