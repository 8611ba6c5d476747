/// A tree of moves that were tried, on a copy of the game.
#ifndef KIFU_SRC_TREE_H
#define KIFU_SRC_TREE_H

#include <kifu/bot.h>

#include "core/timeline.h"

/// A move, and what became of the tries that made it. Branch 0 is the root, which is no move.
typedef struct kifu__edge {
    uint32_t next;     ///< The next move of the same player in the same place; 0: none.
    uint32_t first;    ///< The first move behind this one; 0: none.
    uint32_t visits;   ///< How many tries made it,
    uint32_t chances;  ///< and how many could have made it.
    uint64_t worth;    ///< The sum of what these tries were worth for its player, in 1/65,536.
    uint32_t legal_in; ///< Number of the last try in which it was listed.
    uint32_t bytes;    ///< Where its event is in `kifu__tree.bytes`,
    uint32_t size;     ///< and how long it is.
    uint8_t type;
    int8_t player;
    bool plain;  ///< Its check leaves it as it is, so it may be tried without.
    bool listed; ///< No dice or cards led here: the moves behind it are those of every try.
    bool broken; ///< It is listed, and does not happen.
} kifu__edge;

enum { KIFU__ROOTS = 1024 };

typedef struct kifu__tree {
    kifu_timeline *fork;
    const kifu_bot *bot;
    int player; ///< For whom it thinks.
    kifu_rng rng;
    kifu_rng world;  ///< The random numbers with which this try began.
    bool certain;    ///< No random number was drawn in this try so far, and no card was dealt.
    uint32_t number; ///< Of the try, from 1.
    kifu__edge *branches;
    uint32_t branch_count, branch_capacity;
    unsigned char *bytes;
    uint32_t bytes_used, bytes_capacity;
    uint32_t *path; ///< The branches of this try.
    uint32_t path_length, path_capacity;
    kifu_moves moves;
    uint32_t over_roots[KIFU__ROOTS]; ///< 1 over the square root of the index, in 1/65,536.
} kifu__tree;

/// Reports it.
kifu_result kifu__no_memory_to_think(kifu_timeline *timeline);

/// Begins a tree whose first moves are `moves`. KIFU_NO_MEMORY.
kifu_result kifu__tree_begin(kifu__tree *tree, const kifu_moves *moves, uint64_t seed, uint32_t sequence);

/// Makes one try. An error is in `tree->fork->error`.
kifu_result kifu__tree_try(kifu__tree *tree);

/// Whether no other first move can be tried most in so many further tries.
bool kifu__tree_is_decided(const kifu__tree *tree, uint32_t left);

void kifu__tree_free(kifu__tree *tree);

#endif
