/// Ways over the map, as a being knows it: the hero knows what was seen, a monster its whole level.
#ifndef WAY_H
#define WAY_H

#include <stdbool.h>

#include "dungeon.h"

/// A place that somebody may want to go to.
typedef bool way_goal(const dungeon_state *state, int x, int y);

/// Something unseen is next to it, or it is a door that nobody has opened.
bool way_is_new(const dungeon_state *state, int x, int y);

/// An item lies there, and the hero has room for it.
bool way_is_worth_taking(const dungeon_state *state, int x, int y);

bool way_is_stairs(const dungeon_state *state, int x, int y);

/// The place of some sort that is nearest to `actor`, but not where it stands. With `through`, beings are not in the
/// way. False: `actor` knows no way to any.
bool way_find(const dungeon_state *state, kifu_handle actor, way_goal *goal, bool through, int *x, int *y);

/// The first of the steps that lead `actor` to x, y. Returns how many there are; 0: it is there; -1: it knows no way.
int way_step(const dungeon_state *state, kifu_handle actor, int x, int y, bool through, int8_t *dx, int8_t *dy);

#endif
