/// Where something stands in a JSON text: cJSON does not say.
///
/// The text is known to be JSON when a value is found wrong, so the place of value number n is found by walking the
/// text once more.
#ifndef KIFU_JSON_PLACE_H
#define KIFU_JSON_PLACE_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

/// From 1; a column is a character, not a byte.
typedef struct kifu__place_in_text {
    unsigned line, column;
} kifu__place_in_text;

kifu__place_in_text kifu__place_of_byte(const unsigned char *text, size_t size, size_t byte);

/// Of a value that was parsed from the text; of the root if it is none of its values.
kifu__place_in_text kifu__place_of_value(const unsigned char *text, size_t size, const cJSON *root, const cJSON *value);

/// Finds what a JSON text must not have and cJSON reads over: bytes that are not UTF-8, and a NUL in a string, where
/// cJSON would end it. False: `*byte` is where, and `*what` says what.
bool kifu__is_clean(const unsigned char *text, size_t size, size_t *byte, const char **what);

#endif
