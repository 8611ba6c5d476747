/// What is where: plain functions of the state, asked by rules, monsters, bot and view.
#ifndef MAP_H
#define MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "dungeon.h"

enum { MAP_WIDTH = 48, MAP_HEIGHT = 20, MAP_CELLS = MAP_WIDTH * MAP_HEIGHT, SIGHT = 9, MAP_FAR = UINT16_MAX };

static inline bool map_inside(int x, int y)
{
    return x >= 0 && y >= 0 && x < MAP_WIDTH && y < MAP_HEIGHT;
}

static inline uint32_t map_index(int x, int y)
{
    return (uint32_t)(y * MAP_WIDTH + x);
}

/// Outside there is rock.
dungeon_tile map_tile(const dungeon_state *state, int x, int y);

/// One can walk there, if nobody is in the way.
bool map_is_open(const dungeon_state *state, int x, int y);

/// The hero, dead or alive; NULL before the game.
const dungeon_being *map_hero(const dungeon_state *state);

/// Who is at a cell; KIFU_NO_HANDLE: nobody.
kifu_handle map_being_at(const dungeon_state *state, int x, int y);

/// An item that lies at a cell; KIFU_NO_HANDLE: none.
kifu_handle map_item_at(const dungeon_state *state, int x, int y);

/// Item `place`, from 0, of what somebody carries; KIFU_NO_HANDLE: there are fewer.
kifu_handle map_item_of(const dungeon_state *state, kifu_handle owner, uint32_t place);

/// Steps from one cell to another where nothing is in the way.
int map_distance(int x, int y, int to_x, int to_y);

/// Whether one can see from one cell to another: nothing opaque is between them, and they are not too far apart.
bool map_sees(const dungeon_state *state, int x, int y, int to_x, int to_y);

/// Whether the hero sees a cell now,
bool map_hero_sees(const dungeon_state *state, int x, int y);

/// or has seen it.
static inline bool map_is_seen(const dungeon_state *state, int x, int y)
{
    return map_inside(x, y) && state->seen[y] >> x & 1;
}

/// A bit for each being, at its index, that sleeps and that the hero sees.
uint32_t map_sleepers_in_sight(const dungeon_state *state);

/// Fills in how many steps each cell is from x, y; MAP_FAR: there is no way. `passable` says which cells one can enter,
/// with `context`.
typedef bool map_passable(const void *context, const dungeon_state *state, int x, int y);
void map_measure(const dungeon_state *state, int x, int y, map_passable *passable, const void *context,
                 uint16_t steps[MAP_CELLS]);

/// In a Do function: the hero looks around. What is seen is remembered, and some who are seen wake up. A sleeper who
/// was not among the `sleepers` in sight before interrupts what the hero does: perhaps it is better not to wake it.
void map_look(kifu_timeline *timeline, const dungeon_state *state, uint32_t sleepers);

#endif
