#include "dungeon.h"

/// The hero has the amulet.
kifu_result dungeon_do_e_win(kifu_timeline *timeline, const dungeon_state *state, const dungeon_e_win *win)
{
    (void)state, (void)win;
    *dungeon_edit_won(timeline) = true;
    dungeon_submit_e_end_game(timeline);
    return KIFU_OK;
}
