// The Do functions and checks of the card game.

#include "hooks.h"

kifu_result cards_do_e_deal(kifu_timeline *timeline, const cards_state *state, const cards_e_deal *deal)
{
    (void)deal;
    for (uint32_t i = 0; i < 20; i++)
        *cards_edit_deck(timeline, i) = (uint8_t)(i + 1);
    for (uint32_t i = 19; i > 0; i--) {
        uint32_t other = kifu_random_below(timeline, i + 1);
        uint8_t card = state->deck[i];
        *cards_edit_deck(timeline, i) = state->deck[other];
        *cards_edit_deck(timeline, other) = card;
    }
    *cards_edit_deck_count(timeline) = 20;
    *cards_edit_hand_count(timeline) = 0;
    for (uint32_t i = 0; i < 2; i++)
        *cards_edit_life(timeline, i) = 20;
    return KIFU_OK;
}

kifu_result cards_do_e_draw(kifu_timeline *timeline, const cards_state *state, const cards_e_draw *draw)
{
    (void)draw;
    if (!state->deck_count)
        return kifu_fail(timeline, "the deck is empty");
    *cards_edit_deck_count(timeline) = (uint8_t)(state->deck_count - 1);
    *cards_edit_hand(timeline, state->hand_count) = state->deck[state->deck_count];
    *cards_edit_hand_count(timeline) = (uint8_t)(state->hand_count + 1);
    return KIFU_OK;
}

kifu_verdict cards_check_p_draw(kifu_timeline *timeline, const cards_state *state, cards_p_draw *draw)
{
    (void)timeline;
    return draw->count > state->deck_count ? kifu_reject("there are not that many cards") : kifu_accept();
}

kifu_result cards_do_p_draw(kifu_timeline *timeline, const cards_state *state, const cards_p_draw *draw)
{
    (void)state;
    for (uint32_t i = 0; i < draw->count; i++)
        cards_submit_e_draw(timeline);
    return KIFU_OK;
}

kifu_verdict cards_check_p_tap(kifu_timeline *timeline, const cards_state *state, cards_p_tap *tap)
{
    (void)timeline;
    if (tap->land >= 8)
        return kifu_reject("there is no such land");
    return state->tapped[tap->land] ? kifu_reject("it is tapped") : kifu_accept();
}

kifu_result cards_do_p_tap(kifu_timeline *timeline, const cards_state *state, const cards_p_tap *tap)
{
    uint32_t owner = tap->land / 4u;
    *cards_edit_tapped(timeline, tap->land) = true;
    *cards_edit_mana(timeline, owner) = (uint8_t)(state->mana[owner] + 1);
    return KIFU_OK;
}

kifu_verdict cards_check_e_gain_life(kifu_timeline *timeline, const cards_state *state, cards_e_gain_life *life)
{
    cards_hooks *hooks = kifu_user(timeline);
    if (hooks)
        hooks->checks++;
    if (life->who > 1)
        return kifu_reject("there is no such player");
    return state->no_life_gain ? kifu_reject("players can't gain life") : kifu_accept();
}

kifu_result cards_do_e_gain_life(kifu_timeline *timeline, const cards_state *state, const cards_e_gain_life *life)
{
    (void)state;
    *cards_edit_life(timeline, life->who) += life->amount;
    return KIFU_OK;
}

kifu_result cards_do_e_lose_life(kifu_timeline *timeline, const cards_state *state, const cards_e_lose_life *life)
{
    (void)state;
    *cards_edit_life(timeline, life->who) -= life->amount;
    return KIFU_OK;
}

kifu_result cards_do_e_forbid(kifu_timeline *timeline, const cards_state *state, const cards_e_forbid *forbid)
{
    (void)state;
    *cards_edit_no_life_gain(timeline) = forbid->life_gain;
    return KIFU_OK;
}

kifu_verdict cards_check_p_attack(kifu_timeline *timeline, const cards_state *state, cards_p_attack *attack)
{
    (void)timeline;
    (void)state;
    for (uint32_t i = 0; i < cards_p_attack_attackers_count(attack); i++)
        if (cards_p_attack_attackers(attack)[i] >= 8)
            return kifu_reject("there is no such attacker");
    return kifu_accept();
}

kifu_result cards_do_p_attack(kifu_timeline *timeline, const cards_state *state, const cards_p_attack *attack)
{
    (void)state;
    for (uint32_t i = 0; i < cards_p_attack_attackers_count(attack); i++) {
        uint8_t attacker = cards_p_attack_attackers(attack)[i];
        *cards_edit_tapped(timeline, attacker) = true;
        cards_submit_e_lose_life(timeline, attacker < 4, 2);
        cards_submit_e_gain_life(timeline, attacker >= 4, 1);
    }
    return KIFU_OK;
}

kifu_verdict cards_check_p_roll(kifu_timeline *timeline, const cards_state *state, cards_p_roll *roll)
{
    (void)timeline;
    (void)state;
    (void)roll;
    return kifu_accept();
}

kifu_result cards_do_p_roll(kifu_timeline *timeline, const cards_state *state, const cards_p_roll *roll)
{
    (void)state;
    if (roll->how == CARDS_HOW_ITSELF)
        *cards_edit_rolled(timeline) = 1 + kifu_random_below(timeline, 6);
    if (roll->how == CARDS_HOW_BY_EVENT)
        cards_submit_e_roll(timeline);
    return KIFU_OK;
}

kifu_result cards_do_e_roll(kifu_timeline *timeline, const cards_state *state, const cards_e_roll *roll)
{
    (void)state;
    (void)roll;
    *cards_edit_rolled(timeline) = 1 + kifu_random_below(timeline, 6);
    return KIFU_OK;
}

kifu_verdict cards_check_p_peek(kifu_timeline *timeline, const cards_state *state, cards_p_peek *peek)
{
    (void)timeline;
    (void)peek;
    return state->deck_count ? kifu_accept() : kifu_reject("the deck is empty");
}

kifu_result cards_do_p_peek(kifu_timeline *timeline, const cards_state *state, const cards_p_peek *peek)
{
    *cards_edit_rolled(timeline) = state->deck[state->deck_count - 1];
    if (peek->reveal)
        kifu_reveal(timeline);
    return KIFU_OK;
}

kifu_verdict cards_check_p_any(kifu_timeline *timeline, const cards_state *state, cards_p_any *any)
{
    (void)state;
    (void)any;
    const cards_hooks *hooks = kifu_user(timeline);
    if (hooks && hooks->in_check)
        hooks->in_check(hooks->context, (kifu_timeline *)(uintptr_t)timeline);
    return kifu_accept();
}

kifu_result cards_do_p_any(kifu_timeline *timeline, const cards_state *state, const cards_p_any *any,
                           cards_p_any_transient *transient)
{
    cards_hooks *hooks = kifu_user(timeline);
    *cards_edit_life(timeline, 0) -= any->number;
    transient->life = state->life[0];
    if (!hooks)
        return KIFU_OK;
    hooks->dos++;
    return hooks->in_do ? hooks->in_do(hooks->context, timeline, any) : KIFU_OK;
}
