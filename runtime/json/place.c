#include "json/place.h"

#include <string.h>

#include "text/print.h"

kifu__place_in_text kifu__place_of_byte(const unsigned char *text, size_t size, size_t byte)
{
    kifu__place_in_text place = {1, 1};
    for (size_t i = 0; i < byte && i < size; i++) {
        if (text[i] == '\n')
            place = (kifu__place_in_text){place.line + 1, 1};
        else
            place.column += (text[i] & 0xc0) != 0x80;
    }
    return place;
}

// Behind the string that begins at `at`.
static size_t behind_string(const unsigned char *text, size_t size, size_t at)
{
    for (at++; at < size && text[at] != '"'; at++)
        at += text[at] == '\\';
    return at + 1;
}

// Whether a ':' comes next: then the string before is the name of a member.
static bool is_name(const unsigned char *text, size_t size, size_t at)
{
    while (at < size && text[at] <= ' ')
        at++;
    return at < size && text[at] == ':';
}

// Where value number `number` begins, in the order in which they stand. The text was parsed, so it is JSON.
static size_t find_value(const unsigned char *text, size_t size, size_t number)
{
    for (size_t at = 0; at < size;) {
        const unsigned char byte = text[at];
        size_t next = at + 1;
        bool value = byte == '{' || byte == '[';
        if (byte == '"') {
            next = behind_string(text, size, at);
            value = !is_name(text, size, next);
        } else if (byte > ' ' && !strchr("{}[],:", byte)) {
            while (next < size && text[next] > ' ' && !strchr("{}[],:\"", text[next]))
                next++;
            value = true;
        }
        if (value && number-- == 0)
            return at;
        at = next;
    }
    return 0;
}

// How many values stand before `value`; false: it is not inside.
static bool count_before(const cJSON *inside, const cJSON *value, size_t *count)
{
    if (inside == value)
        return true;
    ++*count;
    for (const cJSON *child = inside->child; child; child = child->next) {
        if (count_before(child, value, count))
            return true;
    }
    return false;
}

kifu__place_in_text kifu__place_of_value(const unsigned char *text, size_t size, const cJSON *root, const cJSON *value)
{
    size_t count = 0;
    if (!count_before(root, value, &count))
        count = 0;
    const size_t mark = size >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0;
    return kifu__place_of_byte(text, size, mark + find_value(text + mark, size - mark, count));
}

bool kifu__is_clean(const unsigned char *text, size_t size, size_t *byte, const char **what)
{
    bool in_string = false;
    for (size_t at = 0; at < size;) {
        const size_t length = kifu__character(text + at, text + size);
        *byte = at;
        if (!length) {
            *what = "this byte is not UTF-8; bytes that are no text are written as {\"base64\": \"...\"}";
            return false;
        }
        if (in_string && text[at] == '\\') {
            *what = "a string cannot contain a NUL; write {\"base64\": \"...\"}";
            if (size - at >= 6 && !memcmp(text + at, "\\u0000", 6))
                return false;
            at++; // what is escaped, too
            if (at < size && (text[at] & 0x80) == 0)
                at++;
            continue;
        }
        if (text[at] == '"')
            in_string = !in_string;
        at += length;
    }
    return true;
}
