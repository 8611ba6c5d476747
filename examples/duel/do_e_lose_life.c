#include "duel.h"

kifu_result duel_do_e_lose_life(kifu_timeline *timeline, const duel_state *state, const duel_e_lose_life *lose_life)
{
    (void)state;
    int16_t *left = duel_edit_sides_life(timeline, lose_life->player);
    *left = (int16_t)(*left - lose_life->amount);
    return KIFU_OK;
}
