#include "dungeon.h"
#include "kinds.h"

/// A sleeper has no speed, so the turn loop passes it by. Now it has one.
kifu_result dungeon_do_e_wake(kifu_timeline *timeline, const dungeon_state *state, const dungeon_e_wake *wake)
{
    const dungeon_being *being = dungeon_get_actors(state, wake->actor);
    if (being && being->actor.speed == 0)
        *dungeon_edit_actors_actor_speed(timeline, wake->actor) = beings[being->kind].speed;
    return KIFU_OK;
}
