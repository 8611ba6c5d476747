#include "duel.h"
#include "rules.h"

/// A deck is made and shuffled: by `draws`, random numbers of the operating system, so that what one sees of a deck
/// tells nothing of the rest; by the game's generator, where there are none, which a seed repeats.
kifu_result duel_do_e_shuffle(kifu_timeline *timeline, const duel_state *state, const duel_e_shuffle *shuffle)
{
    (void)state;
    uint8_t kinds[DECK_SIZE];
    uint32_t count = 0;
    for (uint32_t kind = 0; kind < CARD_KINDS; kind++) {
        for (uint32_t i = 0; i < cards[kind].count; i++)
            kinds[count++] = (uint8_t)kind;
    }
    const uint32_t draws = duel_e_shuffle_draws_count(shuffle);
    if (draws == count - 1)
        kifu_shuffle_by(duel_e_shuffle_draws(shuffle), kinds, count, sizeof *kinds);
    else if (!draws)
        kifu_shuffle(timeline, kinds, count, sizeof *kinds);
    else
        return kifu_fail(timeline, "a deck is shuffled by 19 numbers, or by none");

    *duel_edit_sides_life(timeline, shuffle->player) = START_LIFE; // a player who is not there fails the event
    for (uint32_t i = 0; i < count; i++)
        *duel_edit_cards(timeline, shuffle->player * DECK_SIZE + i) = (duel_card){.kind = kinds[i]};
    return KIFU_OK;
}
