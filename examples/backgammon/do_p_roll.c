#include "backgammon/e_dice.h"
#include "backgammon/p_roll.h"
#include "board.h"

kifu_verdict backgammon_check_p_roll(kifu_timeline *timeline, const backgammon_state *state, backgammon_p_roll *roll)
{
    (void)roll;
    if (state->game.phase != KIFU_PHASE_PLAY || kifu_player(timeline) != kifu_current_player(&state->game))
        return kifu_reject("it is not your turn");
    if (board_has_dice(&state->board))
        return kifu_reject("play the dice that lie there first");
    return kifu_accept();
}

/// A computer that plays the best move rolls by itself: this is the only one that there is then.
void backgammon_list_p_roll(const kifu_timeline *timeline, const backgammon_state *state, int player, kifu_moves *moves)
{
    (void)timeline, (void)state, (void)player;
    backgammon_add_p_roll(moves);
}

/// A player throws the dice. What they show is an event of its own, so everybody can read it in the record.
kifu_result backgammon_do_p_roll(kifu_timeline *timeline, const backgammon_state *state, const backgammon_p_roll *roll)
{
    (void)state, (void)roll;
    const uint8_t first = (uint8_t)kifu_random_between(timeline, 1, 6);
    const uint8_t second = (uint8_t)kifu_random_between(timeline, 1, 6);
    backgammon_submit_e_dice(timeline, first, second);
    return KIFU_OK;
}
