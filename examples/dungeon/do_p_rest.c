#include "dungeon.h"
#include "rules.h"

kifu_verdict dungeon_check_p_rest(kifu_timeline *timeline, const dungeon_state *state, dungeon_p_rest *rest)
{
    const char *why = rules_why_not_act(timeline, state, rest->actor);
    return why ? kifu_reject(why) : kifu_accept();
}

/// Wounds heal, every second turn.
kifu_result dungeon_do_p_rest(kifu_timeline *timeline, const dungeon_state *state, const dungeon_p_rest *rest)
{
    const dungeon_being *being = dungeon_get_actors(state, rest->actor);
    if (being && being->hp > 0 && being->hp < being->most_hp && state->turns.turn % 2 == 0)
        *dungeon_edit_actors_hp(timeline, rest->actor) += 1;
    return KIFU_OK;
}
