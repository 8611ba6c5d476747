#include "dungeon.h"
#include "rules.h"
#include "way.h"

/// Each step is a PMove, along the way that is the shortest then. The last one does not go on.
kifu_verdict dungeon_check_p_walk(kifu_timeline *timeline, const dungeon_state *state, dungeon_p_walk *walk)
{
    const char *why = rules_why_not_go_on(timeline, state, walk->actor);
    if (why)
        return kifu_reject(why);
    int8_t dx = 0, dy = 0;
    const int steps = way_step(state, walk->actor, walk->x, walk->y, false, &dx, &dy);
    if (steps <= 0)
        return kifu_reject(steps == 0 ? "that is here" : "no way to there is known");
    if (steps > 1)
        kifu_go_on(timeline, KIFU_UNDO_BY_ACTION);
    return kifu_instead(dungeon_submit_p_move(timeline, kifu_player(timeline), walk->actor, dx, dy, 0));
}

kifu_result dungeon_do_p_walk(kifu_timeline *timeline, const dungeon_state *state, const dungeon_p_walk *walk)
{
    (void)state, (void)walk;
    return kifu_fail(timeline, "only its steps happen");
}
