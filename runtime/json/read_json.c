// Strings, structs and tables out of JSON, and what all values share.

#include "json/read_json.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"
#include "json/place.h"
#include "wire/buffer.h"

bool kifu__json_fail(kifu__json_reader *reader, const cJSON *at, const char *format, ...)
{
    char text[400];
    va_list arguments;
    if (reader->result)
        return false;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const kifu__place_in_text place =
        kifu__place_of_value(reader->text->at, reader->text->size, reader->root, at ? at : reader->root);
    reader->result =
        kifu__error(reader->error, KIFU_INVALID_EVENT, "line %u, column %u: %s", place.line, place.column, text);
    return false;
}

bool kifu__json_made(kifu__json_reader *reader, kifu_result result)
{
    if (result && !reader->result)
        reader->result = kifu__error(reader->error, result, "%s while JSON was read", kifu_result_text(result));
    return !result;
}

// --- The text --------------------------------------------------------------------------------------------------------

static bool broken(kifu__json_reader *reader, size_t byte, const char *what)
{
    const kifu__place_in_text place = kifu__place_of_byte(reader->text->at, reader->text->size, byte);
    reader->result =
        kifu__error(reader->error, KIFU_INVALID_EVENT, "line %u, column %u: %s", place.line, place.column, what);
    return false;
}

bool kifu__json_parse(kifu__json_reader *reader)
{
    const kifu__file_bytes *text = reader->text;
    size_t byte;
    const char *what, *end = NULL;
    if (!kifu__is_clean(text->at, text->size, &byte, &what))
        return broken(reader, byte, what);
    reader->root = cJSON_ParseWithLengthOpts((const char *)text->at, text->size, &end, false);
    byte = end ? (size_t)((const unsigned char *)end - text->at) : 0;
    if (!reader->root) // cJSON does not say which.
        return broken(reader, byte, "this is not JSON (or memory ran out here)");
    while (byte < text->size && text->at[byte] <= ' ')
        byte++;
    return byte == text->size || broken(reader, byte, "more text follows the object");
}

// --- Values ----------------------------------------------------------------------------------------------------------

static const char *kind_of(const cJSON *value)
{
    return cJSON_IsObject(value)   ? "an object"
           : cJSON_IsArray(value)  ? "an array"
           : cJSON_IsString(value) ? "a string"
           : cJSON_IsNumber(value) ? "a number"
           : cJSON_IsBool(value)   ? "true or false"
                                   : "null";
}

// --- Objects ---------------------------------------------------------------------------------------------------------

// One of the names, as far as a message has room.
void kifu__json_list(char *text, size_t size, const char *const *names, uint32_t count)
{
    size_t used = 0;
    text[0] = 0;
    for (uint32_t i = 0; i < count && used < size; i++) {
        const int more = snprintf(text + used, size - used, "%s%s", i ? ", " : "", names[i]);
        used += more > 0 ? (size_t)more : 0;
    }
    if (used >= size)
        memcpy(text + size - 4, "...", 4);
}

bool kifu__json_members(kifu__json_reader *reader, const cJSON *from, const char *what, const char *const *names,
                        uint32_t count)
{
    if (!cJSON_IsObject(from))
        return kifu__json_fail(reader, from, "%.100s is an object here, and not %s", what, kind_of(from));
    for (const cJSON *member = from->child; member; member = member->next) {
        uint32_t i = 0;
        while (i < count && strcmp(names[i], member->string) != 0)
            i++;
        if (i == count) {
            char known[200];
            kifu__json_list(known, sizeof known, names, count);
            return kifu__json_fail(reader, member, "%.100s has no field '%.60s'; its fields are %s", what,
                                   member->string, count ? known : "none");
        }
        for (const cJSON *other = from->child; other != member; other = other->next) {
            if (!strcmp(other->string, member->string))
                return kifu__json_fail(reader, member, "the field '%.60s' stands here for the second time",
                                       member->string);
        }
    }
    return true;
}

// --- Strings ---------------------------------------------------------------------------------------------------------

static int digit_of(char digit)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = digit ? strchr(digits, digit) : NULL;
    return found ? (int)(found - digits) : -1;
}

