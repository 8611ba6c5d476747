#include "text.h"

#include <stdlib.h>
#include <string.h>

static bool make_room(text *text, size_t more)
{
    if (text->room - text->length > more)
        return true;
    const size_t room = 2 * text->room + more + 64;
    char *bytes = more < SIZE_MAX / 4 && text->room < SIZE_MAX / 4 ? realloc(text->bytes, room) : NULL;
    if (!bytes)
        return false;
    text->bytes = bytes;
    text->room = room;
    return true;
}

void text_add(text *text, const char *bytes, size_t length)
{
    text->failed |= !make_room(text, length);
    if (text->failed)
        return;
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

void text_put(text *text, const char *bytes)
{
    text_add(text, bytes, strlen(bytes));
}

void text_cut(text *text, size_t length)
{
    if (text->bytes)
        text->bytes[length] = '\0';
    text->length = length;
    text->failed = false;
}

void text_free(text *text)
{
    free(text->bytes);
    *text = (struct text){0};
}

const char *text_read(text *text, FILE *file)
{
    return text_read_part(text, file, SIZE_MAX);
}

const char *text_read_part(text *text, FILE *file, size_t most)
{
    char part[16384];
    const size_t before = text->length;
    for (size_t length; most && (length = fread(part, 1, most < sizeof part ? most : sizeof part, file)) > 0;) {
        text_add(text, part, length);
        most -= length;
    }
    if (ferror(file))
        return "this file cannot be read";
    if (text->failed)
        return "memory ran out";
    if (text->length > before && memchr(text->bytes + before, 0, text->length - before))
        return "this is no text in UTF-8 or Latin-1: it has bytes of 0, as UTF-16 has";
    return NULL;
}

uint32_t text_lines(const char *begin, const char *end)
{
    uint32_t lines = 0;
    for (; (begin = memchr(begin, '\n', (size_t)(end - begin))) != NULL; begin++)
        lines++;
    return lines;
}
