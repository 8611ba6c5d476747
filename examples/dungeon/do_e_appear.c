#include "dungeon.h"
#include "map.h"
#include "rules.h"

/// A being comes out of the dark. When the pool is full, or somebody stands there, it stays in the dark.
kifu_result dungeon_do_e_appear(kifu_timeline *timeline, const dungeon_state *state, const dungeon_e_appear *appear)
{
    if (map_is_open(state, appear->x, appear->y) && !map_being_at(state, appear->x, appear->y))
        rules_add_being(timeline, appear->kind, appear->x, appear->y, true);
    return KIFU_OK;
}
