/// Text that grows: what is read until it is stored, and what is written.
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>

/// Zeros: an empty text.
typedef struct text {
    char *bytes; ///< With a NUL behind them; NULL while there are none.
    size_t length, room;
    bool failed; ///< Memory ran out: something is missing.
} text;

void text_add(text *text, const char *bytes, size_t length);

/// The same with a text that ends with a NUL.
void text_put(text *text, const char *bytes);

/// Only its first bytes stay; and its memory.
void text_cut(text *text, size_t length);

void text_free(text *text);

#endif
