/// How the level looks: in a terminal, and in the page of `dungeon tool html`.
#ifndef DRAW_H
#define DRAW_H

#include "dungeon.h"

/// For `kifu_options.draw`. What the hero has seen, and below it how the hero is; with anything in `kifu_drawing.user`,
/// the map alone.
void dungeon_draw(kifu_drawing *drawing);

#endif
