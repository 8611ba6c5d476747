/// A dungeon that goes on and on, for the benchmark. This header names none of the example's, since the examples'
/// headers have the same names.
#ifndef BENCH_DUNGEON_WALK_H
#define BENCH_DUNGEON_WALK_H

#include <kifu/kifu.h>

/// Whether the example was built.
bool dungeon_is_there(void);

/// Begins a game.
kifu_timeline *dungeon_walk_open(const kifu_options *options);

/// Lets the hero go anywhere until there are so many events. When he dies, another game begins on the same timeline.
/// Forgets the past whenever it has more than `most` events, but for the last half of them; 0: never.
void dungeon_walk_to(kifu_timeline *timeline, uint32_t events, uint32_t most);

#endif
