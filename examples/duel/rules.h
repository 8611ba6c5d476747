/// What the rules say of a position. Plain functions of the state: checks, Do functions, triggers, the computer player
/// and the view all ask here, and none of them changes anything.
#ifndef RULES_H
#define RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "cards.h"
#include "duel.h"

enum {
    START_LIFE = 10,
    START_HAND = 4, ///< Who goes second has one card more.
    HAND_LIMIT = 8, ///< What is drawn beyond is lost.
    SPARK_MOST = 3,
    RITE_DAMAGE = 4,
    GROWTH_BY = 2,
    HEALER_LIFE = 2,
    /// A target is the number of a card, or this plus the number of a player.
    TARGET_PLAYER = CARD_COUNT,
    TARGET_END = TARGET_PLAYER + 2,
    NO_CARD = 255,
    NO_TARGET = 255,
};

/// Whose card it is: a player's number.
static inline int rules_owner(uint32_t card)
{
    return card < DECK_SIZE ? 0 : 1;
}

static inline int rules_enemy(int player)
{
    return 1 - player;
}

/// What is printed on a card.
static inline const card_kind *rules_kind(const duel_state *state, uint32_t card)
{
    return &cards[state->cards[card].kind];
}

/// Whether `card` is the number of a creature in play.
bool rules_is_creature(const duel_state *state, uint32_t card);

/// Whether `card` is the number of a land of `player` that can be tapped.
bool rules_can_tap(const duel_state *state, int player, uint32_t card);

/// A creature's power, and its toughness (damage leaves it as it is).
uint8_t rules_power(const duel_state *state, uint32_t card);
uint8_t rules_toughness(const duel_state *state, uint32_t card);

/// How many cards of a player are in a zone.
uint32_t rules_count(const duel_state *state, int player, duel_zone zone);

/// How many lands of a player are untapped.
uint32_t rules_untapped_lands(const duel_state *state, int player);

/// How many creatures of a kind a player has in play.
uint32_t rules_count_in_play(const duel_state *state, int player, duel_kind kind);

/// The top card of a player's deck, or NO_CARD.
uint32_t rules_top_card(const duel_state *state, int player);

/// The card that is being paid for, or NO_CARD.
uint32_t rules_paying(const duel_state *state);

/// Whether all is paid.
bool rules_is_paid(const duel_state *state);

// Each of these gives NULL when it is legal, else the reason why not: a sentence without its full stop.

/// Whether `player` may act: it is his or her turn, and nothing is being paid for.
const char *rules_why_not_act(const duel_state *state, int player);

/// Whether `player` may announce `card`: it can be paid for, and its spell has something to point at.
const char *rules_why_not_announce(const duel_state *state, int player, uint32_t card);

/// Whether `kind` may be played at `target` (NO_TARGET where it needs none).
const char *rules_why_not_target(const duel_state *state, duel_kind kind, uint32_t target);

/// Whether `card` of `player` is ready to attack.
const char *rules_why_not_attack_with(const duel_state *state, int player, uint32_t card);

/// Whether `player` may attack `target`. Untapped creatures guard: who has any can only be attacked there.
const char *rules_why_not_attack_at(const duel_state *state, int player, uint32_t target);

/// Whether `player` may leave the game as it is now, after something that he or she did: nobody may do what costs
/// them their last life. Only the outcome shows it.
const char *rules_why_not_outcome(const duel_state *state, int player);

/// Who won a game that is over, or -1 for a draw.
int rules_winner(const duel_state *state);

#endif
