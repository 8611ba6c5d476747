#include "remarks.h"

#include <stdio.h>
#include <string.h>

// The first glyphs of PGN have signs.
static const char *const signs[] = {"$0", "!", "?", "!!", "??", "!?", "?!"};

enum { SIGNS = sizeof signs / sizeof *signs };

// What ChessBase and others write for some of the others: longer ones first.
static const struct {
    const char *sign;
    int number;
} others[] = {{"+/=", 14},     {"=/+", 15},     {"+/-", 16},    {"-/+", 17},     {"=/\u221e", 44}, {"+/\u2212", 16},
              {"+-", 18},      {"-+", 19},      {"+=", 14},     {"=+", 15},      {"=\u221e", 44},  {"+\u2212", 18},
              {"\u2212+", 19}, {"\u2a72", 14},  {"\u2a71", 15}, {"\u00b1", 16},  {"\u2213", 17},   {"\u221e", 13},
              {"\u25a1", 7},   {"\u2191", 36},  {"\u2192", 40}, {"\u21c6", 132}, {"\u2a00", 22},   {"\u2295", 138},
              {"\u2206", 140}, {"\u25b3", 140}, {"=", 10},      {"N", 146},      {"D", 220}};

enum { OTHERS = sizeof others / sizeof *others };

size_t glyph_suffix(const char *word, size_t length)
{
    for (int i = 0; i < OTHERS; i++) {
        const size_t size = strlen(others[i].sign);
        if (size < length && !memcmp(word + length - size, others[i].sign, size))
            return size;
    }
    return 0;
}

int glyph_read(const char *word, size_t length)
{
    int number = 0;
    for (int i = 1; i < SIGNS; i++) {
        if (strlen(signs[i]) == length && !memcmp(signs[i], word, length))
            return i;
    }
    for (int i = 0; i < OTHERS; i++) {
        if (strlen(others[i].sign) == length && !memcmp(others[i].sign, word, length))
            return others[i].number;
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
