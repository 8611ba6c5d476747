#include "game.h"

#include "board.h"

kifu_result backgammon_begin(kifu_timeline *timeline, const uint64_t *seed)
{
    kifu_e_initialize_args initialize = kifu_e_initialize_defaults();
    initialize.has_seed = seed != NULL;
    initialize.seed = seed ? *seed : 0;
    backgammon_submit_e_reset_game(timeline);
    backgammon_submit_e_add_player(timeline, 0, KIFU_WHITE);
    backgammon_submit_e_add_player(timeline, 1, KIFU_RED);
    backgammon_submit_e_initialize(timeline, &initialize);
    backgammon_submit_e_set_up(timeline);
    backgammon_submit_e_start_round(timeline);
    backgammon_submit_e_open(timeline);
    return kifu_run(timeline);
}

// What a player fears and likes: single checkers that can be hit, and points that no enemy can pass.
static int shape(const backgammon_board *board, int player)
{
    const uint8_t *mine = board->sides[player].places, *theirs = board->sides[1 - player].places;
    int worth = 0, enemies_behind = theirs[BOARD_BAR];
    for (int place = 1; place < BOARD_BAR; place++) {
        if (mine[place] == 1 && enemies_behind)
            worth -= (BOARD_BAR - place) / 2;
        if (mine[place] > 1 && place <= BOARD_HOME + 2)
            worth += 4;
        enemies_behind += theirs[BOARD_BAR - place];
    }
    return worth;
}

// A game that is over is won or lost; before that, a lead is worth the more the larger it is, and never all.
static void judge(const kifu_timeline *timeline, double *worth)
{
    const backgammon_board *board = &backgammon_get_state(timeline)->board;
    int lead = (int)board_pips(board, 1) - (int)board_pips(board, 0) + shape(board, 0) - shape(board, 1);
    worth[0] = 0.5 + 0.5 * lead / (60 + (lead < 0 ? -lead : lead));
    if (board_won(board, 0) || board_won(board, 1))
        worth[0] = board_won(board, 0) ? 1 : 0;
    worth[1] = 1 - worth[0];
}

const kifu_bot backgammon_bot = {.judge = judge, .depth = KIFU_AT_ONCE};
