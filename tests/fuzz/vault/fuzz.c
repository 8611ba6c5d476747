// A vault with cards in all places.

#include "kifu_fuzz.h"
#include "vault.h"

static void deal(kifu_timeline *timeline, kifu_rng *rng, int8_t to, uint32_t count)
{
    for (uint32_t place = 0; place < count; place++) {
        vault_card card = {.kind = (vault_kind)(1 + kifu_rng_below(rng, 3)), .open = kifu_rng_below(rng, 4) == 0};
        for (uint32_t i = 0; i < VAULT_CARD_MARKS_COUNT; i++)
            card.marks[i] = (int16_t)kifu_rng_below(rng, 100);
        vault_submit_e_deal(timeline, to, (uint8_t)place, &card, NULL, 0);
    }
}

static void begin(kifu_timeline *timeline, kifu_rng *rng)
{
    const kifu_e_initialize_args initialize = {.has_seed = true, .seed = kifu_rng_next(rng)};
    vault_submit_e_reset_game(timeline);
    vault_submit_e_add_player(timeline, 0, 0);
    vault_submit_e_add_player(timeline, 1, 0);
    vault_submit_e_initialize(timeline, &initialize);
    deal(timeline, rng, -1, VAULT_DECK_COUNT);
    deal(timeline, rng, 0, VAULT_HAND_CARDS_COUNT);
    deal(timeline, rng, 1, VAULT_HAND_CARDS_COUNT);
    vault_submit_e_start_round(timeline);
}

const kifu_fuzz_hooks vault_fuzz_hooks = {.begin = begin};
