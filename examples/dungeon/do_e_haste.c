#include "dungeon.h"
#include "kinds.h"
#include "rules.h"

/// Twice as fast, for a time. Its end is an event too, timed for a later turn; a second potion begins that time anew.
kifu_result dungeon_do_e_haste(kifu_timeline *timeline, const dungeon_state *state, const dungeon_e_haste *haste)
{
    const dungeon_being *being = dungeon_get_actors(state, haste->actor);
    if (!being)
        return KIFU_OK;
    uint32_t key = TIMER_HASTE + kifu_handle_index(haste->actor);
    *dungeon_edit_actors_fast(timeline, haste->actor) = true;
    *dungeon_edit_actors_actor_speed(timeline, haste->actor) = 2 * beings[being->kind].speed;
    dungeon_submit_e_cancel(timeline, key);
    kifu_ticket end = dungeon_submit_e_slow_down(timeline, haste->actor);
    return kifu_postpone(timeline, end, state->turns.turn + HASTE_TURNS, key);
}
