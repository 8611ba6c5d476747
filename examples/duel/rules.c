#include "rules.h"

#include <stddef.h>

static bool is_mine(const duel_state *state, int player, uint32_t card, duel_zone zone)
{
    return card < CARD_COUNT && rules_owner(card) == player && state->cards[card].zone == zone;
}

bool rules_is_creature(const duel_state *state, uint32_t card)
{
    return card < CARD_COUNT && state->cards[card].zone == DUEL_ZONE_PLAY &&
           rules_kind(state, card)->type == CARD_CREATURE;
}

bool rules_can_tap(const duel_state *state, int player, uint32_t card)
{
    return is_mine(state, player, card, DUEL_ZONE_PLAY) && rules_kind(state, card)->type == CARD_LAND &&
           !state->cards[card].tapped;
}

uint8_t rules_power(const duel_state *state, uint32_t card)
{
    return (uint8_t)(rules_kind(state, card)->power + state->cards[card].growth);
}

uint8_t rules_toughness(const duel_state *state, uint32_t card)
{
    return (uint8_t)(rules_kind(state, card)->toughness + state->cards[card].growth);
}

uint32_t rules_count(const duel_state *state, int player, duel_zone zone)
{
    uint32_t count = 0;
    for (uint32_t card = 0; card < CARD_COUNT; card++)
        count += is_mine(state, player, card, zone);
    return count;
}

uint32_t rules_untapped_lands(const duel_state *state, int player)
{
    uint32_t count = 0;
    for (uint32_t card = 0; card < CARD_COUNT; card++)
        count += rules_can_tap(state, player, card);
    return count;
}

uint32_t rules_count_in_play(const duel_state *state, int player, duel_kind kind)
{
    uint32_t count = 0;
    for (uint32_t card = 0; card < CARD_COUNT; card++)
        count += is_mine(state, player, card, DUEL_ZONE_PLAY) && state->cards[card].kind == kind;
    return count;
}

uint32_t rules_top_card(const duel_state *state, int player)
{
    for (uint32_t card = 0; card < CARD_COUNT; card++) {
        if (is_mine(state, player, card, DUEL_ZONE_DECK))
            return card;
    }
    return NO_CARD;
}

uint32_t rules_paying(const duel_state *state)
{
    for (uint32_t card = 0; card < CARD_COUNT; card++) {
        if (state->cards[card].zone == DUEL_ZONE_PAYING)
            return card;
    }
    return NO_CARD;
}

bool rules_is_paid(const duel_state *state)
{
    return state->owed_lands == 0 && state->owed_creatures == 0;
}

/// Nobody knows a deck's cards, and a hand's only its owner.
bool duel_sees_cards_kind(const duel_state *state, uint32_t card, int viewer)
{
    const duel_zone zone = state->cards[card].zone;
    return zone == DUEL_ZONE_HAND ? rules_owner(card) == viewer : zone != DUEL_ZONE_DECK;
}

const char *rules_why_not_act(const duel_state *state, int player)
{
    if (state->game.phase == KIFU_PHASE_SETUP)
        return "the game has not begun";
    if (state->game.phase == KIFU_PHASE_GAME_OVER)
        return "the game is over";
    if (player != kifu_current_player(&state->game))
        return "it is the other player's turn";
    if (rules_paying(state) != NO_CARD)
        return "a card is being paid for";
    return NULL;
}

static uint32_t count_creatures(const duel_state *state, int player)
{
    uint32_t count = 0;
    for (uint32_t card = 0; card < CARD_COUNT; card++)
        count += rules_is_creature(state, card) && rules_owner(card) == player;
    return count;
}

const char *rules_why_not_announce(const duel_state *state, int player, uint32_t card)
{
    const char *why = rules_why_not_act(state, player);
    if (why)
        return why;
    if (!is_mine(state, player, card, DUEL_ZONE_HAND))
        return "that card is not in your hand";
    const card_kind *kind = rules_kind(state, card);
    if (kind->type == CARD_LAND && state->sides[player].land_played)
        return "you have played a land this turn";
    if (kind->lands > rules_untapped_lands(state, player))
        return "you have too few untapped lands";
    uint32_t mine = count_creatures(state, player);
    if (kind->creatures > mine)
        return "you have no creature to sacrifice";
    if (kind->target == TARGET_CREATURE && mine - kind->creatures + count_creatures(state, rules_enemy(player)) == 0)
        return "there is no creature in play";
    return NULL;
}

const char *rules_why_not_target(const duel_state *state, duel_kind kind, uint32_t target)
{
    bool player = target >= TARGET_PLAYER && target < TARGET_END;
    switch (cards[kind].target) {
    case TARGET_ANYTHING:
        return player || rules_is_creature(state, target) ? NULL : "choose a creature or a player";
    case TARGET_CREATURE:
        return rules_is_creature(state, target) ? NULL : "choose a creature";
    case TARGET_NOTHING:
    default:
        return target == NO_TARGET ? NULL : "this card needs no target";
    }
}

const char *rules_why_not_attack_with(const duel_state *state, int player, uint32_t card)
{
    const char *why = rules_why_not_act(state, player);
    if (why)
        return why;
    if (!rules_is_creature(state, card) || rules_owner(card) != player)
        return "only your creatures can attack";
    if (state->cards[card].tapped)
        return "a tapped creature cannot attack";
    if (state->cards[card].fresh)
        return "a creature cannot attack in the turn in which it came";
    return NULL;
}

static bool has_guard(const duel_state *state, int player)
{
    for (uint32_t card = 0; card < CARD_COUNT; card++) {
        if (rules_is_creature(state, card) && rules_owner(card) == player && !state->cards[card].tapped)
            return true;
    }
    return false;
}

const char *rules_why_not_attack_at(const duel_state *state, int player, uint32_t target)
{
    int enemy = rules_enemy(player);
    bool creature = rules_is_creature(state, target) && rules_owner(target) == enemy;
    if (!creature && target != TARGET_PLAYER + (uint32_t)enemy)
        return "attack your enemy, or one of the enemy's creatures";
    if (has_guard(state, enemy) && !(creature && !state->cards[target].tapped))
        return "an untapped creature stands guard: attack that one";
    return NULL;
}

const char *rules_why_not_outcome(const duel_state *state, int player)
{
    return state->sides[player].life > 0 ? NULL : "you may not do what costs you your last life";
}

int rules_winner(const duel_state *state)
{
    if (state->sides[0].lost == state->sides[1].lost)
        return -1;
    return state->sides[0].lost ? 1 : 0;
}
