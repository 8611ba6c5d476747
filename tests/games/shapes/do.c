#include "shapes.h"

kifu_verdict shapes_check_p_scribble(kifu_timeline *timeline, const shapes_state *state, shapes_p_scribble *scribble)
{
    (void)timeline;
    (void)state;
    (void)scribble;
    return kifu_accept();
}

kifu_result shapes_do_p_scribble(kifu_timeline *timeline, const shapes_state *state, const shapes_p_scribble *scribble)
{
    (void)state;
    kifu_rng rng;
    kifu_rng_seed(&rng, scribble->seed, 0);
    for (uint32_t i = 0; i < scribble->count; i++) {
        uint32_t n = kifu_rng_next(&rng) & 0xffff;
        switch (kifu_rng_below(&rng, 12)) {
        case 0:
            *shapes_edit_flag(timeline) ^= true;
            break;
        case 1:
            *shapes_edit_small(timeline) = (int8_t)(n & 127);
            break;
        case 2:
            shapes_edit_odd(timeline)->b = (uint8_t)(n & 255);
            break;
        case 3:
            *shapes_edit_odd_c(timeline) = (uint8_t)(n & 255);
            break;
        case 4:
            *shapes_edit_numbers(timeline, n % 3) += n;
            break;
        case 5:
            *shapes_edit_ratio(timeline) = (float)n;
            break;
        case 6:
            shapes_edit_deeps(timeline, n % 2)->odds[n % 5].c = (uint8_t)(n & 255);
            break;
        case 7:
            shapes_edit_deeps_pairs(timeline, n % 2, 1)->right = n;
            break;
        case 8:
            *shapes_edit_deeps_pairs_left(timeline, 1, n % 2) = (int16_t)(n & 0xfff);
            break;
        case 9:
            shapes_edit_deeps_odds(timeline, n % 2, n % 5)->a = (uint8_t)(n & 255);
            break;
        case 10:
            *shapes_edit_suits(timeline, n % 7) = SHAPES_SUIT_SPADES;
            break;
        default:
            kifu_shuffle(timeline, shapes_edit_deeps(timeline, 0)->odds, 5, sizeof(shapes_odd));
        }
    }
    return scribble->fail ? kifu_fail(timeline, "as told") : KIFU_OK;
}
