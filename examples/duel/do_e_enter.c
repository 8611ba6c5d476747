#include "duel.h"
#include "rules.h"

/// A land or a creature comes into play.
kifu_result duel_do_e_enter(kifu_timeline *timeline, const duel_state *state, const duel_e_enter *enter)
{
    if (enter->card >= CARD_COUNT)
        return kifu_fail(timeline, "there is no such card");
    bool land = rules_kind(state, enter->card)->type == CARD_LAND;
    *duel_edit_cards_zone(timeline, enter->card) = DUEL_ZONE_PLAY;
    *duel_edit_cards_fresh(timeline, enter->card) = !land;
    if (land)
        *duel_edit_sides_land_played(timeline, (uint32_t)rules_owner(enter->card)) = true;
    return KIFU_OK;
}
