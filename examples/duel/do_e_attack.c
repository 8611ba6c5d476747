#include "duel.h"
#include "rules.h"

/// One of the attackers: it taps, and strikes. A creature that is attacked strikes back.
kifu_result duel_do_e_attack(kifu_timeline *timeline, const duel_state *state, const duel_e_attack *attack)
{
    if (attack->card >= CARD_COUNT || attack->target >= TARGET_END)
        return kifu_fail(timeline, "there is no such card");
    *duel_edit_cards_tapped(timeline, attack->card) = true;
    uint8_t power = rules_power(state, attack->card);
    if (attack->target >= TARGET_PLAYER) {
        duel_submit_e_lose_life(timeline, (uint8_t)(attack->target - TARGET_PLAYER), power);
        return KIFU_OK;
    }
    duel_submit_e_damage(timeline, attack->target, power);
    duel_submit_e_damage(timeline, attack->card, rules_power(state, attack->target));
    return KIFU_OK;
}
