#include "sgf_values.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "points.h"

// How many bytes at `at`, before `end`, are one line break; 0: none.
static size_t line_break(const char *at, const char *end)
{
    if (at == end || (*at != '\n' && *at != '\r'))
        return 0;
    return at + 1 < end && at[1] != *at && (at[1] == '\n' || at[1] == '\r') ? 2 : 1;
}

void sgf_take_text(buffer *buffer, const sgf_value *value)
{
    const char *end = value->at + value->length;
    buffer_put(buffer, "", 0);
    for (const char *at = value->at; at < end; at++) {
        const bool escaped = *at == '\\' && at + 1 < end;
        at += escaped;
        const size_t skipped = line_break(at, end);
        if (skipped && !escaped)
            buffer_put(buffer, "\n", 1);
        else if (!skipped)
            buffer_put(buffer, isspace((unsigned char)*at) ? " " : at, 1);
        at += skipped ? skipped - 1 : 0;
    }
}

void sgf_put_text(buffer *buffer, const char *text)
{
    buffer_put(buffer, "[", 1);
    for (; *text; text++) {
        if (*text == ']' || *text == '\\')
            buffer_put(buffer, "\\", 1);
        buffer_put(buffer, text, 1);
    }
    buffer_put(buffer, "]", 1);
}

bool sgf_are_values(const char *text)
{
    do {
        if (*text != '[')
            return false;
        for (text++; *text != ']'; text++) {
            text += *text == '\\' && text[1];
            if (!*text)
                return false;
        }
    } while (*++text);
    return true;
}

sgf_reading sgf_take_number(const sgf_tree *tree, const sgf_value *value, double least, double most, double *number)
{
    char text[40] = "", *end = text;
    if (value->length < sizeof text) {
        memcpy(text, value->at, value->length);
        text[value->length] = '\0';
        char *comma = strchr(text, ',');
        if (comma && !strchr(text, '.')) // "6,5"
            *comma = '.';
        *number = strtod(text, &end);
    }
    while (end > text && *end == ' ')
        end++;
    if (end != text && !*end && *number >= least && *number <= most)
        return SGF_READ;
    *number = least; // The caller may convert it to a type that has no room for others.
    return sgf_wrong(tree, value->at, "here comes a number from %g to %g", least, most);
}

sgf_reading sgf_take_color(const sgf_tree *tree, const sgf_value *value, go_stone *stone)
{
    const char letter = (char)(value->length ? toupper((unsigned char)*value->at) : '?');
    *stone = letter == 'W' || letter == '2' ? GO_STONE_WHITE : GO_STONE_BLACK;
    return letter && strchr("BW12", letter) ? SGF_READ : sgf_wrong(tree, value->at, "B or W plays first");
}

// --- Points ----------------------------------------------------------------------------------------------------------

// A point, or a rectangle of them: "aa:cc".
static sgf_reading take_points(const sgf_tree *tree, const sgf_value *value, const go_terms *terms, sgf_stones *stones,
                               points *points)
{
    const bool rectangle = value->length == 5 && value->at[2] == ':';
    const uint32_t first = value->length ? point_read_sgf(terms, value->at, rectangle ? 2 : value->length) : NO_POINT;
    const uint32_t last = rectangle ? point_read_sgf(terms, value->at + 3, 2) : first;
    if (first >= point_count(terms) || last >= point_count(terms))
        return sgf_wrong(tree, value->at, "this is no point of the board: a stone stands on one such as dd");
    if (last < first || last % terms->size < first % terms->size)
        return sgf_wrong(tree, value->at, "a rectangle has its upper left point first, then its lower right one");
    for (uint32_t row = first / terms->size; row <= last / terms->size; row++) {
        for (uint32_t column = first % terms->size; column <= last % terms->size; column++) {
            const uint32_t point = row * terms->size + column;
            if (stones->taken[point])
                return sgf_wrong(tree, value->at, "this node names a point twice");
            stones->taken[point] = true;
            points->items[points->count++] = (uint16_t)point;
        }
    }
    return SGF_READ;
}

sgf_reading sgf_take_stones(const sgf_tree *tree, const sgf_node *node, const go_terms *terms, sgf_stones *stones)
{
    sgf_reading reading = SGF_READ;
    for (uint32_t i = node->first; i < node->first + node->count; i++) {
        const sgf_property *property = &tree->properties[i];
        points *points = !strcmp(property->name, "AB")   ? &stones->black
                         : !strcmp(property->name, "AW") ? &stones->white
                         : !strcmp(property->name, "AE") ? &stones->empty
                                                         : NULL;
        const char *at = property->at;
        for (uint32_t k = 0; points && k < property->values && !reading; k++) {
            const sgf_value value = sgf_next_value(&at);
            reading = take_points(tree, &value, terms, stones, points);
        }
    }
    return reading;
}

void sgf_put_points(buffer *buffer, const go_terms *terms, const char *name, const uint16_t *points, uint32_t count)
{
    char text[POINT_LENGTH + 1];
    buffer_print(buffer, "%s", count ? name : "");
    for (uint32_t i = 0; i < count; i++) {
        point_write_sgf(terms, points[i], text);
        buffer_print(buffer, "[%s]", text);
    }
}
