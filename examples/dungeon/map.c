#include "map.h"

#include <stdlib.h>
#include <string.h>

#include "kinds.h"

dungeon_tile map_tile(const dungeon_state *state, int x, int y)
{
    return map_inside(x, y) ? state->map[map_index(x, y)] : DUNGEON_TILE_ROCK;
}

bool map_is_open(const dungeon_state *state, int x, int y)
{
    return tiles[map_tile(state, x, y)].open;
}

const dungeon_being *map_hero(const dungeon_state *state)
{
    return dungeon_get_actors(state, state->hero);
}

kifu_handle map_being_at(const dungeon_state *state, int x, int y)
{
    kifu_handle handle = KIFU_NO_HANDLE;
    while ((handle = dungeon_next_actors(state, handle))) {
        const dungeon_being *being = dungeon_get_actors(state, handle);
        if (being->x == x && being->y == y)
            return handle;
    }
    return KIFU_NO_HANDLE;
}

kifu_handle map_item_at(const dungeon_state *state, int x, int y)
{
    kifu_handle handle = KIFU_NO_HANDLE;
    while ((handle = dungeon_next_items(state, handle))) {
        const dungeon_item *item = dungeon_get_items(state, handle);
        if (!item->owner && item->x == x && item->y == y)
            return handle;
    }
    return KIFU_NO_HANDLE;
}

kifu_handle map_item_of(const dungeon_state *state, kifu_handle owner, uint32_t place)
{
    kifu_handle handle = KIFU_NO_HANDLE;
    while (owner && (handle = dungeon_next_items(state, handle))) {
        if (dungeon_get_items(state, handle)->owner == owner && place-- == 0)
            return handle;
    }
    return KIFU_NO_HANDLE;
}

int map_distance(int x, int y, int to_x, int to_y)
{
    int dx = abs(to_x - x), dy = abs(to_y - y);
    return dx > dy ? dx : dy;
}

// --- Sight -----------------------------------------------------------------------------------------------------------

// Walks the straight line, in whole numbers (Bresenham).
static bool line_is_clear(const dungeon_state *state, int x, int y, int to_x, int to_y)
{
    int dx = abs(to_x - x), dy = -abs(to_y - y), step_x = x < to_x ? 1 : -1, step_y = y < to_y ? 1 : -1;
    for (int error = dx + dy; x != to_x || y != to_y;) {
        int twice = 2 * error;
        if (twice >= dy) {
            error += dy;
            x += step_x;
        }
        if (twice <= dx) {
            error += dx;
            y += step_y;
        }
        if ((x != to_x || y != to_y) && tiles[map_tile(state, x, y)].opaque)
            return false;
    }
    return true;
}

bool map_sees(const dungeon_state *state, int x, int y, int to_x, int to_y)
{
    int dx = to_x - x, dy = to_y - y;
    if (dx * dx + dy * dy > SIGHT * SIGHT)
        return false;
    // The two lines may differ; either will do, so that nobody sees without being seen.
    return line_is_clear(state, x, y, to_x, to_y) || line_is_clear(state, to_x, to_y, x, y);
}

bool map_hero_sees(const dungeon_state *state, int x, int y)
{
    const dungeon_being *hero = map_hero(state);
    return hero && map_sees(state, hero->x, hero->y, x, y);
}

uint32_t map_sleepers_in_sight(const dungeon_state *state)
{
    uint32_t sleepers = 0;
    kifu_handle handle = KIFU_NO_HANDLE;
    while ((handle = dungeon_next_actors(state, handle))) {
        const dungeon_being *being = dungeon_get_actors(state, handle);
        if (being->actor.speed == 0 && map_hero_sees(state, being->x, being->y))
            sleepers |= UINT32_C(1) << kifu_handle_index(handle);
    }
    return sleepers;
}

// A row of bits: who sees a floor sees the walls around it.
static void remember(uint64_t seen[MAP_HEIGHT], const dungeon_state *state, int x, int y)
{
    seen[y] |= UINT64_C(1) << x;
    if (tiles[map_tile(state, x, y)].opaque)
        return;
    for (int row = y - 1; row <= y + 1; row++) {
        for (int column = x - 1; column <= x + 1; column++) {
            if (map_inside(column, row) && tiles[map_tile(state, column, row)].opaque)
                seen[row] |= UINT64_C(1) << column;
        }
    }
}

void map_look(kifu_timeline *timeline, const dungeon_state *state, uint32_t sleepers)
{
    const dungeon_being *hero = map_hero(state);
    uint64_t seen[MAP_HEIGHT];
    if (!hero)
        return;
    memcpy(seen, state->seen, sizeof seen);
    for (int y = hero->y - SIGHT; y <= hero->y + SIGHT; y++) {
        for (int x = hero->x - SIGHT; x <= hero->x + SIGHT; x++) {
            if (map_inside(x, y) && map_hero_sees(state, x, y))
                remember(seen, state, x, y);
        }
    }
    for (uint32_t y = 0; y < MAP_HEIGHT; y++) {
        if (seen[y] != state->seen[y])
            *dungeon_edit_seen(timeline, y) = seen[y];
    }
    if (map_sleepers_in_sight(state) & ~sleepers)
        kifu_interrupt(timeline, state->hero);
    kifu_handle handle = KIFU_NO_HANDLE;
    while ((handle = dungeon_next_actors(state, handle))) {
        const dungeon_being *being = dungeon_get_actors(state, handle);
        if (being->actor.speed == 0 && map_hero_sees(state, being->x, being->y) &&
            map_distance(hero->x, hero->y, being->x, being->y) <= beings[being->kind].alert)
            dungeon_submit_e_wake(timeline, handle);
    }
}

// --- Ways ------------------------------------------------------------------------------------------------------------

void map_measure(const dungeon_state *state, int x, int y, map_passable *passable, const void *context,
                 uint16_t steps[MAP_CELLS])
{
    uint16_t queue[MAP_CELLS];
    uint32_t first = 0, last = 0;
    for (uint32_t i = 0; i < MAP_CELLS; i++)
        steps[i] = MAP_FAR;
    if (!map_inside(x, y))
        return;
    steps[map_index(x, y)] = 0;
    queue[last++] = (uint16_t)map_index(x, y);
    while (first < last) {
        uint32_t from = queue[first++];
        for (int i = 0; i < 9; i++) {
            int to_x = (int)(from % MAP_WIDTH) + i % 3 - 1, to_y = (int)(from / MAP_WIDTH) + i / 3 - 1;
            if (!map_inside(to_x, to_y) || steps[map_index(to_x, to_y)] != MAP_FAR ||
                !passable(context, state, to_x, to_y))
                continue;
            steps[map_index(to_x, to_y)] = (uint16_t)(steps[from] + 1);
            queue[last++] = (uint16_t)map_index(to_x, to_y);
        }
    }
}
