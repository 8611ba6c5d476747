#include <string.h>

#include "dungeon.h"
#include "kinds.h"
#include "level.h"
#include "map.h"
#include "rules.h"

enum { LEVEL_HP = 10 };

// What belongs to the level above stays there.
static void leave(kifu_timeline *timeline, const dungeon_state *state)
{
    kifu_handle handle = KIFU_NO_HANDLE;
    while ((handle = dungeon_next_actors(state, handle))) { // an entity may go while one walks through its pool
        if (handle != state->hero)
            dungeon_despawn_actors(timeline, handle);
    }
    handle = KIFU_NO_HANDLE;
    while ((handle = dungeon_next_items(state, handle))) {
        if (dungeon_get_items(state, handle)->owner != state->hero)
            dungeon_despawn_items(timeline, handle);
    }
    memset(dungeon_edit_seen_all(timeline), 0, sizeof state->seen);
}

// Who comes deeper is stronger.
static void arrive(kifu_timeline *timeline, const dungeon_state *state, const level_plan *plan)
{
    int x, y;
    level_pick(timeline, plan, plan->start, &x, &y);
    *dungeon_edit_actors_x(timeline, state->hero) = (uint8_t)x;
    *dungeon_edit_actors_y(timeline, state->hero) = (uint8_t)y;
    if (state->level > 1)
        *dungeon_edit_actors_most_hp(timeline, state->hero) += LEVEL_HP;
}

// Monsters sleep in all rooms but the one where the hero arrives. Some who have hands have found something to wield.
static void add_monsters(kifu_timeline *timeline, const dungeon_state *state, const level_plan *plan)
{
    for (uint32_t i = 0; i < levels[state->level].monsters; i++) {
        int x, y;
        uint32_t room = (plan->start + 1 + kifu_random_below(timeline, LEVEL_ROOMS - 1)) % LEVEL_ROOMS;
        level_pick(timeline, plan, room, &x, &y);
        dungeon_kind kind = level_pick_kind(timeline, state->level);
        if (map_being_at(state, x, y))
            continue;
        kifu_handle monster = rules_add_being(timeline, kind, x, y, false);
        if (beings[kind].hands && !beings[kind].casts && kifu_random_below(timeline, 3) == 0) {
            kifu_handle sword = rules_add_item(timeline, DUNGEON_THING_SWORD, x, y, monster);
            *dungeon_edit_actors_weapon(timeline, monster) = sword;
        }
    }
}

static void place_items(kifu_timeline *timeline, const dungeon_state *state, const level_plan *plan)
{
    int x, y;
    if (state->level == LEVEL_COUNT) {
        level_pick(timeline, plan, plan->end, &x, &y);
        rules_add_item(timeline, DUNGEON_THING_AMULET, x, y, KIFU_NO_HANDLE);
    }
    for (uint32_t i = 0; i < levels[state->level].items; i++) {
        level_pick(timeline, plan, kifu_random_below(timeline, LEVEL_ROOMS), &x, &y);
        dungeon_thing thing = level_pick_thing(timeline);
        if (!map_item_at(state, x, y))
            rules_add_item(timeline, thing, x, y, KIFU_NO_HANDLE);
    }
}

/// The next level is made. All that is random is drawn here, so the level is the same in every replay and is in no
/// save.
kifu_result dungeon_do_e_descend(kifu_timeline *timeline, const dungeon_state *state, const dungeon_e_descend *descend)
{
    (void)descend;
    if (state->level >= LEVEL_COUNT || !map_hero(state))
        return kifu_fail(timeline, "there is nothing below");
    level_plan plan;
    *dungeon_edit_level(timeline) += 1;
    leave(timeline, state);
    level_draw(timeline, state->level, &plan);
    memcpy(dungeon_edit_map_all(timeline), plan.map, sizeof plan.map);
    arrive(timeline, state, &plan);
    add_monsters(timeline, state, &plan);
    place_items(timeline, state, &plan);
    map_look(timeline, state, 0);

    // An ambush of the level above will not come any more; the one of this level will.
    dungeon_submit_e_cancel(timeline, TIMER_AMBUSH);
    kifu_ticket ambush = dungeon_submit_e_ambush(timeline);
    return kifu_postpone(timeline, ambush, state->turns.turn + AMBUSH_TURNS, TIMER_AMBUSH);
}
