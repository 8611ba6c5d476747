#include "dungeon.h"
#include "map.h"

/// The cell is where it hurts. A spike has no performer: that scope has no subject then, and is skipped.
void dungeon_subjects_e_damage(const kifu_timeline *timeline, const dungeon_state *state,
                               const dungeon_e_damage *damage, dungeon_e_damage_subjects *subjects)
{
    (void)timeline;
    const dungeon_being *being = dungeon_get_actors(state, damage->target);
    subjects->level = state->level;
    if (being)
        subjects->cell = map_tile(state, being->x, being->y);
    subjects->target = damage->target;
    if (damage->performer)
        subjects->performer = damage->performer;
}

/// Somebody is hurt.
kifu_result dungeon_do_e_damage(kifu_timeline *timeline, const dungeon_state *state, const dungeon_e_damage *damage)
{
    const dungeon_being *target = dungeon_get_actors(state, damage->target);
    const dungeon_being *performer = dungeon_get_actors(state, damage->performer);
    if (!target || target->hp <= 0 || damage->amount <= 0)
        return KIFU_OK;                       // it has died meanwhile
    kifu_interrupt(timeline, damage->target); // it does not rest on, or run on
    int hp = target->hp - damage->amount;
    *dungeon_edit_actors_hp(timeline, damage->target) = (int16_t)(hp > 0 ? hp : 0);
    if (hp <= 0) {
        dungeon_kind killer = performer ? performer->kind : target->kind;
        dungeon_submit_e_die(timeline, damage->target, target->kind, killer);
    }
    return KIFU_OK;
}
