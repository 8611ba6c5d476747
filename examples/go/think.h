/// The computer player: Monte-Carlo tree search with playouts on a board of its own, because that plays a hundred
/// thousand moves in the time in which a timeline, with its log and undo, plays a few thousand.
#ifndef THINK_H
#define THINK_H

#include <kifu/bot.h>

#include "board.h"

typedef struct thought {
    uint32_t point; ///< NO_POINT: a pass.
    bool resigns;   ///< Nothing helps any more.
    double winning; ///< How likely it is thought to win, 0 to 1.
} thought;

/// Finds a move for who is to move. `thinking` is as for `kifu_choose_move`: `tries`, `seconds`, `seed`, `progress`
/// count. KIFU_NO_MEMORY.
kifu_result think(const go_state *state, const kifu_thinking *thinking, thought *thought);

/// The chains that are dead as far as the computer knows, in `dead`.
void think_of_dead(const go_state *state, bool dead[MOST_POINTS]);

#endif
