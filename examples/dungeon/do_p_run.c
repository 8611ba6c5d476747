#include "dungeon.h"
#include "map.h"
#include "rules.h"

// `sides`: the run has begun; it is known what was open on the left and on the right of the last step.
enum { BEGUN = 1, KNOWN = 2, LEFT = 4, RIGHT = 8 };

static bool is_way(const dungeon_state *state, int x, int y)
{
    return map_is_open(state, x, y) || map_tile(state, x, y) == DUNGEON_TILE_DOOR;
}

static uint8_t sides_of(const dungeon_state *state, const dungeon_being *being, const dungeon_p_run *run)
{
    const bool left = is_way(state, being->x + run->dy, being->y - run->dx);
    const bool right = is_way(state, being->x - run->dy, being->y + run->dx);
    return (uint8_t)(BEGUN | KNOWN | (left ? LEFT : 0) | (right ? RIGHT : 0));
}

// Around a corner of a corridor: there is only one way besides the one back, and nothing open between the two.
static bool turn(const dungeon_state *state, const dungeon_being *being, dungeon_p_run *run)
{
    static const int8_t ways[][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    int8_t dx = 0, dy = 0;
    int count = 0;
    for (int i = 0; i < 4; i++) {
        if ((ways[i][0] == -run->dx && ways[i][1] == -run->dy) ||
            !is_way(state, being->x + ways[i][0], being->y + ways[i][1]))
            continue;
        dx = ways[i][0];
        dy = ways[i][1];
        count++;
    }
    if (count != 1 || is_way(state, being->x - run->dx + dx, being->y - run->dy + dy))
        return false;
    run->dx = dx;
    run->dy = dy;
    return true;
}

// Why a run that has begun ends; NULL: it does not. It may take another direction.
static const char *why_end(const dungeon_state *state, const dungeon_being *being, dungeon_p_run *run)
{
    if (map_item_at(state, being->x, being->y))
        return "something lies here";
    if (map_tile(state, being->x, being->y) != DUNGEON_TILE_FLOOR)
        return "this is another ground";
    uint8_t sides = sides_of(state, being, run);
    if (!is_way(state, being->x + run->dx, being->y + run->dy)) {
        if (!turn(state, being, run))
            return "the way ends here";
        sides = BEGUN;
    } else if (run->sides & KNOWN && run->sides != sides) {
        return "the way forks or opens";
    }
    run->sides = sides;
    return map_is_open(state, being->x + run->dx, being->y + run->dy) ? NULL : "there is a door";
}

/// Each step is a PMove. What the check writes into the event (the direction, what is beside the way) is there again at
/// the next step.
kifu_verdict dungeon_check_p_run(kifu_timeline *timeline, const dungeon_state *state, dungeon_p_run *run)
{
    const char *why = rules_why_not_go_on(timeline, state, run->actor);
    if (!why && (run->dx < -1 || run->dx > 1 || run->dy < -1 || run->dy > 1 || (!run->dx && !run->dy)))
        why = "that is no direction";
    const dungeon_being *being = dungeon_get_actors(state, run->actor);
    if (!why && run->sides & BEGUN)
        why = why_end(state, being, run);
    if (why)
        return kifu_reject(why);
    run->sides |= BEGUN;
    if (map_is_open(state, being->x + run->dx, being->y + run->dy)) // not into a door: it opens, and that is all
        kifu_go_on(timeline, KIFU_UNDO_BY_ACTION);
    return kifu_instead(dungeon_submit_p_move(timeline, kifu_player(timeline), run->actor, run->dx, run->dy, 0));
}

kifu_result dungeon_do_p_run(kifu_timeline *timeline, const dungeon_state *state, const dungeon_p_run *run)
{
    (void)state, (void)run;
    return kifu_fail(timeline, "only its steps happen");
}
