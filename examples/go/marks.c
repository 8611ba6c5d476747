#include "marks.h"

#include <kifu/notes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "points.h"
#include "sgf_values.h"

// The points of "aa", "aa:cc" or "aa:text".
typedef struct place {
    uint32_t first, last; // WRONG_POINT: there is none
    const char *rest;     // behind the colon
    size_t length;
} place;

static place take_place(const go_terms *terms, const sgf_value *value)
{
    place place = {WRONG_POINT, WRONG_POINT, value->at, 0};
    const char *colon = memchr(value->at, ':', value->length);
    const size_t length = colon ? (size_t)(colon - value->at) : value->length;
    place.first = length ? point_read_sgf(terms, value->at, length) : WRONG_POINT;
    if (colon) {
        place.rest = colon + 1;
        place.length = value->length - length - 1;
        place.last = point_read_sgf(terms, place.rest, place.length);
    }
    return place;
}

static void sign(const go_terms *terms, const place *place, char sign, marks *marks)
{
    const uint32_t last = place->last < point_count(terms) ? place->last : place->first, size = terms->size;
    for (uint32_t row = place->first / size; row <= last / size; row++) {
        for (uint32_t column = place->first % size; column <= last % size; column++)
            marks->signs[row * size + column] = sign;
    }
}

static void label(const place *place, marks *marks)
{
    buffer text = {0};
    char *label = marks->labels[place->first];
    sgf_take_text(&text, &(sgf_value){place->rest, place->length});
    snprintf(label, MARK_LABEL, "%s", text.text ? text.text : "");
    for (size_t length = strlen(label); length > 1 && (label[length - 1] & 0x80); length--)
        label[length - 1] = '\0'; // A label is cut where it is not ASCII.
    marks->signs[place->first] = 'L';
    free(text.text);
}

static void line(const go_terms *terms, const place *place, marks *marks)
{
    char from[POINT_LENGTH + 1], to[POINT_LENGTH + 1];
    const size_t used = strlen(marks->lines);
    if (place->last >= point_count(terms))
        return;
    point_write(terms, place->first, from);
    point_write(terms, place->last, to);
    snprintf(marks->lines + used, sizeof marks->lines - used, "%s%s-%s", used ? " " : "", from, to);
}

static void read_property(const go_terms *terms, const char *values, char as, marks *marks)
{
    if (!sgf_are_values(values))
        return;
    for (const char *at = values; *at == '[';) {
        const sgf_value value = sgf_next_value(&at);
        const place place = take_place(terms, &value);
        if (place.first >= point_count(terms))
            continue;
        if (as == 'L')
            label(&place, marks);
        else if (as == 'l')
            line(terms, &place, marks);
        else
            sign(terms, &place, as, marks);
    }
}

void marks_read(const kifu_timeline *timeline, uint32_t event, marks *marks)
{
    static const struct {
        const char *name;
        char as; // 'l': a line
    } properties[] = {{"DD", '-'}, {"TB", 'b'}, {"TW", 'w'}, {"SL", 's'}, {"CR", 'C'}, {"SQ", 'S'},
                      {"TR", 'T'}, {"MA", 'X'}, {"LB", 'L'}, {"AR", 'l'}, {"LN", 'l'}};
    const go_state *state = go_get_state(timeline);
    memset(marks, 0, sizeof *marks);
    for (size_t i = 0; i < sizeof properties / sizeof *properties; i++) {
        const char *values = kifu_note_at(timeline, event, properties[i].name);
        if (values)
            read_property(&state->terms, values, properties[i].as, marks);
    }
}
