/// What the files of the model share.
#ifndef WALK_TREE_INSIDE_H
#define WALK_TREE_INSIDE_H

#include "tree.h"

/// A text that is valid until the next call.
const char *walk_say_why(const char *format, ...);

void *walk_copy_of(const void *items, size_t size);
walk_queue walk_copy_queue(const walk_queue *queue);
bool walk_same_queue(const walk_queue *a, const walk_queue *b);
void walk_drop_line(walk_line *line);
void walk_drop_kept(walk_line *line, uint32_t index);
void walk_add_kept(walk_line *line, walk_kept kept); ///< Copies its queue.

/// Whether a line has no parent.
bool walk_is_root(const walk_tree *tree, uint32_t line);

/// Whether event number `index` on the way to a line continues the undo chain before it.
bool walk_goes_on(const walk_tree *tree, uint32_t line, uint32_t index);

/// Two events of two versions of a game.
bool walk_same_shape(const walk_event *a, const walk_event *b, uint32_t first);

/// The line to which a place on the way to a line belongs.
walk_line *walk_line_of(const walk_tree *tree, uint32_t line, uint32_t place);

/// What waits at a place; NULL: nothing.
walk_kept *walk_kept_at(const walk_tree *tree, uint32_t line, uint32_t place);

#endif
