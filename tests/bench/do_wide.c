/// The rules of the game with a larger state.
#include "wide.h"

kifu_verdict wide_check_p_store(kifu_timeline *timeline, const wide_state *state, wide_p_store *store)
{
    (void)timeline;
    (void)state;
    if (store->cell >= WIDE_CELLS_COUNT)
        return kifu_reject("there is no such cell");
    return kifu_accept();
}

kifu_result wide_do_p_store(kifu_timeline *timeline, const wide_state *state, const wide_p_store *store)
{
    (void)state;
    *wide_edit_cells(timeline, store->cell) = store->value;
    return KIFU_OK;
}
