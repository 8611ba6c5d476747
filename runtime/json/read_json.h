/// Reading JSON: values by their descriptions. Everything returns false after the first failure, which is reported with
/// its line and column.
#ifndef KIFU_JSON_READ_JSON_H
#define KIFU_JSON_READ_JSON_H

#include <cjson/cJSON.h>

#include "json/game.h"
#include "wire/builder.h"

typedef struct kifu__json_reader {
    const kifu__memory *memory;
    const kifu__file_bytes *text;
    cJSON *root;
    kifu_error *error;
    kifu_result result;
} kifu__json_reader;

/// Parses the text. In any case the caller deletes `root`.
bool kifu__json_parse(kifu__json_reader *reader);

/// The member of this name; NULL: there is none.
static inline const cJSON *kifu__json_member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

/// "red, green, blue", as far as there is room.
void kifu__json_list(char *text, size_t size, const char *const *names, uint32_t count);

/// At the value `at`. False.
bool kifu__json_fail(kifu__json_reader *reader, const cJSON *at, const char *format, ...) KIFU__PRINTF(3, 4);

/// Of what was made of JSON: true if `result` is KIFU_OK; else it is what reading returns.
bool kifu__json_made(kifu__json_reader *reader, kifu_result result);

/// A scalar of an enum, or none (`values` NULL).
bool kifu__json_scalar(kifu__json_reader *reader, const cJSON *from, uint8_t scalar, const kifu__enum *values,
                       unsigned char *to);

/// A struct; what its object lacks is zero.
bool kifu__json_struct(kifu__json_reader *reader, const cJSON *from, const kifu__struct *structure, unsigned char *to);

/// A table with what it leads to: all that is in `blob` then. `from` NULL: an object without members.
bool kifu__json_table(kifu__json_reader *reader, const cJSON *from, const kifu__table *table, kifu__blob *blob);

/// A whole number from `least` to `most`, which have at most 32 bits.
bool kifu__json_number(kifu__json_reader *reader, const cJSON *from, int64_t least, int64_t most, int64_t *number);

/// 64 bits.
bool kifu__json_u64(kifu__json_reader *reader, const cJSON *from, uint64_t *number);

/// The bytes of a string, of base64 or of {"base64": …}. They end in a NUL that is not counted, and the caller frees
/// them (kifu__free of `memory`).
bool kifu__json_string(kifu__json_reader *reader, const cJSON *from, unsigned char **bytes, size_t *size);
bool kifu__json_base64(kifu__json_reader *reader, const cJSON *from, unsigned char **bytes, size_t *size);

/// False: `from` is no object, has a member twice, or one whose name is not among the `count` `names`.
bool kifu__json_members(kifu__json_reader *reader, const cJSON *from, const char *what, const char *const *names,
                        uint32_t count);

#endif
