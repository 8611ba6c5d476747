#include "dungeon.h"
#include "map.h"

/// Somebody is elsewhere: on any free cell of the level.
kifu_result dungeon_do_e_blink(kifu_timeline *timeline, const dungeon_state *state, const dungeon_e_blink *blink)
{
    uint16_t cells[MAP_CELLS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < MAP_CELLS; i++) {
        int x = (int)(i % MAP_WIDTH), y = (int)(i / MAP_WIDTH);
        if (map_is_open(state, x, y) && !map_being_at(state, x, y))
            cells[count++] = (uint16_t)i;
    }
    if (!dungeon_get_actors(state, blink->actor) || count == 0)
        return KIFU_OK;
    uint32_t cell = cells[kifu_random_below(timeline, count)];
    *dungeon_edit_actors_x(timeline, blink->actor) = (uint8_t)(cell % MAP_WIDTH);
    *dungeon_edit_actors_y(timeline, blink->actor) = (uint8_t)(cell / MAP_WIDTH);
    map_look(timeline, state, 0);
    return KIFU_OK;
}
