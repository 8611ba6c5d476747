#include "duel.h"
#include "rules.h"

kifu_verdict duel_check_p_play(kifu_timeline *timeline, const duel_state *state, duel_p_play *play)
{
    uint32_t card = rules_paying(state);
    if (card == NO_CARD || rules_owner(card) != kifu_player(timeline))
        return kifu_reject("announce a card first");
    if (!rules_is_paid(state))
        return kifu_reject("it is not paid for yet");
    const char *why = rules_why_not_target(state, state->cards[card].kind, play->target);
    return why ? kifu_reject(why) : kifu_accept();
}

/// Anything that can be pointed at; the check knows what this card may point at.
void duel_list_p_play(const kifu_timeline *timeline, const duel_state *state, int player, kifu_moves *moves)
{
    (void)timeline;
    (void)player;
    uint32_t card = rules_paying(state);
    if (card == NO_CARD || !rules_is_paid(state))
        return;
    if (rules_kind(state, card)->target == TARGET_NOTHING) {
        duel_add_p_play(moves, NO_TARGET);
        return;
    }
    for (uint32_t target = 0; target < TARGET_END; target++)
        duel_add_p_play(moves, (uint8_t)target);
}

static void hurt(kifu_timeline *timeline, uint8_t target, uint8_t amount)
{
    if (target >= TARGET_PLAYER)
        duel_submit_e_lose_life(timeline, (uint8_t)(target - TARGET_PLAYER), amount);
    else
        duel_submit_e_damage(timeline, target, amount);
}

/// The announced card is paid for and takes effect: what it does becomes events of their own.
kifu_result duel_do_p_play(kifu_timeline *timeline, const duel_state *state, const duel_p_play *play)
{
    uint32_t card = rules_paying(state);
    if (card == NO_CARD)
        return kifu_fail(timeline, "no card was announced");
    if (rules_kind(state, card)->type != CARD_SPELL) {
        duel_submit_e_enter(timeline, (uint8_t)card);
        return KIFU_OK;
    }
    *duel_edit_cards_zone(timeline, card) = DUEL_ZONE_GONE;
    uint8_t player = (uint8_t)kifu_player(timeline);
    switch (state->cards[card].kind) {
    case DUEL_KIND_SPARK:
        duel_submit_e_spark(timeline, play->target);
        return KIFU_OK;
    case DUEL_KIND_INSIGHT:
        duel_submit_e_draw(timeline, player);
        duel_submit_e_draw(timeline, player);
        return KIFU_OK;
    case DUEL_KIND_RITE:
        hurt(timeline, play->target, RITE_DAMAGE);
        return KIFU_OK;
    case DUEL_KIND_GROWTH:
        duel_submit_e_grow(timeline, play->target);
        return KIFU_OK;
    default:
        return kifu_fail(timeline, "no rule says what this spell does");
    }
}
