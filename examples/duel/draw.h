/// How the table looks: in a terminal, and in the page of `duel tool html`.
#ifndef DRAW_H
#define DRAW_H

#include "rules.h"

/// Where the text of a drawing has what: rows from its top, columns from its left.
enum { CELL_WIDTH = 19, CELLS = 3, LAND_WIDTH = 7, TABLE_WIDTH = CELLS * CELL_WIDTH, LIFE_X = 18 };
enum { TOP_ROW = 0, MIDDLE_ROW = 5, BOTTOM_ROW = 6, HAND_ROW = 11, TABLE_ROWS = 14 };

/// What a terminal shows: one hand, if any. For `kifu_drawing.user`.
typedef struct draw_look {
    int bottom;         ///< Whose side is the lower one.
    bool face_up;       ///< Whether the hand of that side is shown.
    const bool *chosen; ///< The creatures that are about to attack, by card; or NULL.
    const char *prompt; ///< In the middle.
} draw_look;

/// For `kifu_options.draw`.
void duel_draw(kifu_drawing *drawing);

/// Fills in the creatures and the lands of a player in play, or the hand, in the order in which they are drawn. Returns
/// how many they are; `shown` has room for DECK_SIZE.
uint32_t draw_cards(const duel_state *state, int player, duel_zone zone, bool lands, uint32_t shown[DECK_SIZE]);

#endif
