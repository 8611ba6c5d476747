#include "board.h"
#include "reversi.h"

/// Four discs in the middle, two of each colour.
kifu_result reversi_do_e_set_up_board(kifu_timeline *timeline, const reversi_state *state,
                                      const reversi_e_set_up_board *set_up_board)
{
    (void)state;
    (void)set_up_board;
    *reversi_edit_board(timeline, (uint32_t)board_square("d4")) = REVERSI_DISC_WHITE;
    *reversi_edit_board(timeline, (uint32_t)board_square("e5")) = REVERSI_DISC_WHITE;
    *reversi_edit_board(timeline, (uint32_t)board_square("e4")) = REVERSI_DISC_BLACK;
    *reversi_edit_board(timeline, (uint32_t)board_square("d5")) = REVERSI_DISC_BLACK;
    return KIFU_OK;
}
