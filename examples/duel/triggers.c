// Triggers run when something happens for the first time. What they submit is in the log from then on; so undo, redo
// and load take it back and bring it again without asking them.

#include "triggers.h"

#include <stddef.h>

#include "rules.h"

#pragma GCC diagnostic ignored "-Wunused-parameter" // a function uses what it needs of what it gets

/// When Healer comes into play, you gain 2 life.
static kifu_result healer(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    const duel_e_enter *enter = event->table;
    if (((const duel_state *)state)->cards[enter->card].kind == DUEL_KIND_HEALER)
        duel_submit_e_gain_life(timeline, (uint8_t)rules_owner(enter->card), HEALER_LIFE);
    return KIFU_OK;
}

/// When Martyr dies, you gain life equal to the power it had. The dead card has its printed power again; what it had is
/// read from the game as it was before this event.
static kifu_result martyr(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    const duel_e_die *die = event->table;
    if (((const duel_state *)state)->cards[die->card].kind != DUEL_KIND_MARTYR)
        return KIFU_OK;
    duel_state before;
    kifu_result result = kifu_state_at(timeline, event->index, &before, sizeof before);
    if (!result)
        duel_submit_e_gain_life(timeline, (uint8_t)rules_owner(die->card), rules_power(&before, die->card));
    return result;
}

/// Whenever a creature attacks you or yours, its owner loses 1 life.
static kifu_result briar(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    const duel_e_attack *attack = event->table;
    int attacker = rules_owner(attack->card);
    uint32_t briars = rules_count_in_play(state, rules_enemy(attacker), DUEL_KIND_BRIAR);
    for (uint32_t i = 0; i < briars; i++)
        duel_submit_e_lose_life(timeline, (uint8_t)attacker, 1);
    return KIFU_OK;
}

// Which player's life has changed, and whether it is more than before.
static int whose_life(const kifu_change *change)
{
    return change->offset == offsetof(duel_state, sides[0].life) ? 0 : 1;
}

static bool is_more(const kifu_change *change)
{
    return *(const int16_t *)change->after > *(const int16_t *)change->before;
}

/// Whenever you gain life, your enemy loses 1 life.
static kifu_result vampire(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event,
                           const kifu_change *change)
{
    int player = whose_life(change);
    uint32_t vampires = is_more(change) ? rules_count_in_play(state, player, DUEL_KIND_VAMPIRE) : 0;
    for (uint32_t i = 0; i < vampires; i++)
        duel_submit_e_lose_life(timeline, (uint8_t)rules_enemy(player), 1);
    return KIFU_OK;
}

/// Who has no life left has lost. The game's own rule, so it comes before those of the cards.
static kifu_result no_life_left(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event,
                                const kifu_change *change)
{
    if (*(const int16_t *)change->before > 0 && *(const int16_t *)change->after <= 0)
        duel_submit_e_lose(timeline, (uint8_t)whose_life(change));
    return KIFU_OK;
}

static const kifu_observer triggers[] = {
    {.react = healer, .type = DUEL_E_ENTER},
    {.react = martyr, .type = DUEL_E_DIE},
    {.react = briar, .type = DUEL_E_ATTACK},
    {.trigger = vampire, KIFU_PART(duel_state, sides[0].life)},
    {.trigger = vampire, KIFU_PART(duel_state, sides[1].life)},
    {.trigger = no_life_left, KIFU_PART(duel_state, sides[0].life), .rank = KIFU_RANK_INTERNAL},
    {.trigger = no_life_left, KIFU_PART(duel_state, sides[1].life), .rank = KIFU_RANK_INTERNAL},
};

const kifu_observers duel_triggers = KIFU_OBSERVERS(triggers);
