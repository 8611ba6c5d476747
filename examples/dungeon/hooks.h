/// What levels, cells and worn items do: hooks around the events of others. The actions know nothing of them.
#ifndef HOOKS_H
#define HOOKS_H

#include "dungeon.h"

/// All of them. For the `kifu_options.observers` of every timeline on which the game goes on: a new one, a loaded one,
/// a fork.
extern const kifu_observers dungeon_hooks;

#endif
