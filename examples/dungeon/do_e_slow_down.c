#include "dungeon.h"
#include "kinds.h"

/// The potion of speed wears off, if who drank it is still there.
kifu_result dungeon_do_e_slow_down(kifu_timeline *timeline, const dungeon_state *state,
                                   const dungeon_e_slow_down *slow_down)
{
    const dungeon_being *being = dungeon_get_actors(state, slow_down->actor);
    if (!being || !being->fast)
        return KIFU_OK;
    *dungeon_edit_actors_fast(timeline, slow_down->actor) = false;
    *dungeon_edit_actors_actor_speed(timeline, slow_down->actor) = beings[being->kind].speed;
    return KIFU_OK;
}
