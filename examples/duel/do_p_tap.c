#include "duel.h"
#include "rules.h"

kifu_verdict duel_check_p_tap(kifu_timeline *timeline, const duel_state *state, duel_p_tap *tap)
{
    if (state->owed_lands == 0)
        return kifu_reject("there is nothing to pay with a land");
    if (!rules_can_tap(state, kifu_player(timeline), tap->card))
        return kifu_reject("tap one of your untapped lands");
    if (kifu_player(timeline) != kifu_current_player(&state->game))
        return kifu_reject("it is the other player's turn");
    return kifu_accept();
}

/// One land is as good as another.
void duel_list_p_tap(const kifu_timeline *timeline, const duel_state *state, int player, kifu_moves *moves)
{
    (void)timeline;
    for (uint32_t card = 0; state->owed_lands && card < CARD_COUNT; card++) {
        if (rules_can_tap(state, player, card)) {
            duel_add_p_tap(moves, (uint8_t)card);
            return;
        }
    }
}

/// A land is tapped to pay 1.
kifu_result duel_do_p_tap(kifu_timeline *timeline, const duel_state *state, const duel_p_tap *tap)
{
    (void)state;
    *duel_edit_cards_tapped(timeline, tap->card) = true;
    --*duel_edit_owed_lands(timeline);
    return KIFU_OK;
}
