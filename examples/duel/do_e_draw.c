#include "duel.h"
#include "rules.h"

/// A player draws a card; who cannot has lost.
kifu_result duel_do_e_draw(kifu_timeline *timeline, const duel_state *state, const duel_e_draw *draw)
{
    if (draw->player > 1)
        return kifu_fail(timeline, "there is no such player");
    uint32_t card = rules_top_card(state, draw->player);
    if (card == NO_CARD) {
        duel_submit_e_lose(timeline, draw->player);
        return KIFU_OK;
    }
    bool room = rules_count(state, draw->player, DUEL_ZONE_HAND) < HAND_LIMIT;
    *duel_edit_cards_zone(timeline, card) = room ? DUEL_ZONE_HAND : DUEL_ZONE_GONE;
    return KIFU_OK;
}
