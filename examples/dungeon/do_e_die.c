#include "dungeon.h"
#include "map.h"

/// What it carried lies where it fell. The hero stays: the game is over, and one wants to see where.
kifu_result dungeon_do_e_die(kifu_timeline *timeline, const dungeon_state *state, const dungeon_e_die *die)
{
    const dungeon_being *being = dungeon_get_actors(state, die->actor);
    if (!being)
        return KIFU_OK;
    if (die->actor == state->hero) {
        *dungeon_edit_killer(timeline) = die->killer;
        dungeon_submit_e_end_game(timeline);
        return KIFU_OK;
    }
    kifu_handle item = KIFU_NO_HANDLE;
    while ((item = dungeon_next_items(state, item))) {
        if (dungeon_get_items(state, item)->owner != die->actor)
            continue;
        *dungeon_edit_items_owner(timeline, item) = KIFU_NO_HANDLE;
        *dungeon_edit_items_x(timeline, item) = being->x;
        *dungeon_edit_items_y(timeline, item) = being->y;
    }
    dungeon_despawn_actors(timeline, die->actor); // its handle is stale from here on
    return KIFU_OK;
}
