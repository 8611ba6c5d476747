#include "dungeon.h"
#include "kinds.h"
#include "map.h"
#include "rules.h"

/// A step becomes what is in its way: nowhere is a rest, into a monster an attack, into a door opens it. Whoever moves,
/// person or monster, only ever says where to.
kifu_verdict dungeon_check_p_move(kifu_timeline *timeline, const dungeon_state *state, dungeon_p_move *move)
{
    const char *why = rules_why_not_act(timeline, state, move->actor);
    if (why)
        return kifu_reject(why);
    if (move->dx < -1 || move->dx > 1 || move->dy < -1 || move->dy > 1)
        return kifu_reject("that is more than one step");

    int player = kifu_player(timeline);
    if (move->dx == 0 && move->dy == 0)
        return kifu_instead(dungeon_submit_p_rest(timeline, player, move->actor));
    const dungeon_being *being = dungeon_get_actors(state, move->actor);
    int x = being->x + move->dx, y = being->y + move->dy;
    kifu_handle other = map_being_at(state, x, y);
    if (other && !rules_are_enemies(state, move->actor, other))
        return kifu_reject("somebody is in the way");
    if (other)
        return kifu_instead(dungeon_submit_p_strike(timeline, player, move->actor, other));
    if (map_tile(state, x, y) == DUNGEON_TILE_DOOR)
        return kifu_instead(dungeon_submit_p_open(timeline, player, move->actor, (uint8_t)x, (uint8_t)y));
    if (!map_is_open(state, x, y))
        return kifu_reject("there is a wall");
    move->cost = KIFU_USUAL_COST; // the ground may change that: hooks.c
    return kifu_accept();
}

/// The cell that is stepped on is asked, and who steps.
void dungeon_subjects_p_move(const kifu_timeline *timeline, const dungeon_state *state, const dungeon_p_move *move,
                             dungeon_p_move_subjects *subjects)
{
    (void)timeline;
    const dungeon_being *being = dungeon_get_actors(state, move->actor);
    subjects->level = state->level;
    subjects->performer = move->actor;
    if (being)
        subjects->cell = map_tile(state, being->x + move->dx, being->y + move->dy);
}

kifu_result dungeon_do_p_move(kifu_timeline *timeline, const dungeon_state *state, const dungeon_p_move *move)
{
    const dungeon_being *being = dungeon_get_actors(state, move->actor);
    if (!being || !map_is_open(state, being->x + move->dx, being->y + move->dy))
        return kifu_fail(timeline, "there is no way"); // only in a save that somebody else wrote
    uint8_t x = (uint8_t)(being->x + move->dx), y = (uint8_t)(being->y + move->dy);
    const uint32_t sleepers = move->actor == state->hero ? map_sleepers_in_sight(state) : 0;
    *dungeon_edit_actors_x(timeline, move->actor) = x;
    *dungeon_edit_actors_y(timeline, move->actor) = y;
    kifu_set_cost(timeline, move->cost);
    if (move->actor == state->hero)
        map_look(timeline, state, sleepers);
    return KIFU_OK;
}
