#include "nim/p_resign.h"
#include "nim/e_end_game.h"

kifu_verdict nim_check_p_resign(kifu_timeline *timeline, const nim_state *state, nim_p_resign *resign)
{
    (void)resign;
    if (kifu_player(timeline) != kifu_current_player(&state->game))
        return kifu_reject("it is the other player's turn");
    return kifu_accept();
}

kifu_result nim_do_p_resign(kifu_timeline *timeline, const nim_state *state, const nim_p_resign *resign)
{
    (void)resign;
    kifu_next_turn(timeline, &state->game); /* the other player wins */
    nim_submit_e_end_game(timeline);
    return KIFU_OK;
}
