/// A text of words in lines of less than 80 characters, as PGN wants its moves.
#ifndef WRAP_H
#define WRAP_H

#include "text.h"

/// Zeros: an empty text. Lines that are not filled with words may be added to `text` before the first word.
typedef struct wrapped {
    text text;
    size_t column; ///< Of the last line.
    size_t word;   ///< Where its last word begins.
    bool glued;    ///< No space comes before the next word, and they stay in one line.
} wrapped;

void wrap_word(wrapped *wrapped, const char *word);

/// Adds it to the word before it.
void wrap_glue(wrapped *wrapped, const char *word);

/// Adds a comment of PGN, without a line break in it. In braces it may go over several lines; one that has a closing
/// brace itself ends with its line.
void wrap_comment(wrapped *wrapped, const char *comment, size_t length);

#endif
