#include "duel.h"
#include "rules.h"

/// A creature is hurt; it dies of as much damage as it has toughness. What is dead already cannot be hurt.
kifu_result duel_do_e_damage(kifu_timeline *timeline, const duel_state *state, const duel_e_damage *damage)
{
    if (!rules_is_creature(state, damage->card) || damage->amount == 0)
        return KIFU_OK;
    uint8_t before = state->cards[damage->card].damage, toughness = rules_toughness(state, damage->card);
    uint8_t after = (uint8_t)(before + damage->amount);
    *duel_edit_cards_damage(timeline, damage->card) = after;
    if (before < toughness && after >= toughness)
        duel_submit_e_die(timeline, damage->card);
    return KIFU_OK;
}