bool kifu__json_base64(kifu__json_reader *reader, const cJSON *from, unsigned char **bytes, size_t *size)
{
    const char *text = cJSON_GetStringValue(from);
    size_t length = text ? strlen(text) : 1;
    const size_t fill = length >= 4 && text[length - 1] == '=' ? 1 + (text[length - 2] == '=') : 0;
    bool well = length % 4 == 0;
    uint32_t bits = 0;
    *bytes = (unsigned char *)kifu__new(reader->memory, length / 4 * 3 + 1);
    *size = length / 4 * 3 - fill;
    if (!*bytes)
        return kifu__json_made(reader, KIFU_NO_MEMORY);
    for (size_t i = 0, at = 0; i < length && well; i++) {
        const int digit = i >= length - fill ? 0 : digit_of(text[i]);
        well = digit >= 0;
        bits = bits << 6 | (uint32_t)(digit & 63);
        for (int shift = 16; i % 4 == 3 && shift >= 0; shift -= 8)
            (*bytes)[at++] = (unsigned char)(bits >> shift);
    }
    if (!well) {
        kifu__free(reader->memory, *bytes);
        return kifu__json_fail(reader, from, "here belongs base64, in quotes");
    }
    (*bytes)[*size] = 0;
    return true;
}

bool kifu__json_string(kifu__json_reader *reader, const cJSON *from, unsigned char **bytes, size_t *size)
{
    static const char *const names[] = {"base64"};
    const char *text = cJSON_GetStringValue(from);
    if (cJSON_IsObject(from) && from->child)
        return kifu__json_members(reader, from, "a string of bytes that are no text", names, 1) &&
               kifu__json_base64(reader, from->child, bytes, size);
    if (!text)
        return kifu__json_fail(reader, from, "here belongs a string, or {\"base64\": \"...\"}, and not %s",
                               kind_of(from));
    *size = strlen(text);
    *bytes = (unsigned char *)kifu__new(reader->memory, *size + 1);
    if (*bytes)
        memcpy(*bytes, text, *size + 1);
    return *bytes || kifu__json_made(reader, KIFU_NO_MEMORY);
}

// --- Structs ---------------------------------------------------------------------------------------------------------

static bool read_one(kifu__json_reader *reader, const cJSON *from, const kifu__member *type, unsigned char *to)
{
    return type->structure ? kifu__json_struct(reader, from, type->structure, to)
                           : kifu__json_scalar(reader, from, type->scalar, type->values, to);
}

static bool read_elements(kifu__json_reader *reader, const cJSON *from, const kifu__member *type, unsigned char *to)
{
    if (!cJSON_IsArray(from) || (uint32_t)cJSON_GetArraySize(from) > type->count)
        return kifu__json_fail(reader, from, "here belongs an array of at most %" PRIu32 " elements", type->count);
    for (const cJSON *each = from->child; each; each = each->next, to += type->size) {
        if (!read_one(reader, each, type, to))
            return false;
    }
    return true;
}

bool kifu__json_struct(kifu__json_reader *reader, const cJSON *from, const kifu__struct *structure, unsigned char *to)
{
    const uint32_t count = structure->member_count;
    const char **names = (const char **)kifu__new(reader->memory, count * sizeof *names);
    if (!names)
        return kifu__json_made(reader, KIFU_NO_MEMORY);
    for (uint32_t i = 0; i < count; i++)
        names[i] = structure->members[i].name;
    bool well = kifu__json_members(reader, from, structure->name, names, count);
    kifu__free(reader->memory, (void *)names);
    for (uint32_t i = 0; i < count && well; i++) {
        const kifu__member *member = &structure->members[i];
        const cJSON *each = kifu__json_member(from, member->name);
        if (each)
            well = (member->count ? read_elements : read_one)(reader, each, member, to + member->offset);
    }
    return well;
}

// --- Tables ----------------------------------------------------------------------------------------------------------

static bool read_fields(kifu__json_reader *reader, const cJSON *from, const kifu__table *table, kifu__blob *blob,
                        uint32_t place);

static bool read_string(kifu__json_reader *reader, const cJSON *from, kifu__blob *blob, uint32_t ref)
{
    unsigned char *bytes;
    size_t size;
    if (!kifu__json_string(reader, from, &bytes, &size))
        return false;
    kifu__build_vector(blob, ref, bytes, (uint32_t)size, (uint64_t)size + 1, 4);
    kifu__free(reader->memory, bytes);
    return true;
}

