#include "game.h"

#include <stdio.h>
#include <stdlib.h>

#include "rules.h"

go_terms go_usual_terms(void)
{
    return (go_terms){.size = 19, .komi = 13, .ko = GO_KO_POSITIONAL, .counting = GO_COUNTING_TERRITORY};
}

kifu_result go_begin(kifu_timeline *timeline, const go_setup *setup)
{
    kifu_e_initialize_args initialize = kifu_e_initialize_defaults();
    initialize.has_seed = setup->seed != NULL;
    initialize.seed = setup->seed ? *setup->seed : 0;
    initialize.starting_player = (int8_t)setup->black_player;
    go_e_set_up_args set_up = go_e_set_up_defaults();
    set_up.terms = setup->terms;
    set_up.black = setup->black;
    set_up.black_count = setup->black_count;
    set_up.white = setup->white;
    set_up.white_count = setup->white_count;
    set_up.first = setup->first ? setup->first : setup->terms.handicap ? GO_STONE_WHITE : GO_STONE_BLACK;
    if (!go_can_e_set_up(timeline, &set_up)) // The game that is there stays.
        return kifu_last_error(timeline)->result;
    go_submit_e_reset_game(timeline);
    go_submit_e_add_player(timeline, 0, 0x202020);
    go_submit_e_add_player(timeline, 1, 0xf0f0f0);
    go_submit_e_initialize(timeline, &initialize);
    go_submit_e_start_round(timeline);
    go_submit_e_set_up(timeline, &set_up);
    return kifu_run(timeline);
}

// Makes it this player's turn, if it is not. No pass of the other one: two of those would end the game.
static bool submit_turn(kifu_timeline *timeline, const go_state *state, go_stone stone)
{
    go_p_edit_args edit = go_p_edit_defaults();
    edit.first = stone;
    if (state->stage == GO_STAGE_OVER || (state->stage == GO_STAGE_PLAYING && rules_to_move(&state->game) == stone))
        return false;
    go_submit_p_edit(timeline, state->game.order[stone - 1], &edit);
    return true;
}

kifu_result go_play_as(kifu_timeline *timeline, go_stone stone, uint32_t point)
{
    const go_state *state = go_get_state(timeline);
    const int player = state->game.order[stone - 1];
    kifu_result result = kifu_begin(timeline, 0);
    if (result)
        return result;
    const bool before = submit_turn(timeline, state, stone);
    const kifu_ticket ticket =
        point == NO_POINT ? go_submit_p_pass(timeline, player) : go_submit_p_play(timeline, player, (uint16_t)point);
    if (before)
        kifu_override(timeline, ticket, true, true);
    result = kifu_run(timeline);
    return result ? (kifu_roll_back(timeline), result) : kifu_commit(timeline);
}

uint32_t go_handicap(uint32_t size, uint32_t stones, uint16_t points[9])
{
    if (size < LEAST_LINES || size > MOST_LINES || stones < 2 || stones > (size % 2 ? 9 : 4))
        return 0;
    const uint32_t low = size < 13 ? 2 : 3, high = size - 1 - low, middle = size / 2;
    // Column and row from the lower left, in the order in which they are filled.
    const uint32_t stars[8][2] = {{low, low},    {high, high},   {low, high},   {high, low},
                                  {low, middle}, {high, middle}, {middle, low}, {middle, high}};
    const uint32_t pairs = stones < 5 ? stones : stones & ~1u;
    for (uint32_t i = 0; i < pairs; i++)
        points[i] = (uint16_t)((size - 1 - stars[i][1]) * size + stars[i][0]);
    if (pairs < stones)
        points[pairs] = (uint16_t)(middle * size + middle);
    return stones;
}

void go_result(const go_state *state, char text[RESULT_LENGTH])
{
    const char winner = state->winner == GO_STONE_BLACK ? 'B' : 'W';
    const int lead = abs(state->lead);
    if (!state->ending)
        snprintf(text, RESULT_LENGTH, "?");
    else if (state->winner == GO_STONE_NONE)
        snprintf(text, RESULT_LENGTH, "0");
    else if (state->ending == GO_ENDING_RESIGNATION)
        snprintf(text, RESULT_LENGTH, "%c+R", winner);
    else
        snprintf(text, RESULT_LENGTH, "%c+%d%s", winner, lead / 2, lead % 2 ? ".5" : "");
}
