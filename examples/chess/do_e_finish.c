#include "chess.h"

/// The game has ended, and why.
kifu_result chess_do_e_finish(kifu_timeline *timeline, const chess_state *state, const chess_e_finish *finish)
{
    (void)state;
    *chess_edit_ending(timeline) = finish->ending;
    *chess_edit_winner(timeline) = finish->winner;
    chess_submit_e_end_game(timeline);
    return KIFU_OK;
}
