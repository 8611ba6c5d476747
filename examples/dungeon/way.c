#include "way.h"

#include <string.h>

#include "kinds.h"
#include "map.h"

bool way_is_new(const dungeon_state *state, int x, int y)
{
    if (map_tile(state, x, y) == DUNGEON_TILE_DOOR)
        return true;
    for (int i = 0; i < 9; i++) {
        if (map_inside(x + i % 3 - 1, y + i / 3 - 1) && !map_is_seen(state, x + i % 3 - 1, y + i / 3 - 1))
            return true;
    }
    return false;
}

bool way_is_worth_taking(const dungeon_state *state, int x, int y)
{
    const dungeon_item *item = dungeon_get_items(state, map_item_at(state, x, y));
    if (!item)
        return false;
    return item->thing == DUNGEON_THING_AMULET || !map_item_of(state, state->hero, PACK_SIZE - 1);
}

bool way_is_stairs(const dungeon_state *state, int x, int y)
{
    return map_tile(state, x, y) == DUNGEON_TILE_STAIRS;
}

// Who walks, and a bit for each cell where somebody stands. The hero remembers sleepers: otherwise one at a corner, in
// sight and out of sight again, would send the hero to and fro.
typedef struct walker {
    bool is_hero, opens;
    uint64_t taken[MAP_HEIGHT];
} walker;

static walker walker_of(const dungeon_state *state, kifu_handle actor, bool through)
{
    const dungeon_being *walking = dungeon_get_actors(state, actor);
    walker walker = {.is_hero = actor == state->hero, .opens = walking && beings[walking->kind].hands};
    kifu_handle handle = KIFU_NO_HANDLE;
    while (!through && (handle = dungeon_next_actors(state, handle))) {
        const dungeon_being *being = dungeon_get_actors(state, handle);
        const bool known =
            being->actor.speed == 0 ? map_is_seen(state, being->x, being->y) : map_hero_sees(state, being->x, being->y);
        if (handle != actor && (known || !walker.is_hero))
            walker.taken[being->y] |= UINT64_C(1) << being->x;
    }
    return walker;
}

static bool can_go(const void *context, const dungeon_state *state, int x, int y)
{
    const walker *walker = context;
    if (walker->taken[y] >> x & 1 || (walker->is_hero && !map_is_seen(state, x, y)))
        return false;
    return map_is_open(state, x, y) || (map_tile(state, x, y) == DUNGEON_TILE_DOOR && walker->opens);
}

bool way_find(const dungeon_state *state, kifu_handle actor, way_goal *goal, bool through, int *x, int *y)
{
    const dungeon_being *being = dungeon_get_actors(state, actor);
    const walker walker = walker_of(state, actor, through);
    uint16_t steps[MAP_CELLS];
    uint32_t nearest = MAP_CELLS;
    if (!being)
        return false;
    map_measure(state, being->x, being->y, can_go, &walker, steps);
    for (uint32_t i = 0; i < MAP_CELLS; i++) {
        if (steps[i] != MAP_FAR && steps[i] > 0 && (nearest == MAP_CELLS || steps[i] < steps[nearest]) &&
            goal(state, (int)(i % MAP_WIDTH), (int)(i / MAP_WIDTH)))
            nearest = i;
    }
    *x = (int)(nearest % MAP_WIDTH);
    *y = (int)(nearest / MAP_WIDTH);
    return nearest < MAP_CELLS;
}

int way_step(const dungeon_state *state, kifu_handle actor, int x, int y, bool through, int8_t *dx, int8_t *dy)
{
    const dungeon_being *being = dungeon_get_actors(state, actor);
    const walker walker = walker_of(state, actor, through);
    uint16_t steps[MAP_CELLS];
    if (!being || !map_inside(x, y) || !can_go(&walker, state, x, y))
        return -1;
    map_measure(state, x, y, can_go, &walker, steps); // back from there: to the neighbour that is nearest to it
    const uint16_t distance = steps[map_index(being->x, being->y)];
    uint16_t least = distance;
    for (int i = 0; i < 9; i++) {
        int to_x = being->x + i % 3 - 1, to_y = being->y + i / 3 - 1;
        if (!map_inside(to_x, to_y) || steps[map_index(to_x, to_y)] >= least)
            continue;
        least = steps[map_index(to_x, to_y)];
        *dx = (int8_t)(i % 3 - 1);
        *dy = (int8_t)(i / 3 - 1);
    }
    return distance == MAP_FAR ? -1 : distance;
}
