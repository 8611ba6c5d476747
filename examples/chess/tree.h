/// All moves of a game, with its variations: what a view draws and PGN writes. The game has lines of events; here each
/// move knows the ones that may follow it.
#ifndef TREE_H
#define TREE_H

#include "position.h"

/// A move; number 0 is the set-up, before all moves. KIFU_NONE stands for no move.
typedef struct tree_node {
    chess_move move;
    uint32_t line, event; ///< Where the game has it.
    uint32_t before;      ///< The move before it.
    uint32_t first;       ///< The one that goes on from here.
    uint32_t next;        ///< The next variation in its place.
} tree_node;

typedef struct tree {
    tree_node *nodes;
    uint32_t count;
    const char *fen;     ///< What the game was set up with; NULL: as always.
    uint32_t end;        ///< The last move of the main line.
    chess_ending ending; ///< How the main line ends,
    chess_side winner;   ///< and who has won.
    uint32_t now;        ///< The move that was made last.
    const kifu_timeline *timeline;
} tree;

/// The tree of a timeline's last game, until the timeline changes; false: no game has begun, or memory ran out. The
/// main line comes first, variations follow in the order in which they were begun.
bool tree_build(tree *tree, kifu_timeline *timeline);

void tree_free(tree *tree);

/// The first position.
chess_position tree_begin(const tree *tree);

/// The position after a move.
chess_position tree_after(const chess_position *before, chess_move move);

/// A note at a move (remarks.h); NULL: none.
const char *tree_note(const tree *tree, uint32_t node, const char *key);

#endif
