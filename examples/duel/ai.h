/// A computer player: Kifu's bot, and what it has to know of Duel besides its rules.
///
/// It knows what a person in its place knows: what lies on the table, its own hand, which cards the decks are made of.
/// It does not know the order of any deck, the enemy's hand or the dice to come: all of these are dealt anew (EImagine)
/// before each of its tries.
#ifndef AI_H
#define AI_H

#include "game.h"

/// For `kifu_choose_move`: one step of a move at a time.
extern const kifu_bot duel_bot;

/// How many tries each step has at a level from 1 to AI_LEVELS.
enum { AI_LEVELS = 5, AI_USUAL_LEVEL = 3 };
uint32_t duel_ai_tries(uint32_t level);

/// Finds a whole move for the player whose turn it is. Tries its steps on the timeline itself, and takes each of them
/// back: after the call it is as it was, and no view has seen anything. The same position, seed and tries give the same
/// move. `thinking` may be NULL: AI_USUAL_LEVEL. Errors: those of `kifu_choose_move`, `kifu_begin` and `kifu_run`;
/// KIFU_MISUSE (the game is not being played, or a card being paid for).
KIFU_WARN_UNUSED kifu_result duel_ai_move(kifu_timeline *timeline, const kifu_thinking *thinking, duel_move *move);

#endif
