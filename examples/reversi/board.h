/// What the rules of Reversi say of a board. Plain functions: the Do functions, the AI and the view all ask here.
/// A `board` has BOARD_SQUARES discs, as `reversi_state.board`.
#ifndef BOARD_H
#define BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "reversi.h"

enum {
    BOARD_SIDE = 8,
    BOARD_SQUARES = BOARD_SIDE * BOARD_SIDE,
    BOARD_MOST_FLIPS = 19 ///< From d4: 27 squares lie in the eight directions, and the last of each stays.
};

/// The other colour.
static inline reversi_disc board_other(reversi_disc disc)
{
    return disc == REVERSI_DISC_BLACK ? REVERSI_DISC_WHITE : REVERSI_DISC_BLACK;
}

/// The colour of a player: who is first in turn order has black. REVERSI_DISC_NONE for anybody else.
reversi_disc board_disc_of(const kifu_game *game, int player);

/// The colour whose turn it is.
reversi_disc board_to_move(const kifu_game *game);

/// The squares whose discs turn over when `disc` is put down on `square`; returns how many. None: not a legal
/// move. `flips` has room for BOARD_MOST_FLIPS.
uint32_t board_flips(const reversi_disc *board, reversi_disc disc, uint32_t square, uint8_t *flips);

/// Whether `disc` may be put down on `square`.
bool board_is_legal(const reversi_disc *board, reversi_disc disc, uint32_t square);

/// The legal moves of `disc`, in the order of the squares; returns how many. `moves` has room for BOARD_SQUARES.
uint32_t board_moves(const reversi_disc *board, reversi_disc disc, uint8_t *moves);

/// Whether `disc` has a legal move.
bool board_can_move(const reversi_disc *board, reversi_disc disc);

/// How many discs of a colour lie on the board.
uint32_t board_count(const reversi_disc *board, reversi_disc disc);

/// Writes the name of a square, "f5", and a NUL.
void board_square_name(uint32_t square, char *name);

/// The square named at the start of `name`, or -1.
int board_square(const char *name);

#endif
