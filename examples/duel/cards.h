/// The cards: what each kind costs and says. What they do is in do_p_play.c and triggers.c.
#ifndef CARDS_H
#define CARDS_H

#include "duel.h"

/// What a card is.
typedef enum card_type { CARD_LAND, CARD_CREATURE, CARD_SPELL } card_type;

/// What its player points at when a spell is played.
typedef enum card_target { TARGET_NOTHING, TARGET_ANYTHING, TARGET_CREATURE } card_target;

typedef struct card_kind {
    const char *name;
    const char *text; ///< What it does, in one line.
    card_type type;
    card_target target;
    uint8_t lands;     ///< Cost: so many lands are tapped,
    uint8_t creatures; ///< and so many of one's own creatures are sacrificed.
    uint8_t power, toughness;
    uint8_t count; ///< How many are in a deck.
} card_kind;

enum { CARD_KINDS = DUEL_KIND_GROWTH + 1, DECK_SIZE = 20, CARD_COUNT = 2 * DECK_SIZE };

/// By duel_kind. Both players have the same deck.
extern const card_kind cards[CARD_KINDS];

#endif
