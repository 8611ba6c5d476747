// Strings of events, which must be text.

#include <stdio.h>

#include "wire/buffer.h"

// `place`: of the offset that leads to it.
static bool string_holds(const unsigned char *place, kifu__failure *failure)
{
    failure->path[0] = 0;
    if (!kifu__load32(place)) { // An absent string is in its place only in a vector.
        snprintf(failure->reason, sizeof failure->reason, "a string is a null pointer");
        return false;
    }
    const unsigned char *text = place + kifu__load32(place) + 4;
    const uint32_t size = kifu__load32(text - 4), good = failure->any_text ? size : kifu__text_size(text, size);
    if (good < size)
        snprintf(failure->reason, sizeof failure->reason,
                 "byte %u of the string, 0x%02X, is not UTF-8: convert the text, or use a vector of bytes ([ubyte]) in "
                 "the schema",
                 (unsigned)good, (unsigned)text[good]);
    return good == size;
}

bool kifu__texts_hold(const kifu__field *field, const unsigned char *bytes, kifu__failure *failure)
{
    const unsigned char *place = bytes + field->offset;
    if (field->kind == KIFU__STRING)
        return string_holds(place, failure);
    const unsigned char *elements = place + kifu__load32(place) + 4;
    for (uint32_t i = 0; i < kifu__load32(elements - 4); i++) {
        if (!string_holds(elements + (size_t)i * 4, failure))
            return kifu__in_element(failure, i);
    }
    return true;
}
