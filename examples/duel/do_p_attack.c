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

/// Creatures attack a player, or a creature. First all of them tap and strike; then the wounds show.
kifu_result duel_do_p_attack(kifu_timeline *timeline, const duel_state *state, const duel_p_attack *attack)
{
    (void)state;
    const uint8_t *attackers = duel_p_attack_attackers(attack);
    for (uint32_t i = 0; i < duel_p_attack_attackers_count(attack); i++)
        duel_submit_e_attack(timeline, attackers[i], attack->target);
    return KIFU_OK;
}
