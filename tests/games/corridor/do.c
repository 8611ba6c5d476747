// What happens in the corridor.

#include "plan.h"

static kifu_result trace(kifu_timeline *timeline, const corridor_state *state, int32_t number)
{
    *corridor_edit_trace(timeline, state->traced % 16) = number;
    *corridor_edit_traced(timeline) = state->traced + 1;
    return KIFU_OK;
}

static kifu_result act(kifu_timeline *timeline, const corridor_state *state)
{
    *corridor_edit_acted(timeline) = state->acted + 1;
    return KIFU_OK;
}

kifu_result corridor_do_e_build(kifu_timeline *timeline, const corridor_state *state, const corridor_e_build *build)
{
    (void)state;
    (void)build;
    *corridor_edit_level(timeline) = 1;
    for (uint8_t i = 0; i < 2; i++) {
        *corridor_edit_people_cell(timeline, i) = (uint8_t)(2 + 4 * i);
        *corridor_edit_people_hp(timeline, i) = 20;
    }
    *corridor_edit_tiles(timeline, 0) = CORRIDOR_TILE_WALL;
    *corridor_edit_tiles(timeline, 4) = CORRIDOR_TILE_DOOR;
    *corridor_edit_tiles(timeline, 8) = CORRIDOR_TILE_LOCKED;
    *corridor_edit_tiles(timeline, 15) = CORRIDOR_TILE_WALL;
    return KIFU_OK;
}

// --- Going -----------------------------------------------------------------------------------------------------------

static bool lives(const corridor_state *state, uint32_t person)
{
    return person < 6 && state->people[person].hp > 0;
}

static kifu_verdict check_move(kifu_timeline *timeline, const corridor_state *state, uint8_t performer, int step)
{
    const int player = kifu_player(timeline);
    if (!lives(state, performer))
        return kifu_reject("nobody is there");
    if (!step)
        return kifu_instead(corridor_submit_p_rest(timeline, player, performer));
    const int cell = state->people[performer].cell + step;
    if (cell < 0 || cell > 15 || state->tiles[cell] == CORRIDOR_TILE_WALL)
        return kifu_reject("there is a wall");
    if (state->tiles[cell] != CORRIDOR_TILE_FLOOR)
        return kifu_instead(corridor_submit_p_open(timeline, player, (uint8_t)cell));
    for (uint8_t i = 0; i < 6; i++) {
        if (i != performer && lives(state, i) && state->people[i].cell == cell)
            return kifu_instead(corridor_submit_e_strike(timeline, performer, i, 2, CORRIDOR_MANNER_GENTLE));
    }
    return kifu_accept();
}

static kifu_result move(kifu_timeline *timeline, const corridor_state *state, uint8_t performer, int step)
{
    *corridor_edit_people_cell(timeline, performer) = (uint8_t)(state->people[performer].cell + step);
    return act(timeline, state);
}

kifu_verdict corridor_check_p_move(kifu_timeline *timeline, const corridor_state *state, corridor_p_move *event)
{
    return check_move(timeline, state, event->performer, event->step);
}

kifu_result corridor_do_p_move(kifu_timeline *timeline, const corridor_state *state, const corridor_p_move *event)
{
    return move(timeline, state, event->performer, event->step);
}

kifu_verdict corridor_check_e_move(kifu_timeline *timeline, const corridor_state *state, corridor_e_move *event)
{
    return check_move(timeline, state, event->performer, event->step);
}

kifu_result corridor_do_e_move(kifu_timeline *timeline, const corridor_state *state, const corridor_e_move *event)
{
    return move(timeline, state, event->performer, event->step);
}

kifu_verdict corridor_check_p_rest(kifu_timeline *timeline, const corridor_state *state, corridor_p_rest *rest)
{
    (void)timeline;
    return lives(state, rest->performer) ? kifu_accept() : kifu_reject("nobody is there");
}

kifu_result corridor_do_p_rest(kifu_timeline *timeline, const corridor_state *state, const corridor_p_rest *rest)
{
    (void)rest;
    return act(timeline, state);
}

kifu_verdict corridor_check_p_open(kifu_timeline *timeline, const corridor_state *state, corridor_p_open *open)
{
    (void)timeline;
    return open->cell < 16 && state->tiles[open->cell] == CORRIDOR_TILE_DOOR ? kifu_accept()
                                                                             : kifu_reject("it is locked");
}

kifu_result corridor_do_p_open(kifu_timeline *timeline, const corridor_state *state, const corridor_p_open *open)
{
    *corridor_edit_tiles(timeline, open->cell) = CORRIDOR_TILE_FLOOR;
    return act(timeline, state);
}

// --- Using things ----------------------------------------------------------------------------------------------------

kifu_verdict corridor_check_p_use(kifu_timeline *timeline, const corridor_state *state, corridor_p_use *use)
{
    (void)timeline;
    return lives(state, use->performer) ? kifu_accept() : kifu_reject("nobody is there");
}

// By the time it knows, it has changed this and that.
kifu_result corridor_do_p_use(kifu_timeline *timeline, const corridor_state *state, const corridor_p_use *use)
{
    const int player = kifu_player(timeline);
    *corridor_edit_uses(timeline) = state->uses + 1;
    trace(timeline, state, (int32_t)kifu_random_below(timeline, 1000));
    corridor_submit_e_heal(timeline, use->performer, 7);
    switch (use->item) {
    case 1:
        return kifu_fail_instead(timeline, corridor_submit_e_heal(timeline, use->performer, 3));
    case 2:
        return kifu_fail_instead(timeline, corridor_submit_p_move(timeline, player, use->performer, 1));
    case 3:
        return kifu_fail(timeline, "it is broken");
    case 4:
        corridor_submit_e_move(timeline, 1, -1);
        return act(timeline, state);
    case 5:
        return kifu_fail_instead(timeline, corridor_submit_p_use(timeline, player, use->performer, 5));
    default:
        return act(timeline, state);
    }
}

