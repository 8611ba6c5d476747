#include "nim/e_deal.h"

kifu_result nim_do_e_deal(kifu_timeline *timeline, const nim_state *state, const nim_e_deal *deal)
{
    (void)state;
    const uint16_t *stones = nim_e_deal_stones(deal);
    for (uint32_t i = 0; i < nim_e_deal_stones_count(deal); i++)
        *nim_edit_heaps(timeline, i) = stones[i];
    return KIFU_OK;
}
