/// Which slots of the pools are free, beside the state: a spawn takes the free slot of the lowest index without a
/// search, and no byte of the state says more than before.
///
/// What is known must follow whatever changes the state. A spawn or despawn says what it changes. Each of these is
/// remembered with its event, so that what an undo may have brought back is looked at again. Everything else (a state
/// that comes from a keyframe or a save, a transaction in a Do that is rolled back, an edit that may reach the
/// generation of a slot) makes all be looked at again; and after such an edit the pool is searched until its event
/// ends.
///
/// A list of free slots in the state would be state: each spawn would have to edit, journal, hash and save it, and old
/// saves would lead to other slots. The lowest index keeps entities together at the front. Changes are remembered for
/// the last 256 events. Pools of at most 64 slots are searched, which is as fast.
#ifndef KIFU_SRC_FREE_SLOTS_H
#define KIFU_SRC_FREE_SLOTS_H

#include <kifu/kifu.h>

/// A generation is odd while an entity is in the slot. The last even one stays for ever: the slot is used up.
enum { KIFU__LAST_GENERATION = 65534 };

static inline bool kifu__is_free(uint16_t generation)
{
    return !(generation & 1) && !KIFU__COLD_TRUE(generation == KIFU__LAST_GENERATION);
}

/// A smaller pool is searched, and nothing is known of it.
enum { KIFU__LEAST_KNOWN = 65 };

/// The lowest index of a free slot; the pool's count: all are used.
uint32_t kifu__first_free(kifu_timeline *timeline, const kifu__pool *pool);

/// A slot has another generation, by a spawn or despawn of the running event.
void kifu__slot_changed(kifu_timeline *timeline, const kifu__pool *pool, uint32_t index);

#endif
