/// The Smart Game Format as it is written: nodes, and properties with their values. What they mean is not asked here.
#ifndef SGF_TREE_H
#define SGF_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fault.h"

enum {
    SGF_NAME = 16,   ///< Room for the name of a property, and its NUL.
    SGF_DEPTH = 1000 ///< How deep variations may be nested.
};

/// A property: a name, and one or several values.
typedef struct sgf_property {
    char name[SGF_NAME]; ///< Without small letters, which older formats have: "Black" is "B".
    const char *at;      ///< Where its first value begins in the text: with a bracket.
    uint32_t values;
} sgf_property;

/// A node. Its properties are `tree->properties[first]` and those after it.
typedef struct sgf_node {
    uint32_t parent;       ///< Of the first node: 0.
    uint32_t first, count; ///< Its properties.
    const char *at;        ///< Where it begins in the text.
} sgf_node;

/// A game: its nodes in the order of the text. So a node's parent comes before it, and its first child right behind it.
/// It refers to the text, which must stay.
typedef struct sgf_tree {
    const char *begin; ///< Of the text.
    fault *fault;      ///< For `sgf_wrong`.
    sgf_node *nodes;
    uint32_t node_count, node_room;
    sgf_property *properties;
    uint32_t property_count, property_room;
} sgf_tree;

/// One value, as it stands between its brackets.
typedef struct sgf_value {
    const char *at;
    size_t length;
} sgf_value;

/// What became of reading.
typedef enum sgf_reading { SGF_READ, SGF_WRONG, SGF_NO_MEMORY } sgf_reading;

/// Reads the next game at `*text` and moves `*text` behind it. `*tree` has `begin`, `fault` and zeros. Free it in any
/// case.
sgf_reading sgf_tree_read(sgf_tree *tree, const char **text);
void sgf_tree_free(sgf_tree *tree);

/// Where the game that begins in `text` ends; nothing of it but brackets is read. The end of the text: nothing follows.
const char *sgf_end(const char *text);

/// The first value of a property of the first node, as it stands; "" if it is not there. `value` has room for `room`.
void sgf_look(const char *text, const char *name, char *value, size_t room);

/// The property of a node with this name, or NULL.
const sgf_property *sgf_find(const sgf_tree *tree, const sgf_node *node, const char *name);

/// The next value of a property: `*at` begins as `property->at`. Call it `property->values` times.
sgf_value sgf_next_value(const char **at);

/// Says what is wrong at a place of the text. Returns SGF_WRONG.
sgf_reading sgf_wrong(const sgf_tree *tree, const char *at, const char *format, ...);

#endif
