#include "wrap.h"

#include <string.h>

enum { WIDTH = 79 };

// A word that makes its line too long begins a new one.
static void put(wrapped *wrapped, const char *word, size_t length)
{
    text *text = &wrapped->text;
    if (!wrapped->glued && wrapped->column) {
        text_put(text, " ");
        wrapped->column++;
    }
    if (!wrapped->glued || !wrapped->column)
        wrapped->word = text->length;
    text_add(text, word, length);
    wrapped->column += length;
    wrapped->glued = false;
    if (wrapped->column <= WIDTH || text->failed || !wrapped->word)
        return;
    char *space = &text->bytes[wrapped->word - 1];
    if (*space == ' ') {
        *space = '\n';
        wrapped->column = text->length - wrapped->word;
    }
}

void wrap_word(wrapped *wrapped, const char *word)
{
    put(wrapped, word, strlen(word));
}

void wrap_glue(wrapped *wrapped, const char *word)
{
    wrapped->glued = true;
    wrap_word(wrapped, word);
}

// The length of what must stay in one line: up to a single space between two words. No line begins with %, which would
// make it no PGN, and none with a space.
static size_t unbroken(const char *words, size_t length)
{
    for (size_t i = 1; i + 1 < length; i++) {
        if (words[i] == ' ' && words[i - 1] != ' ' && !strchr(" %", words[i + 1]))
            return i;
    }
    return length;
}

void wrap_comment(wrapped *wrapped, const char *comment, size_t length)
{
    const bool in_braces = !memchr(comment, '}', length);
    wrap_word(wrapped, in_braces ? "{" : ";");
    wrapped->glued = true;
    for (size_t part; length; comment += part, length -= part) {
        part = in_braces ? unbroken(comment, length) : length;
        put(wrapped, comment, part);
        part += part < length; // the space
    }
    if (in_braces) {
        wrap_glue(wrapped, "}");
    } else {
        text_put(&wrapped->text, "\n");
        wrapped->glued = false;
        wrapped->column = 0;
    }
}
