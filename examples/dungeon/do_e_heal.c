#include "dungeon.h"

kifu_result dungeon_do_e_heal(kifu_timeline *timeline, const dungeon_state *state, const dungeon_e_heal *heal)
{
    const dungeon_being *target = dungeon_get_actors(state, heal->target);
    if (!target || target->hp <= 0 || heal->amount < 0)
        return KIFU_OK; // the dead stay dead
    int hp = target->hp + heal->amount;
    *dungeon_edit_actors_hp(timeline, heal->target) = hp < target->most_hp ? (int16_t)hp : target->most_hp;
    return KIFU_OK;
}
