/// What the suites that play the card game share.
#ifndef CARDS_HELP_H
#define CARDS_HELP_H

#include "history_help.h"
#include "hooks.h"
#include "seeded.h"

/// Two events have happened: EInitialize and EDeal. Both players have 20 life.
static inline kifu_timeline *cards_new(const kifu_options *options)
{
    kifu_timeline *cards;
    kifu_error error;
    const uint64_t seed = 11;
    ck_assert_msg(kifu_create(&cards_rules, options, &cards, &error) == KIFU_OK, "%s", error.message);
    cards_submit_e_initialize(cards, SEEDED(seed));
    cards_submit_e_deal(cards);
    must(cards, kifu_run(cards));
    return cards;
}

/// Life, mana, tapped lands, cards in hand: "20 20 m0 0 t........ h0".
static inline const char *cards_table(const kifu_timeline *cards)
{
    static char text[100];
    const cards_state *state = cards_get_state(cards);
    int used =
        snprintf(text, sizeof text, "%d %d m%u %u t", state->life[0], state->life[1], state->mana[0], state->mana[1]);
    for (int i = 0; i < 8; i++)
        text[used++] = state->tapped[i] ? 'T' : '.';
    snprintf(text + used, sizeof text - (size_t)used, " h%u", state->hand_count);
    return text;
}

#endif
