/// What random games of Duel begin with, and what a likely move is: see kifu_fuzz.h.
#include "game.h"
#include "kifu_fuzz.h"
#include "triggers.h"

static void begin(kifu_timeline *timeline, kifu_rng *rng)
{
    uint64_t seed = kifu_rng_next(rng);
    (void)duel_begin(timeline, &seed);
}

// A card that is announced: what is still missing.
static kifu_ticket pay(kifu_timeline *timeline, const duel_state *state, int player, uint32_t paying, kifu_rng *rng)
{
    for (uint32_t i = 0; i < CARD_COUNT; i++) {
        if (state->owed_lands && rules_can_tap(state, player, i))
            return duel_submit_p_tap(timeline, player, (uint8_t)i);
        if (state->owed_creatures && rules_is_creature(state, i) && rules_owner(i) == player)
            return duel_submit_p_sacrifice(timeline, player, (uint8_t)i);
    }
    uint32_t target = NO_TARGET, first = kifu_rng_below(rng, TARGET_END);
    for (uint32_t i = 0; i < TARGET_END && target == NO_TARGET; i++) {
        uint32_t any = (first + i) % TARGET_END;
        if (!rules_why_not_target(state, state->cards[paying].kind, any))
            target = any;
    }
    return duel_submit_p_play(timeline, player, (uint8_t)target);
}

static kifu_ticket attack(kifu_timeline *timeline, const duel_state *state, int player, kifu_rng *rng)
{
    uint8_t attackers[DECK_SIZE];
    uint32_t count = 0;
    for (uint32_t i = 0; i < CARD_COUNT; i++) {
        if (!rules_why_not_attack_with(state, player, i) && kifu_rng_below(rng, 3))
            attackers[count++] = (uint8_t)i;
    }
    uint32_t first = kifu_rng_below(rng, TARGET_END);
    for (uint32_t i = 0; count && i < TARGET_END; i++) {
        uint32_t target = (first + i) % TARGET_END;
        if (!rules_why_not_attack_at(state, player, target))
            return duel_submit_p_attack(timeline, player, attackers, count, (uint8_t)target);
    }
    return 0;
}

static kifu_ticket input(kifu_timeline *timeline, kifu_rng *rng)
{
    const duel_state *state = duel_get_state(timeline);
    int player = kifu_current_player(&state->game);
    if (player < 0 || player > 1)
        return 0;
    uint32_t paying = rules_paying(state);
    if (paying != NO_CARD)
        return pay(timeline, state, player, paying, rng);
    kifu_ticket ticket = kifu_rng_below(rng, 4) ? 0 : attack(timeline, state, player, rng);
    if (ticket)
        return ticket;
    uint32_t first = kifu_rng_below(rng, CARD_COUNT);
    for (uint32_t i = 0; i < CARD_COUNT; i++) {
        uint32_t card = (first + i) % CARD_COUNT;
        if (rules_owner(card) == player && !rules_why_not_announce(state, player, card))
            return duel_submit_p_announce(timeline, player, (uint8_t)card);
    }
    return duel_submit_p_end_turn(timeline, player);
}

static void add_triggers(kifu_options *options)
{
    options->observers = duel_triggers;
}

const kifu_fuzz_hooks duel_fuzz_hooks = {.begin = begin, .input = input, .options = add_triggers};
