#include "duel.h"
#include "rules.h"

kifu_verdict duel_check_p_attack(kifu_timeline *timeline, const duel_state *state, duel_p_attack *attack)
{
    int player = kifu_player(timeline);
    const uint8_t *attackers = duel_p_attack_attackers(attack);
    uint32_t count = duel_p_attack_attackers_count(attack);
    if (count == 0)
        return kifu_reject("nobody attacks");
    for (uint32_t i = 0; i < count; i++) {
        const char *why = rules_why_not_attack_with(state, player, attackers[i]);
        if (why)
            return kifu_reject(why);
        for (uint32_t j = 0; j < i; j++) {
            if (attackers[j] == attackers[i])
                return kifu_reject("a creature cannot attack twice at once");
        }
    }
    const char *why = rules_why_not_attack_at(state, player, attack->target);
    return why ? kifu_reject(why) : kifu_accept();
}

enum { MOST_READY = 4 }; // Of more creatures, only these are considered.

/// Every set of creatures that can attack, for each that can be attacked.
void duel_list_p_attack(const kifu_timeline *timeline, const duel_state *state, int player, kifu_moves *moves)
{
    (void)timeline;
    uint8_t ready[MOST_READY], attackers[MOST_READY];
    uint32_t count = 0;
    for (uint32_t card = 0; card < CARD_COUNT && count < MOST_READY; card++) {
        if (!rules_why_not_attack_with(state, player, card) && rules_power(state, card) > 0)
            ready[count++] = (uint8_t)card;
    }
    for (uint32_t target = 0; target < TARGET_END && count > 0; target++) {
        if (rules_why_not_attack_at(state, player, target))
            continue;
        for (uint32_t set = 1; set < 1u << count; set++) {
            uint32_t chosen = 0;
            for (uint32_t i = 0; i < count; i++) {
                if (set >> i & 1)
                    attackers[chosen++] = ready[i];
            }
            duel_add_p_attack(moves, attackers, chosen, (uint8_t)target);
        }
    }
}

/// Creatures attack a player, or a creature. First all of them tap and strike; then the wounds show.
kifu_result duel_do_p_attack(kifu_timeline *timeline, const duel_state *state, const duel_p_attack *attack)
{
    (void)state;
    const uint8_t *attackers = duel_p_attack_attackers(attack);
    for (uint32_t i = 0; i < duel_p_attack_attackers_count(attack); i++)
        duel_submit_e_attack(timeline, attackers[i], attack->target);
    return KIFU_OK;
}
