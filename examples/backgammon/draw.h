/// How the board looks: in a terminal, and in the page of `backgammon tool html`.
#ifndef DRAW_H
#define DRAW_H

#include "backgammon.h"

/// The players' names.
extern const char *const backgammon_names[2];

/// For `kifu_options.draw`. In the terminal the viewer is the player to move; in the page always the first player, so
/// that nothing moves there but checkers.
void backgammon_draw(kifu_drawing *drawing);

#endif
