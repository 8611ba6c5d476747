/// Random games of Go as SGF, annotated and with variations, written as `sgf_write` writes them.
#ifndef RANDOM_SGF_H
#define RANDOM_SGF_H

#include <stdbool.h>
#include <stdint.h>

typedef struct random_sgf_kind {
    uint32_t size;  ///< Lines of the board.
    uint32_t nodes; ///< About so many.
    uint32_t depth; ///< At least so deep are variations nested.
    bool plain;     ///< Moves in turn only, and no stones that are set up behind the first node.
} random_sgf_kind;

/// What a tree has, besides its text.
typedef struct random_sgf_tree {
    char *text; ///< Free it.
    uint32_t nodes, variations, depth, comments, edits, twins;
    uint32_t main_moves; ///< Plays and passes of the main line.
} random_sgf_tree;

random_sgf_tree random_sgf(uint64_t seed, const random_sgf_kind *kind);

#endif
