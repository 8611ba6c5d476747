/// How the state looks: in a terminal, and in the page of `reversi tool html`.
#ifndef DRAW_H
#define DRAW_H

#include "board.h"

/// What a terminal shows besides; for `kifu_drawing.user`.
typedef struct draw_look {
    bool ascii;   ///< It shows no more than ASCII.
    bool colours; ///< It has them. Otherwise the shape of a disc alone says whose it is.
    int cursor;   ///< A square; -1: none.
    int placed;   ///< The last disc put down; -1: none.
    bool hints[BOARD_SQUARES];
} draw_look;

/// For `kifu_options.draw`.
void reversi_draw(kifu_drawing *drawing);

#endif
