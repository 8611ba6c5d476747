#include "dungeon.h"
#include "map.h"
#include "rules.h"

kifu_verdict dungeon_check_p_descend(kifu_timeline *timeline, const dungeon_state *state, dungeon_p_descend *descend)
{
    const char *why = rules_why_not_act(timeline, state, descend->actor);
    if (why)
        return kifu_reject(why);
    const dungeon_being *being = dungeon_get_actors(state, descend->actor);
    if (descend->actor != state->hero)
        return kifu_reject("monsters stay where they are");
    if (map_tile(state, being->x, being->y) != DUNGEON_TILE_STAIRS)
        return kifu_reject("there are no stairs here");
    return kifu_accept();
}

/// Down the stairs. The level is made by an event of its own, as the first one is.
kifu_result dungeon_do_p_descend(kifu_timeline *timeline, const dungeon_state *state, const dungeon_p_descend *descend)
{
    (void)state, (void)descend;
    dungeon_submit_e_descend(timeline);
    return KIFU_OK;
}