static bool read_nested(kifu__json_reader *reader, const cJSON *from, const kifu__table *table, kifu__blob *blob,
                        uint32_t ref)
{
    const uint32_t place = kifu__build_table(blob, ref, NULL, table->size, table->align);
    return read_fields(reader, from, table, blob, place);
}

static bool read_vector(kifu__json_reader *reader, const cJSON *from, const kifu__field *field, kifu__blob *blob,
                        uint32_t ref)
{
    const kifu__member type = {
        .size = field->size, .scalar = field->scalar, .values = field->values, .structure = field->structure};
    const bool inline_elements = field->kind == KIFU__VECTOR;
    const uint32_t count = (uint32_t)cJSON_GetArraySize(from);
    const uint32_t size = inline_elements ? field->size : 4;
    if (!cJSON_IsArray(from))
        return kifu__json_fail(reader, from, "here belongs an array, and not %s", kind_of(from));
    uint32_t at =
        kifu__build_vector(blob, ref, NULL, count, (uint64_t)count * size, inline_elements ? field->align : 4);
    for (const cJSON *each = from->child; each && !blob->result; each = each->next, at += size) {
        if (inline_elements) {
            if (!read_one(reader, each, &type, (unsigned char *)kifu__built(blob, at)))
                return false;
        } else if (!(field->table ? read_nested(reader, each, field->table, blob, at)
                                  : read_string(reader, each, blob, at)))
            return false;
    }
    return true;
}

// `ref`: where the field is.
static bool read_field(kifu__json_reader *reader, const cJSON *from, const kifu__field *field, kifu__blob *blob,
                       uint32_t ref)
{
    const kifu__member type = {
        .size = field->size, .scalar = field->scalar, .values = field->values, .structure = field->structure};
    if (blob->result)
        return true; // Who began says it.
    switch (field->kind) {
    case KIFU__SCALAR:
    case KIFU__STRUCT:
        return read_one(reader, from, &type, (unsigned char *)kifu__built(blob, ref));
    case KIFU__STRING:
        return read_string(reader, from, blob, ref);
    case KIFU__TABLE:
        return read_nested(reader, from, field->table, blob, ref);
    default:
        return read_vector(reader, from, field, blob, ref);
    }
}

static bool know_fields(kifu__json_reader *reader, const cJSON *from, const kifu__table *table)
{
    const char **names = (const char **)kifu__new(reader->memory, table->field_count * sizeof *names);
    uint32_t count = 0;
    if (!names)
        return kifu__json_made(reader, KIFU_NO_MEMORY);
    for (uint32_t id = 0; id < table->field_count; id++) {
        if (table->fields[id].offset)
            names[count++] = table->fields[id].name;
    }
    const bool known = kifu__json_members(reader, from, table->name, names, count);
    kifu__free(reader->memory, (void *)names);
    return known;
}

// In the order in which Kifu converts events, so that what comes back has the same bytes.
static bool read_fields(kifu__json_reader *reader, const cJSON *from, const kifu__table *table, kifu__blob *blob,
                        uint32_t place)
{
    if (from && !know_fields(reader, from, table))
        return false;
    for (uint32_t id = 0; id < table->field_count && !blob->result; id++) {
        const kifu__field *field = &table->fields[id];
        const cJSON *each = from ? kifu__json_member(from, field->name) : NULL;
        if (!field->offset)
            continue;
        if (each && field->has)
            *(unsigned char *)kifu__built(blob, place + field->has) = 1;
        if (each && !read_field(reader, each, field, blob, place + field->offset))
            return false;
        if (!each && field->kind == KIFU__SCALAR && !field->has)
            memcpy(kifu__built(blob, place + field->offset), &field->default_bits, field->size);
    }
    return true;
}

bool kifu__json_table(kifu__json_reader *reader, const cJSON *from, const kifu__table *table, kifu__blob *blob)
{
    kifu__build_anew(blob, blob->memory);
    const uint32_t place = kifu__build(blob, 0, NULL, table->size, table->align);
    if (!read_fields(reader, from, table, blob, place))
        return false;
    kifu__build(blob, 0, NULL, 0, 4);
    if (blob->result == KIFU_TOO_LARGE)
        return kifu__json_fail(reader, from, "this event is too large");
    return kifu__json_made(reader, blob->result);
}
