#include "quirks.h"

kifu_result quirks_do_e_measure(kifu_timeline *timeline, const quirks_state *state, const quirks_e_measure *measure)
{
    (void)timeline;
    (void)state;
    (void)measure;
    return KIFU_OK;
}

kifu_result quirks_do_e_put(kifu_timeline *timeline, const quirks_state *state, const quirks_e_put *put)
{
    (void)state;
    *quirks_edit_lone(timeline, put->index) += 1;
    *quirks_edit_cells_stones(timeline, 0, put->index) += 2;
    return KIFU_OK;
}
