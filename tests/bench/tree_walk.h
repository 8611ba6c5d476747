/// Games with variations, and ways through them that the benchmark and the budgets go.
#ifndef BENCH_TREE_WALK_H
#define BENCH_TREE_WALK_H

#include "contest.h"

/// A game of one event.
kifu_timeline *tree_begin(void);

/// Plays so many lines from that place.
void tree_add_siblings(kifu_timeline *tree, uint32_t count);

/// So many lines, each of which begins in the one before it. The game is in the last one.
kifu_timeline *tree_nest(uint32_t count);

/// From the last of them to the first, over all of them, and back.
void tree_go_there_and_back(kifu_timeline *tree, uint32_t count);

/// From the last of them to the line before it and back, in as many moves as there are lines.
void tree_go_to_and_fro(kifu_timeline *tree, uint32_t count);

/// Goes to the first of them. All others are deleted by one call.
void tree_go_to_first(kifu_timeline *tree);
void tree_delete_others(kifu_timeline *tree);

/// The game of `items` in which a player now and then takes the last move back and makes another one.
kifu_timeline *play_with_variations(const item *items, uint32_t count);

/// Begins a log file, whose name `path` becomes: it ends in XXXXXX.
void open_log_file(kifu_timeline *timeline, char *path);

/// Plays each of `count` items, and appends it to the log file.
void play_and_append(kifu_timeline *timeline, const item *items, uint32_t count);

#endif
