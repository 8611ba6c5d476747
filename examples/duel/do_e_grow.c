#include "duel.h"
#include "rules.h"

/// A creature grows.
kifu_result duel_do_e_grow(kifu_timeline *timeline, const duel_state *state, const duel_e_grow *grow)
{
    (void)state;
    *duel_edit_cards_growth(timeline, grow->card) += GROWTH_BY;
    return KIFU_OK;
}
