#include "dungeon.h"
#include "rules.h"

/// Rests until no wound is left: each step is a PRest. Who is hurt meanwhile is interrupted by that (do_e_damage.c).
kifu_verdict dungeon_check_p_recover(kifu_timeline *timeline, const dungeon_state *state, dungeon_p_recover *recover)
{
    const char *why = rules_why_not_go_on(timeline, state, recover->actor);
    if (why)
        return kifu_reject(why);
    const dungeon_being *being = dungeon_get_actors(state, recover->actor);
    if (being->hp >= being->most_hp)
        return kifu_reject("all wounds are healed");
    kifu_go_on(timeline, KIFU_UNDO_BY_ACTION);
    return kifu_instead(dungeon_submit_p_rest(timeline, kifu_player(timeline), recover->actor));
}

kifu_result dungeon_do_p_recover(kifu_timeline *timeline, const dungeon_state *state, const dungeon_p_recover *recover)
{
    (void)state, (void)recover;
    return kifu_fail(timeline, "only its steps happen");
}
