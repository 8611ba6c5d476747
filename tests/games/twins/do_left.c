// The rules of the left game.

#include "left/game/combat_e_heal.h"
#include "left/game/combat_e_strike.h"
#include "left/game/combat_p_taunt.h"

void left_subjects_combat_e_strike(const kifu_timeline *timeline, const left_state *state,
                                   const combat_e_strike *strike, left_combat_e_strike_subjects *subjects)
{
    (void)timeline;
    (void)state;
    subjects->target = strike->target;
}

kifu_verdict left_check_combat_e_strike(kifu_timeline *timeline, const left_state *state, combat_e_strike *strike)
{
    (void)timeline;
    (void)state;
    return strike->target < 2 ? kifu_accept() : kifu_reject("there is no such unit");
}

kifu_result left_do_combat_e_strike(kifu_timeline *timeline, const left_state *state, const combat_e_strike *strike,
                                    left_combat_e_strike_transient *transient)
{
    uint16_t before = state->units[strike->target].hp;
    for (uint32_t i = 0; i < combat_e_strike_blows_count(strike); i++)
        *left_edit_units_hp(timeline, strike->target) -= combat_e_strike_blows(strike, i)->strength;
    transient->loss = (uint16_t)(before - state->units[strike->target].hp);
    return KIFU_OK;
}

kifu_verdict left_check_combat_p_taunt(kifu_timeline *timeline, const left_state *state, combat_p_taunt *taunt)
{
    (void)timeline;
    (void)state;
    (void)taunt;
    return kifu_accept();
}

// Here, words hurt.
kifu_result left_do_combat_p_taunt(kifu_timeline *timeline, const left_state *state, const combat_p_taunt *taunt)
{
    (void)state;
    *left_edit_units_mood(timeline, taunt->target) = COMBAT_MOOD_ANGRY;
    const combat_blow_args blows[] = {{.strength = 2, .words = combat_p_taunt_words(taunt)}, {.strength = 3}};
    left_submit_combat_e_strike(timeline, taunt->target, blows, 2);
    return KIFU_OK;
}

void left_subjects_combat_e_heal(const kifu_timeline *timeline, const left_state *state, const combat_e_heal *heal,
                                 left_combat_e_heal_subjects *subjects)
{
    (void)timeline;
    (void)state;
    subjects->target = heal->target;
}

kifu_result left_do_combat_e_heal(kifu_timeline *timeline, const left_state *state, const combat_e_heal *heal)
{
    (void)state;
    *left_edit_units_hp(timeline, heal->target) = 100;
    return KIFU_OK;
}
