#include "duel.h"
#include "rules.h"

#pragma GCC diagnostic ignored "-Wunused-parameter" // a function uses what it needs of what it gets

kifu_verdict duel_check_p_end_turn(kifu_timeline *timeline, const duel_state *state, duel_p_end_turn *end_turn)
{
    const char *why = rules_why_not_act(state, kifu_player(timeline));
    return why ? kifu_reject(why) : kifu_accept();
}

/// There is one way to end it.
void duel_list_p_end_turn(const kifu_timeline *timeline, const duel_state *state, int player, kifu_moves *moves)
{
    duel_add_p_end_turn(moves);
}

/// The turn ends.
kifu_result duel_do_p_end_turn(kifu_timeline *timeline, const duel_state *state, const duel_p_end_turn *end_turn)
{
    kifu_next_turn(timeline, &state->game);
    duel_submit_e_begin_turn(timeline, (uint8_t)kifu_current_player(&state->game));
    return KIFU_OK;
}
