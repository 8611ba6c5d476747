/// The moves in the terminal: a tree whose variations stand in brackets, indented, and what was written about the move
/// that was made last.
#ifndef PANEL_H
#define PANEL_H

#include "chess.h"

typedef struct panel {
    int y, x, height, width;
} panel;

void panel_draw(panel panel, kifu_timeline *timeline);

#endif
