#include "board.h"
#include "reversi.h"

/// One disc turns over.
kifu_result reversi_do_e_flip(kifu_timeline *timeline, const reversi_state *state, const reversi_e_flip *flip)
{
    (void)state;
    reversi_disc *disc = reversi_edit_board(timeline, flip->square); // a square that is not there fails the event
    *disc = board_other(*disc);
    return KIFU_OK;
}
