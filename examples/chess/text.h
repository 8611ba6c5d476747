/// Text that grows: what is read until it is stored, and what is written.
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

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

/// Reads a whole file to its end. NULL: all is well; else the reason why not.
const char *text_read(text *text, FILE *file);

/// The same with the next `most` bytes, or fewer at the end of the file.
const char *text_read_part(text *text, FILE *file, size_t most);

/// How many lines end between two places of a text.
uint32_t text_lines(const char *begin, const char *end);

#endif
