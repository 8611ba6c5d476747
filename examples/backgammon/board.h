/// What the rules of backgammon say of a board. Plain functions: the Do functions, the checks and the bot ask here.
#ifndef BOARD_H
#define BOARD_H

#include "backgammon/state.h"

enum { BOARD_OFF = 0, BOARD_HOME = 6, BOARD_BAR = 25, BOARD_CHECKERS = 15 };

/// Where a checker lands.
static inline int board_to(int from, int die)
{
    return from > die ? from - die : BOARD_OFF;
}

/// Whether the player may play this checker by this die now: as many dice as possible must be played in a turn, and if
/// that is only one of two, the higher one where it can be.
bool board_is_legal(const backgammon_board *board, int player, int from, int die);

/// Whether dice lie there that are still to be played.
static inline bool board_has_dice(const backgammon_board *board)
{
    return board->dice[0] || board->dice[1] || board->dice[2] || board->dice[3];
}

/// How many of the dice that are left the player can play.
uint32_t board_most(const backgammon_board *board, int player);

/// Plays a checker by a die, and asks nothing. Returns whether it hits another one.
bool board_play(backgammon_board *board, int player, int from, int die);

/// Puts what two dice show on the board.
void board_set_dice(backgammon_board *board, uint8_t first, uint8_t second);

/// How many points the player still has to go.
uint32_t board_pips(const backgammon_board *board, int player);

/// What a game counts that the player has won: 1, 2 (gammon: the other one has no checker off) or 3 (backgammon: and
/// one of those is on the bar or in the winner's home). 0: the player has not.
uint32_t board_won(const backgammon_board *board, int player);

#endif
