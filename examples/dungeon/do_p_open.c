#include "dungeon.h"
#include "kinds.h"
#include "map.h"
#include "rules.h"

kifu_verdict dungeon_check_p_open(kifu_timeline *timeline, const dungeon_state *state, dungeon_p_open *open)
{
    const char *why = rules_why_not_act(timeline, state, open->actor);
    if (why)
        return kifu_reject(why);
    const dungeon_being *being = dungeon_get_actors(state, open->actor);
    if (map_tile(state, open->x, open->y) != DUNGEON_TILE_DOOR)
        return kifu_reject("there is no closed door");
    if (map_distance(being->x, being->y, open->x, open->y) > 1)
        return kifu_reject("the door is too far away");
    if (!beings[being->kind].hands)
        return kifu_reject("it has no hands to open a door");
    return kifu_accept();
}

/// A door is opened.
kifu_result dungeon_do_p_open(kifu_timeline *timeline, const dungeon_state *state, const dungeon_p_open *open)
{
    if (map_tile(state, open->x, open->y) != DUNGEON_TILE_DOOR)
        return kifu_fail(timeline, "there is no closed door");
    const uint32_t sleepers = map_sleepers_in_sight(state);
    *dungeon_edit_map(timeline, map_index(open->x, open->y)) = DUNGEON_TILE_OPEN_DOOR;
    map_look(timeline, state, sleepers); // whoever opens it
    return KIFU_OK;
}
