#include "dungeon.h"
#include "kinds.h"
#include "rules.h"

kifu_verdict dungeon_check_p_drink(kifu_timeline *timeline, const dungeon_state *state, dungeon_p_drink *drink)
{
    const char *why = rules_why_not_act(timeline, state, drink->actor);
    if (!why)
        why = rules_why_not_have(state, drink->actor, drink->item);
    if (why)
        return kifu_reject(why);
    const dungeon_being *being = dungeon_get_actors(state, drink->actor);
    dungeon_thing thing = dungeon_get_items(state, drink->item)->thing;
    if (things[thing].use != USE_DRINK)
        return kifu_reject("that cannot be drunk");
    if (thing == DUNGEON_THING_HEALING && being->hp == being->most_hp)
        return kifu_reject("there is no wound to heal");
    return kifu_accept();
}

/// A potion is drunk: it is gone, and its effect is an event of its own.
kifu_result dungeon_do_p_drink(kifu_timeline *timeline, const dungeon_state *state, const dungeon_p_drink *drink)
{
    const dungeon_item *item = dungeon_get_items(state, drink->item);
    if (!item)
        return kifu_fail(timeline, "there is no such thing in the pack");
    if (item->thing == DUNGEON_THING_HEALING)
        dungeon_submit_e_heal(timeline, drink->actor, HEALING_HP);
    else
        dungeon_submit_e_haste(timeline, drink->actor);
    dungeon_despawn_items(timeline, drink->item);
    return KIFU_OK;
}
