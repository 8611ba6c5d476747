#include "dungeon.h"
#include "kinds.h"
#include "rules.h"

/// The hero enters the dungeon, with what fits into a pocket.
kifu_result dungeon_do_e_enter(kifu_timeline *timeline, const dungeon_state *state, const dungeon_e_enter *enter)
{
    (void)enter;
    if (state->hero)
        return kifu_fail(timeline, "there is a hero already");
    kifu_handle hero = rules_add_being(timeline, DUNGEON_KIND_HERO, 0, 0, true);
    *dungeon_edit_hero(timeline) = hero;
    dungeon_submit_e_give(timeline, hero, DUNGEON_THING_HEALING);
    dungeon_submit_e_give(timeline, hero, DUNGEON_THING_FIRE);
    return KIFU_OK;
}
