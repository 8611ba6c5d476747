#include "duel.h"
#include "rules.h"

/// A player's turn begins: cards untap, wounds heal.
kifu_result duel_do_e_begin_turn(kifu_timeline *timeline, const duel_state *state, const duel_e_begin_turn *begin_turn)
{
    int player = begin_turn->player;
    for (uint32_t card = 0; card < CARD_COUNT; card++) {
        if (state->cards[card].damage)
            *duel_edit_cards_damage(timeline, card) = 0;
        if (state->cards[card].tapped && rules_owner(card) == player)
            *duel_edit_cards_tapped(timeline, card) = false;
        if (state->cards[card].fresh)
            *duel_edit_cards_fresh(timeline, card) = false;
    }
    *duel_edit_sides_land_played(timeline, begin_turn->player) = false;
    ++*duel_edit_turn(timeline);
    duel_submit_e_draw(timeline, begin_turn->player);
    return KIFU_OK;
}
