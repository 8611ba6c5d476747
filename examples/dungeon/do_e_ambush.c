#include "dungeon.h"
#include "kinds.h"
#include "level.h"
#include "map.h"
#include "rules.h"

enum { NEAR = 4, FAR = 12, AMBUSHERS = 2 };

/// Nobody performs it: time does. So that scope has no subject.
void dungeon_subjects_e_ambush(const kifu_timeline *timeline, const dungeon_state *state,
                               const dungeon_e_ambush *ambush, dungeon_e_ambush_subjects *subjects)
{
    (void)timeline, (void)ambush;
    subjects->level = state->level;
}

static bool can_walk(const void *context, const dungeon_state *state, int x, int y)
{
    (void)context;
    return map_is_open(state, x, y) || map_tile(state, x, y) == DUNGEON_TILE_DOOR;
}

/// Out of the dark they come: from where the hero cannot see them, and wide awake. Who stays for long meets more.
kifu_result dungeon_do_e_ambush(kifu_timeline *timeline, const dungeon_state *state, const dungeon_e_ambush *ambush)
{
    (void)ambush;
    const dungeon_being *hero = map_hero(state);
    uint16_t steps[MAP_CELLS], cells[MAP_CELLS];
    uint32_t count = 0;
    if (!hero)
        return KIFU_OK;
    map_measure(state, hero->x, hero->y, can_walk, NULL, steps);
    for (uint32_t i = 0; i < MAP_CELLS; i++) {
        int x = (int)(i % MAP_WIDTH), y = (int)(i / MAP_WIDTH);
        if (steps[i] >= NEAR && steps[i] <= FAR && map_is_open(state, x, y) && !map_hero_sees(state, x, y) &&
            !map_being_at(state, x, y))
            cells[count++] = (uint16_t)i;
    }
    kifu_shuffle(timeline, cells, count, sizeof *cells);
    for (uint32_t i = 0; i < AMBUSHERS && i < count; i++) {
        dungeon_kind kind = level_pick_kind(timeline, state->level);
        dungeon_submit_e_appear(timeline, kind, (uint8_t)(cells[i] % MAP_WIDTH), (uint8_t)(cells[i] / MAP_WIDTH));
    }
    kifu_ticket next = dungeon_submit_e_ambush(timeline);
    return kifu_postpone(timeline, next, state->turns.turn + AMBUSH_AGAIN_TURNS, TIMER_AMBUSH);
}
