#include "duel.h"
#include "rules.h"

/// A creature dies. Nothing of it remains: what it was is asked of the past (triggers.c).
kifu_result duel_do_e_die(kifu_timeline *timeline, const duel_state *state, const duel_e_die *die)
{
    if (die->card >= CARD_COUNT)
        return kifu_fail(timeline, "there is no such card");
    *duel_edit_cards(timeline, die->card) = (duel_card){.kind = state->cards[die->card].kind, .zone = DUEL_ZONE_GONE};
    return KIFU_OK;
}
