#include "dungeon.h"

/// The attempt went wide: nothing changes, and the view can show it.
kifu_result dungeon_do_e_miss(kifu_timeline *timeline, const dungeon_state *state, const dungeon_e_miss *miss)
{
    (void)timeline, (void)state, (void)miss;
    return KIFU_OK;
}
