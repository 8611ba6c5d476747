#include "duel.h"
#include "rules.h"

/// A rule may forbid it. This is asked before life is gained, and never when the loss of life is taken back: undo gives
/// the life back without asking.
kifu_verdict duel_check_e_gain_life(kifu_timeline *timeline, const duel_state *state, duel_e_gain_life *gain_life)
{
    (void)timeline;
    (void)gain_life;
    if (rules_count_in_play(state, 0, DUEL_KIND_BLIGHT) + rules_count_in_play(state, 1, DUEL_KIND_BLIGHT) > 0)
        return kifu_reject("nobody can gain life while Blight is in play");
    return kifu_accept();
}

kifu_result duel_do_e_gain_life(kifu_timeline *timeline, const duel_state *state, const duel_e_gain_life *gain_life)
{
    (void)state;
    int16_t *left = duel_edit_sides_life(timeline, gain_life->player);
    *left = (int16_t)(*left + gain_life->amount);
    return KIFU_OK;
}
