/// The examples, played at random until there are so many events. The caller destroys the timeline.
#ifndef BENCH_RANDOM_GAMES_H
#define BENCH_RANDOM_GAMES_H

#include <kifu/timeline.h>

kifu_timeline *random_reversi(uint32_t events);
kifu_timeline *random_chess(uint32_t events);
kifu_timeline *random_dungeon(uint32_t events);

/// The next game of a text in PGN; NULL: there is none. The caller destroys it.
kifu_timeline *read_chess(const char **text);

#endif
