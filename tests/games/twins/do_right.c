// The rules of the right game.

#include "right/game.h"

void right_subjects_p_rest(const kifu_timeline *timeline, const right_state *state, const right_p_rest *rest,
                           right_p_rest_subjects *subjects)
{
    (void)timeline;
    (void)state;
    (void)rest;
    subjects->level = 1;
}

kifu_verdict right_check_p_rest(kifu_timeline *timeline, const right_state *state, right_p_rest *rest)
{
    (void)timeline;
    (void)state;
    (void)rest;
    return kifu_accept();
}

kifu_result right_do_p_rest(kifu_timeline *timeline, const right_state *state, const right_p_rest *rest)
{
    (void)state;
    (void)rest;
    *right_edit_hero_hp(timeline) = 50;
    return KIFU_OK;
}

void right_subjects_combat_e_strike(const kifu_timeline *timeline, const right_state *state,
                                    const combat_e_strike *strike, right_combat_e_strike_subjects *subjects)
{
    (void)timeline;
    (void)state;
    subjects->target = strike->target;
}

kifu_verdict right_check_combat_e_strike(kifu_timeline *timeline, const right_state *state, combat_e_strike *strike)
{
    (void)timeline;
    (void)state;
    (void)strike;
    return kifu_accept();
}

// Here, one blow is enough.
kifu_result right_do_combat_e_strike(kifu_timeline *timeline, const right_state *state, const combat_e_strike *strike,
                                     right_combat_e_strike_transient *transient)
{
    (void)strike;
    transient->loss = state->hero.hp;
    *right_edit_hero_hp(timeline) = 0;
    return KIFU_OK;
}

kifu_verdict right_check_combat_p_taunt(kifu_timeline *timeline, const right_state *state, combat_p_taunt *taunt)
{
    (void)timeline;
    (void)state;
    (void)taunt;
    return kifu_accept();
}

// Here, words are counted.
kifu_result right_do_combat_p_taunt(kifu_timeline *timeline, const right_state *state, const combat_p_taunt *taunt)
{
    (void)state;
    (void)taunt;
    *right_edit_taunts(timeline) += 1;
    *right_edit_other_mood(timeline) = COMBAT_MOOD_ANGRY;
    return KIFU_OK;
}
