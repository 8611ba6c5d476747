#include "duel.h"
#include "rules.h"

/// A deck is made and shuffled.
kifu_result duel_do_e_shuffle(kifu_timeline *timeline, const duel_state *state, const duel_e_shuffle *shuffle)
{
    (void)state;
    uint8_t kinds[DECK_SIZE];
    uint32_t count = 0;
    for (uint32_t kind = 0; kind < CARD_KINDS; kind++) {
        for (uint32_t i = 0; i < cards[kind].count; i++)
            kinds[count++] = (uint8_t)kind;
    }
    kifu_shuffle(timeline, kinds, count, sizeof *kinds);

    *duel_edit_sides_life(timeline, shuffle->player) = START_LIFE; // a player who is not there fails the event
    for (uint32_t i = 0; i < count; i++)
        *duel_edit_cards(timeline, shuffle->player * DECK_SIZE + i) = (duel_card){.kind = kinds[i]};
    return KIFU_OK;
}
