// The rules of the barn's first release.

#include "barn1.h"

kifu_verdict barn1_check_p_set(kifu_timeline *timeline, const barn1_state *state, barn1_p_set *set)
{
    (void)timeline, (void)state, (void)set;
    return kifu_accept();
}

kifu_result barn1_do_p_set(kifu_timeline *timeline, const barn1_state *state, const barn1_p_set *set)
{
    (void)state;
    switch (set->what) {
    case 0:
        *barn1_edit_gold(timeline) = set->value;
        break;
    case 1:
        *barn1_edit_silver(timeline) = (uint32_t)set->value;
        break;
    case 2:
        *barn1_edit_mood(timeline) = BARN1_MOOD_ANGRY;
        break;
    case 3:
        *barn1_edit_crop(timeline) = set->value == 2 ? BARN1_CROP_HOPS : BARN1_CROP_OATS;
        break;
    case 4:
        *barn1_edit_heaps(timeline, (uint32_t)set->value % 6) = (uint32_t)set->value;
        break;
    case 5:
        barn1_edit_spots(timeline, 1)->x = (uint8_t)set->value;
        break;
    case 6:
        *barn1_edit_ratio(timeline) = (float)set->value;
        break;
    case 7:
        *barn1_edit_rain(timeline) = set->value;
        break;
    default:
        *barn1_edit_far(timeline) = set->value;
        break;
    }
    return KIFU_OK;
}

kifu_result barn1_do_e_bell(kifu_timeline *timeline, const barn1_state *state, const barn1_e_bell *bell)
{
    (void)state;
    *barn1_edit_gold(timeline) += bell->number;
    return KIFU_OK;
}
