#include "remarks.h"

#include <stdio.h>
#include <string.h>

// The first glyphs of PGN have signs.
static const char *const signs[] = {"$0", "!", "?", "!!", "??", "!?", "?!"};

enum { SIGNS = sizeof signs / sizeof *signs };

int glyph_read(const char *word, size_t length)
{
    int number = 0;
    for (int i = 1; i < SIGNS; i++) {
        if (strlen(signs[i]) == length && !memcmp(signs[i], word, length))
            return i;
    }
    if (length < 2 || word[0] != '$')
        return -1;
    for (size_t i = 1; i < length; i++) {
        if (word[i] < '0' || word[i] > '9')
            return -1;
        number = 10 * number + word[i] - '0';
        if (number >= GLYPHS)
            return -1;
    }
    return number;
}

void glyph_write(int glyph, char *word)
{
    if (glyph > 0 && glyph < SIGNS)
        snprintf(word, GLYPH_LENGTH, "%s", signs[glyph]);
    else
        snprintf(word, GLYPH_LENGTH, "$%d", glyph);
}
