// The rules of the vast land.

#include "vast.h"

kifu_verdict vast_check_p_dig(kifu_timeline *timeline, const vast_state *state, vast_p_dig *dig)
{
    (void)timeline;
    (void)state;
    return dig->row < 2048 && dig->cell < 2048 ? kifu_accept() : kifu_reject("that is beyond the land");
}

kifu_result vast_do_p_dig(kifu_timeline *timeline, const vast_state *state, const vast_p_dig *dig)
{
    const uint8_t depth = (uint8_t)(1 + kifu_random_below(timeline, 9));
    *vast_edit_dug(timeline) += 1;
    *vast_edit_rows_dirty(timeline, dig->row) = true;
    *vast_edit_rows_cells_height(timeline, dig->row, dig->cell) += depth;
    *vast_edit_odd(timeline, state->dug % 5) += 1;
    *vast_edit_total(timeline) += depth;
    const vast_mine *mine = &state->regions[dig->row % 2].mines[dig->cell % 3];
    vast_edit_layer_at(timeline, &mine->shafts[1].layers[dig->row % 6])->gold += depth;
    *vast_edit_last(timeline) = state->rows[dig->row].cells[dig->cell].kind;
    if (depth > 7)
        vast_submit_e_flood(timeline, dig->row, dig->cell);
    return KIFU_OK;
}

kifu_result vast_do_e_flood(kifu_timeline *timeline, const vast_state *state, const vast_e_flood *flood)
{
    (void)state;
    vast_cell *cell = vast_edit_rows_cells(timeline, flood->row, flood->cell);
    cell->kind = VAST_KIND_WATER;
    cell->owner++;
    return KIFU_OK;
}
