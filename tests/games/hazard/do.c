#include "hazard_hooks.h"

hazard_hooks hazard_test;

static kifu_result end_move(kifu_timeline *timeline, const hazard_state *state)
{
    if (++*hazard_edit_moves(timeline) == HAZARD_MOVES)
        hazard_submit_e_end_game(timeline);
    else
        kifu_next_turn(timeline, &state->game);
    return KIFU_OK;
}

static kifu_verdict in_turn(kifu_timeline *timeline, const hazard_state *state)
{
    return kifu_player(timeline) == kifu_current_player(&state->game) ? kifu_accept()
                                                                      : kifu_reject("it is another player's turn");
}

kifu_result hazard_begin(kifu_timeline *timeline, uint64_t seed)
{
    kifu_e_initialize_args initialize = kifu_e_initialize_defaults();
    initialize.has_seed = true;
    initialize.seed = seed;
    initialize.starting_player = 0;
    hazard_submit_e_reset_game(timeline);
    for (uint8_t i = 0; i < 3; i++)
        hazard_submit_e_add_player(timeline, i, 0);
    hazard_submit_e_initialize(timeline, &initialize);
    hazard_submit_e_deal(timeline);
    hazard_submit_e_start_round(timeline);
    return kifu_run(timeline);
}

kifu_result hazard_do_e_deal(kifu_timeline *timeline, const hazard_state *state, const hazard_e_deal *deal)
{
    (void)state;
    (void)deal;
    for (uint32_t i = 0; i < 3; i++)
        *hazard_edit_hidden(timeline, i) = (uint8_t)kifu_random_below(timeline, 10);
    return KIFU_OK;
}

kifu_result hazard_do_e_imagine(kifu_timeline *timeline, const hazard_state *state, const hazard_e_imagine *imagine)
{
    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        if (i != imagine->player)
            *hazard_edit_hidden(timeline, i) = (uint8_t)kifu_random_below(timeline, 10);
    }
    return KIFU_OK;
}

// --- PSure -----------------------------------------------------------------------------------------------------------

// The check also fills in what is left out: a list shows the move as the game listed it.
kifu_verdict hazard_check_p_sure(kifu_timeline *timeline, const hazard_state *state, hazard_p_sure *sure)
{
    if (sure->sure > 3)
        return kifu_reject("three are the most");
    if (!sure->sure)
        sure->sure = 1;
    return in_turn(timeline, state);
}

void hazard_list_p_sure(const kifu_timeline *timeline, const hazard_state *state, int player, kifu_moves *moves)
{
    (void)timeline;
    (void)state;
    (void)player;
    hazard_p_sure_args sure = hazard_p_sure_defaults();
    for (sure.sure = 0; sure.sure < 6; sure.sure++)
        hazard_add_p_sure(moves, &sure);
}

kifu_result hazard_do_p_sure(kifu_timeline *timeline, const hazard_state *state, const hazard_p_sure *sure)
{
    *hazard_edit_score(timeline, (uint32_t)kifu_player(timeline)) += sure->sure;
    return end_move(timeline, state);
}

// --- PDare -----------------------------------------------------------------------------------------------------------

kifu_verdict hazard_check_p_dare(kifu_timeline *timeline, const hazard_state *state, hazard_p_dare *dare)
{
    return hazard_p_dare_bets_count(dare) == 2 ? kifu_reject("two bets bring bad luck") : in_turn(timeline, state);
}

void hazard_list_p_dare(const kifu_timeline *timeline, const hazard_state *state, int player, kifu_moves *moves)
{
    (void)timeline;
    (void)player;
    const uint16_t bets[] = {state->moves, 7, 5, 3};
    hazard_add_p_dare(moves, NULL, 0, NULL);
    for (uint32_t count = 1; count <= 4; count++)
        hazard_add_p_dare(moves, bets, count, "a word");
}

kifu_result hazard_do_p_dare(kifu_timeline *timeline, const hazard_state *state, const hazard_p_dare *dare)
{
    (void)dare;
    hazard_submit_e_throw(timeline, (uint8_t)kifu_player(timeline));
    return end_move(timeline, state);
}

kifu_result hazard_do_e_throw(kifu_timeline *timeline, const hazard_state *state, const hazard_e_throw *event)
{
    (void)state;
    *hazard_edit_score(timeline, event->player) += (uint16_t)kifu_random_between(timeline, 0, 5);
    return KIFU_OK;
}

// --- PGuess ----------------------------------------------------------------------------------------------------------

kifu_verdict hazard_check_p_guess(kifu_timeline *timeline, const hazard_state *state, hazard_p_guess *guess)
{
    return guess->number > 9 ? kifu_reject("no number is so large") : in_turn(timeline, state);
}

void hazard_list_p_guess(const kifu_timeline *timeline, const hazard_state *state, int player, kifu_moves *moves)
{
    (void)timeline;
    (void)state;
    (void)player;
    for (uint8_t number = 0; number < 12; number++)
        hazard_add_p_guess(moves, number, 0);
}

kifu_result hazard_do_p_guess(kifu_timeline *timeline, const hazard_state *state, const hazard_p_guess *guess)
{
    const uint32_t player = (uint32_t)kifu_player(timeline);
    if (state->hidden[(player + 1) % 3] == guess->number)
        *hazard_edit_score(timeline, player) += 10;
    return end_move(timeline, state);
}

// --- PAny ------------------------------------------------------------------------------------------------------------

void hazard_subjects_p_any(const kifu_timeline *timeline, const hazard_state *state, const hazard_p_any *any,
                           hazard_p_any_subjects *subjects)
{
    (void)timeline;
    (void)state;
    (void)any;
    subjects->table = 1;
}

kifu_verdict hazard_check_p_any(kifu_timeline *timeline, const hazard_state *state, hazard_p_any *any)
{
    (void)state;
    return hazard_test.check ? hazard_test.check(timeline, any) : kifu_accept();
}

void hazard_list_p_any(const kifu_timeline *timeline, const hazard_state *state, int player, kifu_moves *moves)
{
    (void)timeline;
    (void)state;
    if (hazard_test.list)
        hazard_test.list(moves->timeline, player, moves);
}

kifu_result hazard_do_p_any(kifu_timeline *timeline, const hazard_state *state, const hazard_p_any *any)
{
    (void)state;
    return hazard_test.act ? hazard_test.act(timeline, any) : KIFU_OK;
}

kifu_verdict hazard_check_p_talk(kifu_timeline *timeline, const hazard_state *state, hazard_p_talk *talk)
{
    (void)timeline;
    (void)state;
    (void)talk;
    return kifu_accept();
}

void hazard_list_p_talk(const kifu_timeline *timeline, const hazard_state *state, int player, kifu_moves *moves)
{
    (void)timeline;
    (void)state;
    (void)player;
    (void)moves;
}

kifu_result hazard_do_p_talk(kifu_timeline *timeline, const hazard_state *state, const hazard_p_talk *talk)
{
    (void)timeline;
    (void)state;
    (void)talk;
    return KIFU_OK;
}
