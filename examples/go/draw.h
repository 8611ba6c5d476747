/// How the state looks: in a terminal, and in the page of `go tool html`.
#ifndef DRAW_H
#define DRAW_H

#include "board.h"

/// What a terminal can show; for `kifu_drawing.user`.
typedef struct draw_look {
    bool ascii;   ///< No more than ASCII.
    bool colours; ///< Otherwise the shape of a stone alone says whose it is.
} draw_look;

/// For `kifu_options.draw`.
void go_draw(kifu_drawing *drawing);

#endif
