#include "dungeon.h"
#include "map.h"

/// The cell is the one from which the blow comes.
void dungeon_subjects_e_attempt(const kifu_timeline *timeline, const dungeon_state *state,
                                const dungeon_e_attempt *attempt, dungeon_e_attempt_subjects *subjects)
{
    (void)timeline;
    const dungeon_being *being = dungeon_get_actors(state, attempt->performer);
    subjects->level = state->level;
    if (being)
        subjects->cell = map_tile(state, being->x, being->y);
    subjects->target = attempt->target;
    subjects->performer = attempt->performer;
}

/// Hit or miss. The dice are thrown here, in Do, where they belong to the state.
kifu_result dungeon_do_e_attempt(kifu_timeline *timeline, const dungeon_state *state, const dungeon_e_attempt *attempt)
{
    if (!dungeon_get_actors(state, attempt->performer) || !dungeon_get_actors(state, attempt->target))
        return KIFU_OK; // one of them has died meanwhile
    if ((int32_t)kifu_random_below(timeline, 100) < attempt->skill) {
        dungeon_e_damage_args damage = dungeon_e_damage_defaults();
        damage.performer = attempt->performer;
        damage.target = attempt->target;
        damage.amount = (int16_t)kifu_random_between(timeline, (attempt->damage + 1) / 2, attempt->damage);
        dungeon_submit_e_damage(timeline, &damage);
    } else {
        dungeon_submit_e_miss(timeline, attempt->performer, attempt->target);
    }
    return KIFU_OK;
}
