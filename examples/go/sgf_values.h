/// Values of SGF properties, as what they mean.
#ifndef SGF_VALUES_H
#define SGF_VALUES_H

#include "board.h"
#include "buffer.h"
#include "sgf_tree.h"

/// Appends the text that a value says: without escapes and soft line breaks.
void sgf_take_text(buffer *buffer, const sgf_value *value);

/// Appends a value in brackets that says a text.
void sgf_put_text(buffer *buffer, const char *text);

/// Whether a text is one value or several, each in its brackets.
bool sgf_are_values(const char *text);

/// Reads a number within limits.
sgf_reading sgf_take_number(const sgf_tree *tree, const sgf_value *value, double least, double most, double *number);

/// Reads a color: B or W, or as older programs write it, 1 or 2.
sgf_reading sgf_take_color(const sgf_tree *tree, const sgf_value *value, go_stone *stone);

/// Stones that a node sets up: AB, AW and AE.
typedef struct sgf_stones {
    points black, white, empty;
    bool taken[MOST_POINTS];
} sgf_stones;

/// Reads those of a node. `*stones` has zeros.
sgf_reading sgf_take_stones(const sgf_tree *tree, const sgf_node *node, const go_terms *terms, sgf_stones *stones);

/// Appends a property with some points, if there are any.
void sgf_put_points(buffer *buffer, const go_terms *terms, const char *name, const uint16_t *points, uint32_t count);

#endif
