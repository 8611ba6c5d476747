#include "duel.h"
#include "rules.h"

/// Lightning: how much, nobody knows before. The schema says `unless_random`: who has seen the die cannot undo.
kifu_result duel_do_e_spark(kifu_timeline *timeline, const duel_state *state, const duel_e_spark *spark)
{
    (void)state;
    uint8_t amount = (uint8_t)kifu_random_between(timeline, 1, SPARK_MOST);
    if (spark->target >= TARGET_PLAYER)
        duel_submit_e_lose_life(timeline, (uint8_t)(spark->target - TARGET_PLAYER), amount);
    else
        duel_submit_e_damage(timeline, spark->target, amount);
    return KIFU_OK;
}
