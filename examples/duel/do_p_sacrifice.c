#include "duel.h"
#include "rules.h"

kifu_verdict duel_check_p_sacrifice(kifu_timeline *timeline, const duel_state *state, duel_p_sacrifice *sacrifice)
{
    if (kifu_player(timeline) != kifu_current_player(&state->game))
        return kifu_reject("it is the other player's turn");
    if (state->owed_creatures == 0)
        return kifu_reject("there is nothing to pay with a creature");
    if (!rules_is_creature(state, sacrifice->card) || rules_owner(sacrifice->card) != kifu_player(timeline))
        return kifu_reject("sacrifice one of your creatures");
    return kifu_accept();
}

/// Any creature, once the lands are paid.
void duel_list_p_sacrifice(const kifu_timeline *timeline, const duel_state *state, int player, kifu_moves *moves)
{
    (void)timeline;
    for (uint32_t card = 0; state->owed_creatures && !state->owed_lands && card < CARD_COUNT; card++) {
        if (rules_owner(card) == player && rules_is_creature(state, card))
            duel_add_p_sacrifice(moves, (uint8_t)card);
    }
}

/// A creature is given up, to pay for a card that asks for that. Its death is an event like any other; but what it
/// triggers waits until all is paid, because the payment is a deferred transaction (game.c).
kifu_result duel_do_p_sacrifice(kifu_timeline *timeline, const duel_state *state, const duel_p_sacrifice *sacrifice)
{
    (void)state;
    --*duel_edit_owed_creatures(timeline);
    duel_submit_e_die(timeline, sacrifice->card);
    return KIFU_OK;
}
