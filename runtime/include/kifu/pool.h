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
/// A view can follow a pool: a listener of elements (listen.h) gets the entities that came, went or changed.
#ifndef KIFU_POOL_H
#define KIFU_POOL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A number for one entity: its index in the lower 16 bits, the generation of its slot in the upper 16. It is plain
/// data, for events and the state. A stale handle stays stale: a slot holds at most 32,767 entities, one after the
/// other.
typedef uint32_t kifu_handle;

/// The handle of nothing: zeroed memory has it.
#define KIFU_NO_HANDLE ((kifu_handle)0)

/// The first member of every struct in a pool: `kifu.Slot` in schema/kifu.fbs.
typedef struct kifu_slot {
    uint16_t generation; ///< Odd while an entity is in the slot.
} kifu_slot;

/// Index of an entity in its array.
static inline uint32_t kifu_handle_index(kifu_handle handle)
{
    return handle & 0xffff;
}

#ifdef __cplusplus
}
#endif

#endif
