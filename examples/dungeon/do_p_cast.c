#include "dungeon.h"
#include "kinds.h"
#include "map.h"
#include "rules.h"

static const char *why_not_target(const dungeon_state *state, const dungeon_p_cast *cast)
{
    const dungeon_being *being = dungeon_get_actors(state, cast->actor);
    const dungeon_being *target = dungeon_get_actors(state, cast->target);
    if (cast->spell == DUNGEON_SPELL_BLINK)
        return NULL;
    if (!target || target->hp <= 0 || !rules_are_enemies(state, cast->actor, cast->target) ||
        !map_sees(state, being->x, being->y, target->x, target->y))
        return "there is no enemy in sight";
    return NULL;
}

kifu_verdict dungeon_check_p_cast(kifu_timeline *timeline, const dungeon_state *state, dungeon_p_cast *cast)
{
    const char *why = rules_why_not_act(timeline, state, cast->actor);
    if (!why && cast->item)
        why = rules_why_not_have(state, cast->actor, cast->item);
    if (why)
        return kifu_reject(why);
    if (cast->item) {
        const item_kind *kind = &things[dungeon_get_items(state, cast->item)->thing];
        if (kind->use != USE_CAST || kind->spell != cast->spell)
            return kifu_reject("that spell is not written there");
    } else if (cast->spell != DUNGEON_SPELL_SPARK || !beings[dungeon_get_actors(state, cast->actor)->kind].casts) {
        return kifu_reject("nobody knows that spell by heart");
    }
    why = why_not_target(state, cast);
    return why ? kifu_reject(why) : kifu_accept();
}

/// The cell is where the caster stands.
void dungeon_subjects_p_cast(const kifu_timeline *timeline, const dungeon_state *state, const dungeon_p_cast *cast,
                             dungeon_p_cast_subjects *subjects)
{
    (void)timeline;
    const dungeon_being *being = dungeon_get_actors(state, cast->actor);
    subjects->level = state->level;
    if (being)
        subjects->cell = map_tile(state, being->x, being->y);
    if (cast->target)
        subjects->target = cast->target;
    subjects->performer = cast->actor;
}

/// A spell is cast; its scroll crumbles.
kifu_result dungeon_do_p_cast(kifu_timeline *timeline, const dungeon_state *state, const dungeon_p_cast *cast)
{
    if (cast->item && !dungeon_get_items(state, cast->item))
        return kifu_fail(timeline, "there is no such thing in the pack");
    if (cast->item)
        dungeon_despawn_items(timeline, cast->item);
    if (cast->spell == DUNGEON_SPELL_BLINK) {
        dungeon_submit_e_blink(timeline, cast->actor);
        return KIFU_OK;
    }
    bool fire = cast->spell == DUNGEON_SPELL_FIRE;
    int32_t amount = kifu_random_between(timeline, fire ? FIRE_LEAST : SPARK_LEAST, fire ? FIRE_MOST : SPARK_MOST);
    dungeon_e_damage_args damage = dungeon_e_damage_defaults();
    damage.performer = cast->actor;
    damage.target = cast->target;
    damage.amount = (int16_t)amount;
    damage.magic = true;
    dungeon_submit_e_damage(timeline, &damage);
    return KIFU_OK;
}
