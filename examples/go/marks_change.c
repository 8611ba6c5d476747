#include <kifu/notes.h>
#include <stdlib.h>
#include <string.h>

#include "buffer.h"
#include "marks.h"
#include "points.h"
#include "sgf_values.h"

// The properties, in the order in which a point gets them. The last one has letters.
static const char *const names[] = {"TR", "SQ", "CR", "MA", "LB"};

enum { NAMES = sizeof names / sizeof *names, LETTERS = NAMES - 1 };

static void put_point(buffer *out, const go_terms *terms, uint32_t point, const char *letter)
{
    char name[POINT_LENGTH + 1];
    point_write_sgf(terms, point, name);
    if (letter)
        buffer_print(out, "[%s:%s]", name, letter);
    else
        buffer_print(out, "[%s]", name);
}

// All points of a value, "aa" or "aa:cc", but one. Returns whether that was among them.
static bool put_points(buffer *out, const go_terms *terms, const sgf_value *value, uint32_t point)
{
    const size_t length = value->length < 2 ? value->length : 2;
    const uint32_t size = terms->size, first = point_read_sgf(terms, value->at, length);
    const uint32_t last = value->length == 5 ? point_read_sgf(terms, value->at + 3, 2) : first;
    bool there = false;
    if (first >= point_count(terms) || last >= point_count(terms))
        return false;
    for (uint32_t row = first / size; row <= last / size; row++) {
        for (uint32_t column = first % size; column <= last % size; column++) {
            there |= row * size + column == point;
            if (row * size + column != point)
                put_point(out, terms, row * size + column, NULL);
        }
    }
    return there;
}

// What a property says of other points. Returns whether it says anything of this one.
static bool put_others(buffer *out, const go_terms *terms, const char *values, bool letters, uint32_t point)
{
    bool there = false;
    while (*values == '[') {
        const char *begin = values;
        const sgf_value value = sgf_next_value(&values);
        if (!letters)
            there |= put_points(out, terms, &value, point);
        else if (value.length > 1 && point_read_sgf(terms, value.at, 2) == point)
            there = true;
        else
            buffer_put(out, begin, (size_t)(values - begin));
    }
    return there;
}

// The first letter that no point has.
static char free_letter(const kifu_timeline *timeline, uint32_t event)
{
    marks marks;
    char letter = 'A';
    marks_read(timeline, event, &marks);
    for (uint32_t i = 0; i < MOST_POINTS && letter < 'Z'; i++) {
        if (marks.signs[i] == 'L' && marks.labels[i][0] == letter) {
            letter++;
            i = UINT32_MAX; // from the beginning
        }
    }
    return letter;
}

kifu_result marks_change(kifu_timeline *timeline, uint32_t point)
{
    const go_terms *terms = &go_get_state(timeline)->terms;
    const uint32_t event = kifu_event_count(timeline) - 1;
    kifu_result result = KIFU_OK;
    size_t next = 0;
    for (size_t i = 0; i < NAMES && !result; i++) {
        const char *values = kifu_note_at(timeline, event, names[i]);
        const bool known = values && sgf_are_values(values);
        buffer others = {0};
        if (known && put_others(&others, terms, values, i == LETTERS, point)) {
            next = i + 1;
            result = others.failed ? KIFU_NO_MEMORY : kifu_set_note(timeline, event, names[i], others.text);
        }
        free(others.text);
    }
    if (result || next == NAMES)
        return result;
    const char letter[] = {free_letter(timeline, event), '\0'}, *values = kifu_note_at(timeline, event, names[next]);
    buffer all = {0};
    buffer_put(&all, values ? values : "", values ? strlen(values) : 0);
    put_point(&all, terms, point, next == LETTERS ? letter : NULL);
    result = all.failed ? KIFU_NO_MEMORY : kifu_set_note(timeline, event, names[next], all.text);
    free(all.text);
    return result;
}
