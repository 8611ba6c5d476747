#include "dungeon.h"
#include "kinds.h"
#include "map.h"
#include "rules.h"

kifu_verdict dungeon_check_p_pick_up(kifu_timeline *timeline, const dungeon_state *state, dungeon_p_pick_up *pick_up)
{
    const char *why = rules_why_not_act(timeline, state, pick_up->actor);
    if (why)
        return kifu_reject(why);
    const dungeon_being *being = dungeon_get_actors(state, pick_up->actor);
    kifu_handle item = map_item_at(state, being->x, being->y);
    if (!item)
        return kifu_reject("there is nothing here to take");
    if (!beings[being->kind].hands)
        return kifu_reject("it has no hands");
    bool amulet = dungeon_get_items(state, item)->thing == DUNGEON_THING_AMULET;
    if (amulet && pick_up->actor != state->hero)
        return kifu_reject("the amulet burns its fingers");
    if (!amulet && map_item_of(state, pick_up->actor, PACK_SIZE - 1))
        return kifu_reject("the pack is full: use something first");
    return kifu_accept();
}

/// What lies here goes into the pack. The amulet is what the hero came for.
kifu_result dungeon_do_p_pick_up(kifu_timeline *timeline, const dungeon_state *state, const dungeon_p_pick_up *pick_up,
                                 dungeon_p_pick_up_transient *transient)
{
    const dungeon_being *being = dungeon_get_actors(state, pick_up->actor);
    kifu_handle item = being ? map_item_at(state, being->x, being->y) : KIFU_NO_HANDLE;
    if (!item)
        return kifu_fail(timeline, "there is nothing here to take");
    *dungeon_edit_items_owner(timeline, item) = pick_up->actor;
    transient->item = item;
    if (dungeon_get_items(state, item)->thing == DUNGEON_THING_AMULET)
        dungeon_submit_e_win(timeline);
    return KIFU_OK;
}
