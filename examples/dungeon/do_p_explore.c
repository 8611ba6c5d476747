#include "dungeon.h"
#include "map.h"
#include "rules.h"
#include "way.h"

/// What lies here is taken, and that is the last step, because it may be of use now. Else the hero goes to the nearest
/// item in sight, or to where something is still unseen. Undo takes back one step: what came into sight with the last
/// one is why somebody wants to undo it.
kifu_verdict dungeon_check_p_explore(kifu_timeline *timeline, const dungeon_state *state, dungeon_p_explore *explore)
{
    const char *why = rules_why_not_go_on(timeline, state, explore->actor);
    if (why)
        return kifu_reject(why);
    if (explore->actor != state->hero)
        return kifu_reject("monsters know their level");
    const dungeon_being *hero = map_hero(state);
    const int player = kifu_player(timeline);
    if (way_is_worth_taking(state, hero->x, hero->y))
        return kifu_instead(dungeon_submit_p_pick_up(timeline, player, explore->actor));
    int x, y;
    int8_t dx = 0, dy = 0;
    if (!way_find(state, explore->actor, way_is_worth_taking, false, &x, &y) &&
        !way_find(state, explore->actor, way_is_new, false, &x, &y))
        return kifu_reject("there is nothing left to explore");
    way_step(state, explore->actor, x, y, false, &dx, &dy);
    kifu_go_on(timeline, KIFU_UNDO_BY_STEP);
    return kifu_instead(dungeon_submit_p_move(timeline, player, explore->actor, dx, dy, 0));
}

kifu_result dungeon_do_p_explore(kifu_timeline *timeline, const dungeon_state *state, const dungeon_p_explore *explore)
{
    (void)state, (void)explore;
    return kifu_fail(timeline, "only its steps happen");
}