// --- Blows -----------------------------------------------------------------------------------------------------------

kifu_verdict corridor_check_e_strike(kifu_timeline *timeline, const corridor_state *state, corridor_e_strike *strike)
{
    (void)timeline;
    return lives(state, strike->target) ? kifu_accept() : kifu_reject("nobody is there");
}

void corridor_subjects_e_strike(const kifu_timeline *timeline, const corridor_state *state,
                                const corridor_e_strike *strike, corridor_e_strike_subjects *subjects)
{
    (void)timeline;
    subjects->level = state->level;
    if (strike->target < 6)
        subjects->cell = state->people[strike->target].cell;
    subjects->target = strike->target;
    if (strike->performer != 255) // Nobody: a falling stone.
        subjects->performer = strike->performer;
}

kifu_result corridor_do_e_strike(kifu_timeline *timeline, const corridor_state *state, const corridor_e_strike *strike)
{
    int amount = strike->damage + (strike->manner == CORRIDOR_MANNER_ROUGH) + (int)kifu_random_below(timeline, 3);
    corridor_submit_e_damage(timeline, strike->target, strike->performer, (int16_t)amount);
    return act(timeline, state);
}

void corridor_subjects_e_damage(const kifu_timeline *timeline, const corridor_state *state,
                                const corridor_e_damage *damage, corridor_e_damage_subjects *subjects)
{
    (void)timeline;
    (void)state;
    subjects->target = damage->target;
    subjects->performer = damage->performer;
}

kifu_result corridor_do_e_damage(kifu_timeline *timeline, const corridor_state *state, const corridor_e_damage *damage)
{
    if (damage->target >= 6)
        return kifu_fail(timeline, "nobody is there");
    int16_t *hp = corridor_edit_people_hp(timeline, damage->target);
    *hp = (int16_t)(*hp - damage->amount);
    return trace(timeline, state, damage->amount);
}

void corridor_subjects_e_heal(const kifu_timeline *timeline, const corridor_state *state, const corridor_e_heal *heal,
                              corridor_e_heal_subjects *subjects)
{
    (void)timeline;
    (void)state;
    subjects->target = heal->target;
}

kifu_result corridor_do_e_heal(kifu_timeline *timeline, const corridor_state *state, const corridor_e_heal *heal)
{
    int16_t *hp = corridor_edit_people_hp(timeline, heal->target);
    *hp = (int16_t)(*hp + heal->amount);
    return trace(timeline, state, -heal->amount);
}

// --- The rest --------------------------------------------------------------------------------------------------------

kifu_verdict corridor_check_p_say(kifu_timeline *timeline, const corridor_state *state, corridor_p_say *say)
{
    (void)timeline;
    (void)state;
    (void)say;
    return kifu_accept();
}

void corridor_subjects_p_say(const kifu_timeline *timeline, const corridor_state *state, const corridor_p_say *say,
                             corridor_p_say_subjects *subjects)
{
    (void)timeline;
    (void)state;
    subjects->performer = say->performer;
}

kifu_result corridor_do_p_say(kifu_timeline *timeline, const corridor_state *state, const corridor_p_say *say,
                              corridor_p_say_transient *transient)
{
    transient->letters = corridor_p_say_text_length(say);
    return trace(timeline, state, (int32_t)transient->letters);
}

static kifu_verdict check_any(kifu_timeline *timeline, uint8_t what, int32_t number)
{
    const corridor_plan *plan = (const corridor_plan *)kifu_user(timeline);
    return plan && plan->in_check[what] ? plan->in_check[what](timeline, number) : kifu_accept();
}

static kifu_result do_any(kifu_timeline *timeline, const corridor_state *state, uint8_t what, int32_t number)
{
    const corridor_plan *plan = (const corridor_plan *)kifu_user(timeline);
    trace(timeline, state, number);
    return plan && plan->in_do[what] ? plan->in_do[what](timeline, number) : KIFU_OK;
}

kifu_verdict corridor_check_p_any(kifu_timeline *timeline, const corridor_state *state, corridor_p_any *any)
{
    (void)state;
    return check_any(timeline, any->what, any->number);
}

kifu_verdict corridor_check_e_any(kifu_timeline *timeline, const corridor_state *state, corridor_e_any *any)
{
    (void)state;
    return check_any(timeline, any->what, any->number);
}

void corridor_subjects_p_any(const kifu_timeline *timeline, const corridor_state *state, const corridor_p_any *any,
                             corridor_p_any_subjects *subjects)
{
    (void)timeline;
    (void)any;
    subjects->level = state->level;
}

void corridor_subjects_e_any(const kifu_timeline *timeline, const corridor_state *state, const corridor_e_any *any,
                             corridor_e_any_subjects *subjects)
{
    (void)timeline;
    (void)any;
    subjects->level = state->level;
}

kifu_result corridor_do_p_any(kifu_timeline *timeline, const corridor_state *state, const corridor_p_any *any)
{
    return do_any(timeline, state, any->what, any->number);
}

kifu_result corridor_do_e_any(kifu_timeline *timeline, const corridor_state *state, const corridor_e_any *any)
{
    return do_any(timeline, state, any->what, any->number);
}

kifu_result corridor_do_e_seal(kifu_timeline *timeline, const corridor_state *state, const corridor_e_seal *seal)
{
    return trace(timeline, state, seal->number);
}
