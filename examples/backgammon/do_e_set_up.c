#include "backgammon/e_set_up.h"

/// The checkers are put on the board.
kifu_result backgammon_do_e_set_up(kifu_timeline *timeline, const backgammon_state *state,
                                   const backgammon_e_set_up *set_up)
{
    (void)state, (void)set_up;
    backgammon_board *board = backgammon_edit_board(timeline);
    *board = (backgammon_board){.dice = {0}};
    for (int player = 0; player < 2; player++) {
        uint8_t *places = board->sides[player].places;
        places[24] = 2;
        places[13] = 5;
        places[8] = 3;
        places[6] = 5;
    }
    return KIFU_OK;
}
