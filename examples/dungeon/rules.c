#include "rules.h"

#include "kinds.h"
#include "map.h"

const char *rules_why_not_act(const kifu_timeline *timeline, const dungeon_state *state, kifu_handle actor)
{
    const dungeon_being *being = dungeon_get_actors(state, actor);
    if (!being || being->hp <= 0)
        return "the dead do nothing";
    if (kifu_player(timeline) != (actor == state->hero ? HERO_PLAYER : -1))
        return "that is not yours to move";
    if (being->actor.energy < KIFU_USUAL_COST)
        return "it is not its turn";
    return NULL;
}

const char *rules_why_not_go_on(const kifu_timeline *timeline, const dungeon_state *state, kifu_handle actor)
{
    const char *why = rules_why_not_act(timeline, state, actor);
    const dungeon_being *from = dungeon_get_actors(state, actor);
    kifu_handle handle = KIFU_NO_HANDLE;
    while (!why && (handle = dungeon_next_actors(state, handle))) {
        const dungeon_being *being = dungeon_get_actors(state, handle);
        if (rules_are_enemies(state, actor, handle) && being->actor.speed > 0 &&
            map_sees(state, from->x, from->y, being->x, being->y))
            why = "an enemy is in sight";
    }
    return why;
}

const char *rules_why_not_have(const dungeon_state *state, kifu_handle actor, kifu_handle item)
{
    const dungeon_item *carried = dungeon_get_items(state, item);
    return carried && carried->owner == actor ? NULL : "there is no such thing in the pack";
}

bool rules_are_enemies(const dungeon_state *state, kifu_handle one, kifu_handle other)
{
    return (one == state->hero) != (other == state->hero);
}

kifu_handle rules_nearest_enemy(const dungeon_state *state, kifu_handle actor)
{
    const dungeon_being *from = dungeon_get_actors(state, actor);
    kifu_handle nearest = KIFU_NO_HANDLE, handle = KIFU_NO_HANDLE;
    int least = MAP_WIDTH;
    while (from && (handle = dungeon_next_actors(state, handle))) {
        const dungeon_being *being = dungeon_get_actors(state, handle);
        int distance = map_distance(from->x, from->y, being->x, being->y);
        if (rules_are_enemies(state, actor, handle) && distance < least && being->hp > 0 &&
            map_sees(state, from->x, from->y, being->x, being->y)) {
            nearest = handle;
            least = distance;
        }
    }
    return nearest;
}

kifu_handle rules_add_being(kifu_timeline *timeline, dungeon_kind kind, int x, int y, bool awake)
{
    kifu_handle handle = dungeon_spawn_actors(timeline);
    if (!handle)
        return handle;
    *dungeon_edit_actors_kind(timeline, handle) = kind;
    *dungeon_edit_actors_x(timeline, handle) = (uint8_t)x;
    *dungeon_edit_actors_y(timeline, handle) = (uint8_t)y;
    *dungeon_edit_actors_hp(timeline, handle) = beings[kind].hp;
    *dungeon_edit_actors_most_hp(timeline, handle) = beings[kind].hp;
    *dungeon_edit_actors_actor_speed(timeline, handle) = awake ? beings[kind].speed : 0;
    return handle;
}

kifu_handle rules_add_item(kifu_timeline *timeline, dungeon_thing thing, int x, int y, kifu_handle owner)
{
    kifu_handle handle = dungeon_spawn_items(timeline);
    if (!handle)
        return handle;
    *dungeon_edit_items_thing(timeline, handle) = thing;
    *dungeon_edit_items_x(timeline, handle) = (uint8_t)x;
    *dungeon_edit_items_y(timeline, handle) = (uint8_t)y;
    *dungeon_edit_items_owner(timeline, handle) = owner;
    return handle;
}
