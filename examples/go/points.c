#include "points.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char columns[] = "ABCDEFGHJKLMNOPQRST";

void point_write(const go_terms *terms, uint32_t point, char text[POINT_LENGTH + 1])
{
    const uint32_t size = terms->size;
    if (point == NO_POINT)
        snprintf(text, POINT_LENGTH + 1, "pass");
    else
        snprintf(text, POINT_LENGTH + 1, "%c%u", columns[point % size], (unsigned)(size - point / size) & 31);
}

static bool is_pass(const char *text)
{
    for (const char *at = "pass"; *at; at++, text++) {
        if (tolower((unsigned char)*text) != *at)
            return false;
    }
    return !*text;
}

uint32_t point_read(const go_terms *terms, const char *text)
{
    char *end;
    const char *column = *text ? strchr(columns, toupper((unsigned char)*text)) : NULL;
    if (is_pass(text))
        return NO_POINT;
    const unsigned long row = column && isdigit((unsigned char)text[1]) ? strtoul(text + 1, &end, 10) : 0;
    if (!row || *end || row > terms->size || column - columns >= terms->size)
        return WRONG_POINT;
    return (uint32_t)((terms->size - row) * terms->size) + (uint32_t)(column - columns);
}

void point_write_sgf(const go_terms *terms, uint32_t point, char text[POINT_LENGTH + 1])
{
    if (point == NO_POINT)
        *text = '\0';
    else
        snprintf(text, POINT_LENGTH + 1, "%c%c", (char)('a' + point % terms->size), (char)('a' + point / terms->size));
}

uint32_t point_read_sgf(const go_terms *terms, const char *text, size_t length)
{
    if (!length || (length == 2 && !memcmp(text, "tt", 2)))
        return NO_POINT;
    if (length != 2 || text[0] < 'a' || text[0] >= 'a' + terms->size || text[1] < 'a' || text[1] >= 'a' + terms->size)
        return WRONG_POINT;
    return (uint32_t)(text[1] - 'a') * terms->size + (uint32_t)(text[0] - 'a');
}
