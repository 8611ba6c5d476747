/// The rules of Crazy Eights: questions about a state, which checks, Do functions, view and computer ask.
#ifndef RULES_H
#define RULES_H

#include "eights.h"

enum { EIGHT = 8, NO_CARD = 0xFF };

/// 1, an ace, to 13, a king. Not of face 0.
static inline unsigned rules_rank(unsigned face)
{
    return (face - 1) % 13 + 1;
}

static inline eights_suit rules_suit(unsigned face)
{
    return (eights_suit)((face - 1) / 13);
}

/// How many cards lie there; in a hand, `player`'s.
unsigned rules_count(const eights_state *state, eights_place place, int player);

/// The next card to be drawn; NO_CARD: the stock is empty.
uint32_t rules_top_of_stock(const eights_state *state);

/// Whether card `card` is in this player's hand, and may be played now.
bool rules_follows(const eights_state *state, int player, uint32_t card);

/// Whether the current player may draw.
bool rules_can_draw(const eights_state *state);

/// Who has won: the player without cards, or with the fewest if no one could go on; the first of several.
int rules_winner(const eights_state *state);

#endif
