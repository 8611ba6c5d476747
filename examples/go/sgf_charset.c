#include "sgf_charset.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// How many bytes the character at `at` has; 0: this is not UTF-8.
static size_t character(const unsigned char *at)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t length = *at < 0x80 ? 1 : *at >> 5 == 6 ? 2 : *at >> 4 == 14 ? 3 : *at >> 3 == 30 ? 4 : 0;
    uint32_t code = length > 1 ? *at & (0x7fu >> length) : *at;
    for (size_t i = 1; i < length; i++) {
        if (at[i] >> 6 != 2)
            return 0;
        code = code << 6 | (at[i] & 0x3f);
    }
    return length && code >= least[length] && code < 0x110000 && (code < 0xd800 || code > 0xdfff) ? length : 0;
}

static bool is_utf8(const char *text)
{
    size_t length = 1;
    for (const unsigned char *at = (const unsigned char *)text; *at && length; at += length)
        length = character(at);
    return length != 0;
}

// Only letters and digits count: "ISO8859_1", "iso-8859-1" and "ISO 8859-1" are the same.
static bool is_name(const sgf_value *value, const char *name)
{
    for (size_t i = 0; i < value->length; i++) {
        if (!isalnum((unsigned char)value->at[i]))
            continue;
        if (tolower((unsigned char)value->at[i]) != *name++)
            return false;
    }
    return !*name;
}

// Whether the text is the same in every charset that has ASCII in it. An escape would say that it is not.
static bool is_ascii(const char *text)
{
    while (*text && (unsigned char)*text < 0x80 && *text != '\x1b' && *text != '~')
        text++;
    return !*text;
}

// Latin-1 is what SGF means where nothing is said. Most programs mean UTF-8.
sgf_reading sgf_charset(const sgf_tree *tree, bool *latin1)
{
    static const struct {
        const char *name;
        bool latin1;
    } known[] = {{"utf8", false},    {"unicode", false}, {"ascii", false}, {"usascii", false}, {"", false},
                 {"iso88591", true}, {"88591", true},    {"latin1", true}, {"l1", true},       {"isolatin1", true}};
    const sgf_property *property = sgf_find(tree, &tree->nodes[0], "CA");
    *latin1 = !is_utf8(tree->begin);
    if (!property)
        return SGF_READ;
    const char *at = property->at;
    const sgf_value value = sgf_next_value(&at);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (!is_name(&value, known[i].name))
            continue;
        if (*latin1 && !known[i].latin1 && value.length)
            return sgf_wrong(tree, value.at, "this text is not in UTF-8, as it says");
        *latin1 = value.length ? known[i].latin1 : *latin1;
        return SGF_READ;
    }
    if (is_ascii(tree->begin))
        return SGF_READ;
    return sgf_wrong(
        tree, value.at,
        "only UTF-8 and ISO-8859-1 are read: \"iconv -f %.*s -t UTF-8\" converts this text; then make it CA[UTF-8]",
        (int)(value.length < 30 ? value.length : 30), value.at);
}

char *sgf_from_latin1(const char *text)
{
    char *converted = malloc(2 * strlen(text) + 1), *to = converted;
    if (!converted)
        return NULL;
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        if (*at >= 0x80)
            *to++ = (char)(0xc0 | *at >> 6);
        *to++ = (char)(*at < 0x80 ? *at : 0x80 | (*at & 0x3f));
    }
    *to = '\0';
    return converted;
}
