#include "duel.h"
#include "rules.h"

kifu_verdict duel_check_p_announce(kifu_timeline *timeline, const duel_state *state, duel_p_announce *announce)
{
    const char *why = rules_why_not_announce(state, kifu_player(timeline), announce->card);
    return why ? kifu_reject(why) : kifu_accept();
}

/// One card of each kind in the hand.
void duel_list_p_announce(const kifu_timeline *timeline, const duel_state *state, int player, kifu_moves *moves)
{
    (void)timeline;
    bool seen[CARD_KINDS] = {false};
    for (uint32_t card = 0; card < CARD_COUNT; card++) {
        if (rules_owner(card) == player && state->cards[card].zone == DUEL_ZONE_HAND &&
            !seen[state->cards[card].kind]) {
            seen[state->cards[card].kind] = true;
            duel_add_p_announce(moves, (uint8_t)card);
        }
    }
}

/// A player announces a card of the hand, and owes its cost. What follows pays it.
kifu_result duel_do_p_announce(kifu_timeline *timeline, const duel_state *state, const duel_p_announce *announce)
{
    if (announce->card >= CARD_COUNT)
        return kifu_fail(timeline, "there is no such card");
    const card_kind *kind = rules_kind(state, announce->card);
    *duel_edit_cards_zone(timeline, announce->card) = DUEL_ZONE_PAYING;
    *duel_edit_owed_lands(timeline) = kind->lands;
    *duel_edit_owed_creatures(timeline) = kind->creatures;
    return KIFU_OK;
}
