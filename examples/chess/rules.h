/// When a game is over. The Do functions ask here.
#ifndef RULES_H
#define RULES_H

#include "position.h"

/// Whose pieces a player has: who is first in turn order is white. CHESS_SIDE_NOBODY for anybody else.
chess_side rules_side_of(const kifu_game *game, int player);

/// Why the game has ended by itself, in this position: CHESS_ENDING_NONE if it has not. `in_check`: the king of the
/// side to move is.
chess_ending rules_ending(const chess_state *state, bool in_check);

/// How often the present position has stood, now included.
uint32_t rules_repetitions(const chess_state *state);

/// Whether a draw may be claimed now, and by which rule: CHESS_ENDING_THREEFOLD, CHESS_ENDING_FIFTY_MOVES, or
/// CHESS_ENDING_NONE.
chess_ending rules_claim(const chess_state *state);

/// The same in the position after a legal move.
chess_ending rules_claim_after(const chess_state *state, uint8_t from, uint8_t to, chess_kind promotion);

/// In a Do function: ends the game.
void rules_end(kifu_timeline *timeline, const chess_state *state, chess_ending ending);

/// In a Do function: ends the game if the position says so.
static inline void rules_finish(kifu_timeline *timeline, const chess_state *state, bool in_check)
{
    const chess_ending ending = rules_ending(state, in_check);
    if (ending)
        rules_end(timeline, state, ending);
}

#endif
