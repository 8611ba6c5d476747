/// A tree of moves that were tried, on a copy of the game.
#ifndef KIFU_SRC_TREE_H
#define KIFU_SRC_TREE_H

#include <kifu/bot.h>

#include "core/timeline.h"

/// A move, and what became of the tries that made it. Its event lies behind it. The root is no move.
typedef struct kifu__edge {
    struct kifu__edge *next;  ///< The next move of the same player in the same place; NULL: none.
    struct kifu__edge *first; ///< The first move behind this one; NULL: none.
    uint64_t worth;           ///< The sum of what these tries were worth for its player, in 1/65,536.
    uint32_t visits;          ///< How many tries made it,
    uint32_t chances;         ///< and how many could have made it.
    uint32_t legal_in;        ///< Number of the last try in which it was listed.
    uint32_t size;            ///< Of its event.
    uint32_t job;             ///< For bot.c: counted from 1, which job of this round goes on behind it; 0: none.
    uint8_t type;
    int8_t player;
    bool plain : 1;  ///< Its check leaves it as it is, so it may be tried without.
    bool listed : 1; ///< No dice or cards led here: the moves behind it are those of every try.
    bool broken : 1; ///< It is listed, and does not happen.
} kifu__edge;

// KIFU__EDGE: how far behind its branch an event lies; as much on every platform, so that a limit of bytes stops a tree
// at the same try.
enum { KIFU__ROOTS = 1024, KIFU__EDGE = 48 };
_Static_assert(sizeof(kifu__edge) <= KIFU__EDGE, "the event lies behind it");

static inline const void *kifu__edge_event(const kifu__edge *edge)
{
    return (const unsigned char *)edge + KIFU__EDGE;
}

typedef struct kifu__tree {
    kifu_timeline *fork;
    const kifu_bot *bot;
    int player; ///< For whom it thinks.
    kifu_rng rng;
    kifu_rng world;  ///< The random numbers with which this try began.
    bool certain;    ///< No random number was drawn in this try so far, and no card was dealt.
    uint32_t number; ///< Of the try; no two trees with one root have the same.
    kifu__edge *root;
    kifu__edge *const *begin; ///< The branches with which each try begins,
    uint32_t begin_length;
    uint64_t *begin_worth; ///< and what these were worth for their players: other trees may begin with some, too.
    uint32_t branch_count; ///< The root included.
    bool full;             ///< It grows no further: a try that leaves it goes on by lot.
    uint64_t limit;        ///< How many bytes its blocks may have in all,
    uint64_t used;         ///< and how many they have.
    void *blocks;          ///< In which the branches lie; the first word of each leads to the one before.
    unsigned char *unused; ///< In the last block,
    uint64_t left;         ///< and how many bytes these are.
    kifu__edge **path;     ///< The branches of this try.
    uint32_t path_length, path_capacity;
    kifu_moves moves;
    uint32_t over_roots[KIFU__ROOTS]; ///< 1 over the square root of the index, in 1/65,536.
} kifu__tree;

/// Reports it.
kifu_result kifu__no_memory_to_think(kifu_timeline *timeline);

/// Begins a tree whose first moves are `moves`, which it has even beyond its `limit`. KIFU_NO_MEMORY.
kifu_result kifu__tree_begin(kifu__tree *tree, const kifu_moves *moves, uint64_t seed);

/// Begins a tree with the root of `other`, of which it lets others grow the branches that it does not. Fewer than 16.
void kifu__tree_join(kifu__tree *tree, const kifu__tree *other, uint64_t seed, uint32_t sequence);

/// The most promising of the moves behind branch `at`, as a try that finds all of them legal chooses it.
kifu__edge *kifu__tree_choose(kifu__tree *tree, const kifu__edge *at);

/// Makes one try. An error is in `tree->fork->error`.
kifu_result kifu__tree_try(kifu__tree *tree);

/// Whether no other first move can be tried most in so many further tries.
bool kifu__tree_is_decided(const kifu__tree *tree, uint32_t left);

void kifu__tree_free(kifu__tree *tree);

#endif
