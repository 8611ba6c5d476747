#include "dungeon.h"
#include "kinds.h"
#include "map.h"
#include "rules.h"

kifu_verdict dungeon_check_p_strike(kifu_timeline *timeline, const dungeon_state *state, dungeon_p_strike *strike)
{
    const char *why = rules_why_not_act(timeline, state, strike->actor);
    if (why)
        return kifu_reject(why);
    const dungeon_being *being = dungeon_get_actors(state, strike->actor);
    const dungeon_being *target = dungeon_get_actors(state, strike->target);
    if (!target || target->hp <= 0 || map_distance(being->x, being->y, target->x, target->y) > 1)
        return kifu_reject("there is nobody to strike");
    if (!rules_are_enemies(state, strike->actor, strike->target))
        return kifu_reject("that is a friend");
    return kifu_accept();
}

/// The cell is the one from which the blow comes.
void dungeon_subjects_p_strike(const kifu_timeline *timeline, const dungeon_state *state,
                               const dungeon_p_strike *strike, dungeon_p_strike_subjects *subjects)
{
    (void)timeline;
    const dungeon_being *being = dungeon_get_actors(state, strike->actor);
    subjects->level = state->level;
    if (being)
        subjects->cell = map_tile(state, being->x, being->y);
    subjects->target = strike->target;
    subjects->performer = strike->actor;
}

/// The attack begins: with the skill and the strength of its kind. What is wielded adds to the attempt, what is worn
/// takes from the damage (hooks.c), so nothing about items is said here.
kifu_result dungeon_do_p_strike(kifu_timeline *timeline, const dungeon_state *state, const dungeon_p_strike *strike)
{
    const dungeon_being *being = dungeon_get_actors(state, strike->actor);
    if (!being)
        return kifu_fail(timeline, "there is nobody to strike");
    const being_kind *kind = &beings[being->kind];
    dungeon_submit_e_attempt(timeline, strike->actor, strike->target, kind->skill, kind->damage);
    return KIFU_OK;
}
