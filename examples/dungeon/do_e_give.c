#include "dungeon.h"
#include "rules.h"

/// Something is in somebody's pack: a new entity of the pool.
kifu_result dungeon_do_e_give(kifu_timeline *timeline, const dungeon_state *state, const dungeon_e_give *give)
{
    if (!dungeon_get_actors(state, give->owner))
        return kifu_fail(timeline, "there is nobody to have it");
    if (!rules_add_item(timeline, give->thing, 0, 0, give->owner))
        return kifu_fail(timeline, "there are too many things in the dungeon");
    return KIFU_OK;
}
