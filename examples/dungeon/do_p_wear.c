#include "dungeon.h"
#include "kinds.h"
#include "rules.h"

enum { ARMOUR_COST = 2 * KIFU_USUAL_COST };

kifu_verdict dungeon_check_p_wear(kifu_timeline *timeline, const dungeon_state *state, dungeon_p_wear *wear)
{
    const char *why = rules_why_not_act(timeline, state, wear->actor);
    if (!why)
        why = rules_why_not_have(state, wear->actor, wear->item);
    if (why)
        return kifu_reject(why);
    item_use use = things[dungeon_get_items(state, wear->item)->thing].use;
    return use == USE_WEAPON || use == USE_ARMOUR ? kifu_accept() : kifu_reject("that cannot be worn");
}

/// Puts on or wields the item in place of what was there; or puts it away, where it was in use. What it does for who
/// wears it is told in hooks.c.
kifu_result dungeon_do_p_wear(kifu_timeline *timeline, const dungeon_state *state, const dungeon_p_wear *wear)
{
    const dungeon_being *being = dungeon_get_actors(state, wear->actor);
    const dungeon_item *item = dungeon_get_items(state, wear->item);
    if (!being || !item)
        return kifu_fail(timeline, "there is no such thing in the pack");
    if (things[item->thing].use == USE_WEAPON) {
        *dungeon_edit_actors_weapon(timeline, wear->actor) = being->weapon == wear->item ? 0 : wear->item;
    } else {
        *dungeon_edit_actors_armour(timeline, wear->actor) = being->armour == wear->item ? 0 : wear->item;
        kifu_set_cost(timeline, ARMOUR_COST); // that takes longer
    }
    return KIFU_OK;
}
