/// Making a level out of random numbers: nine rooms, corridors, doors. The only place where the map is drawn.
#ifndef LEVEL_H
#define LEVEL_H

#include "kinds.h"
#include "map.h"

enum { LEVEL_COLUMNS = 3, LEVEL_ROWS = 3, LEVEL_ROOMS = LEVEL_COLUMNS * LEVEL_ROWS };

/// The inside of a room.
typedef struct level_room {
    int x, y, width, height;
} level_room;

typedef struct level_plan {
    dungeon_tile map[MAP_CELLS];
    level_room rooms[LEVEL_ROOMS];
    uint32_t start; ///< Room in which the hero arrives.
    uint32_t end;   ///< Room with the stairs, or with what the hero came for.
} level_plan;

/// Draws a level: only inside a Do function.
void level_draw(kifu_timeline *timeline, uint8_t level, level_plan *plan);

/// A random cell of the room's floor.
void level_pick(kifu_timeline *timeline, const level_plan *plan, uint32_t room, int *x, int *y);

/// A monster that lives on this level, and something that may be found.
dungeon_kind level_pick_kind(kifu_timeline *timeline, uint8_t level);
dungeon_thing level_pick_thing(kifu_timeline *timeline);

#endif
