/// What levels, cells and worn items do: hooks around the events of others. The actions know nothing of them.
#ifndef HOOKS_H
#define HOOKS_H

#include "dungeon.h"

/// Adds them all. To be called for every timeline on which the game goes on: a new one, a loaded one, a fork.
/// Errors: KIFU_NO_MEMORY.
KIFU_WARN_UNUSED kifu_result dungeon_add_hooks(kifu_timeline *timeline);

#endif
