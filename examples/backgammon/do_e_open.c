#include "backgammon/e_dice.h"
#include "backgammon/e_open.h"

/// Each player throws a die, and they are not equal. The higher one begins, and plays both.
kifu_result backgammon_do_e_open(kifu_timeline *timeline, const backgammon_state *state, const backgammon_e_open *open)
{
    (void)state, (void)open;
    const uint8_t first = (uint8_t)kifu_random_between(timeline, 1, 6);
    uint8_t second = (uint8_t)kifu_random_between(timeline, 1, 5); // one of the five that differ from the first:
    second = (uint8_t)(second + (second >= first));                // no throw must be repeated, and this Do always ends
    kifu_set_current_player(timeline, first > second ? 0 : 1);
    backgammon_submit_e_dice(timeline, first, second);
    return KIFU_OK;
}
