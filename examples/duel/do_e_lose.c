#include "duel.h"

/// A player has lost: by life, for want of cards, or by giving up.
kifu_result duel_do_e_lose(kifu_timeline *timeline, const duel_state *state, const duel_e_lose *lose)
{
    bool over = state->sides[0].lost || state->sides[1].lost;
    *duel_edit_sides_lost(timeline, lose->player) = true;
    if (!over)
        duel_submit_e_end_game(timeline);
    return KIFU_OK;
}
