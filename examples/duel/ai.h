/// A computer player.
///
/// It knows what a person in its place knows: what lies on the table, its own hand, which cards the decks are made of.
/// It does not know the order of any deck, the enemy's hand or the dice to come: before it thinks, all of these are
/// dealt anew (EImagine), several times, and it does what is best on average.
#ifndef AI_H
#define AI_H

#include "game.h"

/// How hard it thinks. Zero means default.
typedef struct duel_ai {
    uint32_t worlds; ///< So many possible deals (3).
    uint32_t depth;  ///< So many moves of its own, one after the other (2); then the enemy's best attack.
} duel_ai;

/// Finds a move for the player whose turn it is. Tries moves on the timeline itself, and takes each of them back: after
/// the call it is as it was, and no view has seen anything. The same position gives the same move. `ai` may be NULL.
/// Errors: those of `kifu_begin` and `kifu_run`; KIFU_MISUSE (the game is not being played, or a card being paid for).
KIFU_WARN_UNUSED kifu_result duel_ai_move(kifu_timeline *timeline, const duel_ai *ai, duel_move *move);

#endif
