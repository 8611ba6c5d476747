/// How the state looks: in a terminal, and in the page of `chess tool html`.
#ifndef DRAW_H
#define DRAW_H

#include "position.h"

/// What a terminal shows besides; for `kifu_drawing.user`. Squares may be NO_SQUARE.
typedef struct draw_look {
    bool turned;             ///< Black is at the bottom.
    bool ascii;              ///< The terminal shows no more than ASCII.
    bool colours;            ///< It has them. Otherwise dark squares have colons around their piece.
    uint32_t cursor, chosen; ///< Squares.
    uint32_t from, to;       ///< The last move.
    bool hints[SQUARES];     ///< Where the chosen piece may go.
} draw_look;

/// For `kifu_options.draw`.
void chess_draw(kifu_drawing *drawing);

#endif
