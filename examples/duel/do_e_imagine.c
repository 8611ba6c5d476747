#include "duel.h"
#include "rules.h"

/// Only inside a search, which is rolled back: it must not stay.
kifu_verdict duel_check_e_imagine(kifu_timeline *timeline, const duel_state *state, duel_e_imagine *imagine)
{
    (void)state;
    (void)imagine;
    return kifu_open_transactions(timeline) ? kifu_accept() : kifu_reject("this is for thinking ahead only");
}

// Deals the cards of `owner` that a player does not see anew. They are sorted first: what comes of it does not depend
// on how they really lie.
static void deal_anew(kifu_timeline *timeline, const duel_state *state, int owner, int viewer)
{
    uint8_t hidden[CARD_COUNT], kinds[CARD_COUNT];
    uint32_t of_kind[CARD_KINDS] = {0}, count = 0, sorted = 0;
    for (uint32_t card = 0; card < CARD_COUNT; card++) {
        if (rules_owner(card) == owner && !duel_sees_cards_kind(state, card, viewer)) {
            of_kind[state->cards[card].kind]++;
            hidden[count++] = (uint8_t)card;
        }
    }
    for (uint32_t kind = 0; kind < CARD_KINDS; kind++) {
        for (uint32_t i = 0; i < of_kind[kind]; i++)
            kinds[sorted++] = (uint8_t)kind;
    }
    kifu_shuffle(timeline, kinds, count, sizeof *kinds);
    for (uint32_t i = 0; i < count; i++)
        *duel_edit_cards_kind(timeline, hidden[i]) = kinds[i];
}

/// All cards that a player cannot see are dealt anew: the own deck, the enemy's deck and hand.
kifu_result duel_do_e_imagine(kifu_timeline *timeline, const duel_state *state, const duel_e_imagine *imagine)
{
    deal_anew(timeline, state, imagine->player, imagine->player);
    deal_anew(timeline, state, rules_enemy(imagine->player), imagine->player);
    return KIFU_OK;
}
