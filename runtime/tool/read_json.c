// Values out of JSON.

#include "tool/read_json.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "tool/json_place.h"
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
static void list(char *text, size_t size, const char *const *names, uint32_t count)
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
            list(known, sizeof known, names, count);
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

static const cJSON *member_of(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

// --- Numbers ---------------------------------------------------------------------------------------------------------

bool kifu__json_number(kifu__json_reader *reader, const cJSON *from, int64_t least, int64_t most, int64_t *number)
{
    const double value = cJSON_IsNumber(from) ? from->valuedouble : NAN;
    if (!(value >= (double)least && value <= (double)most && value == floor(value)))
        return kifu__json_fail(reader, from, "here belongs a whole number from %" PRId64 " to %" PRId64, least, most);
    *number = (int64_t)value;
    return true;
}

// 64 bits with or without a sign: a string, or a number that doubles hold exactly.
static bool read_wide(kifu__json_reader *reader, const cJSON *from, bool is_signed, uint64_t *number)
{
    const double exact = 9007199254740992.0; // 2^53
    const char *text = cJSON_GetStringValue(from);
    if (cJSON_IsNumber(from) && fabs(from->valuedouble) <= exact && from->valuedouble == floor(from->valuedouble) &&
        (is_signed || from->valuedouble >= 0)) {
        *number = (uint64_t)(int64_t)from->valuedouble;
        return true;
    }
    const char *digits = text && is_signed && *text == '-' ? text + 1 : text;
    if (digits && *digits && strspn(digits, "0123456789") == strlen(digits)) {
        errno = 0;
        *number = is_signed ? (uint64_t)strtoll(text, NULL, 10) : strtoull(text, NULL, 10);
        if (!errno)
            return true;
    }
    return kifu__json_fail(reader, from, "here belongs a whole number of 64 bits%s, as a string in quotes",
                           is_signed ? "" : " that is not below 0");
}

bool kifu__json_u64(kifu__json_reader *reader, const cJSON *from, uint64_t *number)
{
    return read_wide(reader, from, false, number);
}

static void put_real(bool is_float, double value, unsigned char *to)
{
    const float small = (float)value;
    memcpy(to, is_float ? (const void *)&small : (const void *)&value, is_float ? sizeof small : sizeof value);
}

static bool read_special(const char *text, bool is_float, unsigned char *to)
{
    const uint64_t infinity = is_float ? UINT64_C(0x7f800000) : UINT64_C(0x7ff0000000000000);
    const uint64_t sign = is_float ? UINT64_C(0x80000000) : UINT64_C(1) << 63;
    const uint64_t quiet = is_float ? UINT64_C(0x400000) : UINT64_C(0x8000000000000);
    uint64_t bits;
    if (!strcmp(text, "Infinity"))
        bits = infinity;
    else if (!strcmp(text, "-Infinity"))
        bits = infinity | sign;
    else if (!strcmp(text, "NaN"))
        bits = infinity | quiet;
    else if (!strncmp(text, "NaN:", 4) && text[4] && strspn(text + 4, "0123456789abcdefABCDEF") == strlen(text + 4) &&
             strlen(text + 4) <= 16) {
        bits = strtoull(text + 4, NULL, 16);
        const uint64_t all = is_float ? UINT32_MAX : UINT64_MAX;
        if (bits > all || (bits & infinity) != infinity || !(bits & (quiet * 2 - 1)))
            return false;
    } else
        return false;
    memcpy(to, &bits, is_float ? 4 : 8);
    return true;
}

static bool read_real(kifu__json_reader *reader, const cJSON *from, bool is_float, unsigned char *to)
{
    const char *text = cJSON_GetStringValue(from);
    if (cJSON_IsNumber(from) && isfinite(from->valuedouble) && (!is_float || isfinite((float)from->valuedouble))) {
        put_real(is_float, from->valuedouble, to);
        return true;
    }
    if (text && read_special(text, is_float, to))
        return true;
    return kifu__json_fail(reader, from,
                           "here belongs a number of %d bits, or \"NaN\", \"Infinity\" or \"-Infinity\" in quotes",
                           is_float ? 32 : 64);
}

static bool read_integer(kifu__json_reader *reader, const cJSON *from, uint8_t scalar, unsigned char *to)
{
    static const struct {
        int64_t least, most;
        uint8_t size;
    } ranges[] = {
        [KIFU__BOOL] = {0, UINT8_MAX, 1}, [KIFU__I8] = {INT8_MIN, INT8_MAX, 1},
        [KIFU__U8] = {0, UINT8_MAX, 1},   [KIFU__I16] = {INT16_MIN, INT16_MAX, 2},
        [KIFU__U16] = {0, UINT16_MAX, 2}, [KIFU__I32] = {INT32_MIN, INT32_MAX, 4},
        [KIFU__U32] = {0, UINT32_MAX, 4},
    };
    uint64_t wide = 0;
    int64_t number = 0;
    if (scalar == KIFU__I64 || scalar == KIFU__U64) {
        if (!read_wide(reader, from, scalar == KIFU__I64, &wide))
            return false;
        memcpy(to, &wide, sizeof wide);
        return true;
    }
    if (!kifu__json_number(reader, from, ranges[scalar].least, ranges[scalar].most, &number))
        return false;
    memcpy(to, &number, ranges[scalar].size);
    return true;
}

// --- Enums -----------------------------------------------------------------------------------------------------------

// The value of a name of `length` bytes, of flags its bit.
static bool find_label(const kifu__enum *values, const char *name, size_t length, uint64_t *value)
{
    uint64_t bit = 1;
    for (uint32_t i = 0; i < values->label_count; i++, bit <<= 1) {
        while (values->bit_flags && !(values->mask & bit))
            bit <<= 1;
        *value = values->bit_flags ? bit : values->values ? (uint64_t)values->values[i] : (uint64_t)values->low + i;
        if (strlen(values->labels[i]) == length && !memcmp(values->labels[i], name, length))
            return true;
    }
    return false;
}

static bool no_label(kifu__json_reader *reader, const cJSON *from, const kifu__enum *values, const char *name,
                     size_t length)
{
    char known[200];
    list(known, sizeof known, values->labels, values->label_count);
    return kifu__json_fail(reader, from, "'%.*s' is not in enum %.100s, which has %s", length < 60 ? (int)length : 60,
                           name, values->name, known);
}

// Names with blanks between them, and perhaps a number of bits that have no name.
static bool read_flags(kifu__json_reader *reader, const cJSON *from, const kifu__enum *values, uint64_t *bits)
{
    const char *text = cJSON_GetStringValue(from);
    *bits = 0;
    while (*(text += strspn(text, " |"))) {
        const size_t length = strcspn(text, " |");
        char *end;
        uint64_t bit;
        if (!find_label(values, text, length, &bit)) {
            bit = strtoull(text, &end, 0);
            if (*text < '0' || *text > '9' || end != text + length)
                return no_label(reader, from, values, text, length);
        }
        *bits |= bit;
        text += length;
    }
    return true;
}

// A value of an enum by its number, in a string as Kifu writes it.
static bool read_digits(kifu__json_reader *reader, const cJSON *from, uint8_t scalar, const kifu__enum *values,
                        unsigned char *to)
{
    const char *text = cJSON_GetStringValue(from);
    const bool is_signed = kifu__is_signed(scalar), below = *text == '-';
    const unsigned bits = 8U * values->size - is_signed;
    char *end;
    errno = 0;
    const uint64_t value = below ? (uint64_t)strtoll(text, &end, 10) : strtoull(text, &end, 10);
    const uint64_t most = UINT64_MAX >> (64 - bits);
    if (errno || *end || (below ? !is_signed || ~value > most : value > most))
        return no_label(reader, from, values, text, strlen(text));
    memcpy(to, &value, values->size);
    return true;
}

bool kifu__json_scalar(kifu__json_reader *reader, const cJSON *from, uint8_t scalar, const kifu__enum *values,
                       unsigned char *to)
{
    const char *text = cJSON_GetStringValue(from);
    const bool is_number = text && (*text == '-' || (*text >= '0' && *text <= '9'));
    uint64_t value;
    if (scalar == KIFU__F32 || scalar == KIFU__F64)
        return read_real(reader, from, scalar == KIFU__F32, to);
    if (scalar == KIFU__BOOL && cJSON_IsBool(from)) {
        *to = cJSON_IsTrue(from) != 0;
        return true;
    }
    if (!values || !values->labels || !text)
        return read_integer(reader, from, scalar, to);
    if (is_number && !(values->bit_flags && strpbrk(text, " |")))
        return read_digits(reader, from, scalar, values, to);
    if (values->bit_flags) {
        if (!read_flags(reader, from, values, &value))
            return false;
        if (values->size < 8 && value >> (8 * values->size))
            return kifu__json_fail(reader, from, "enum %.100s has fewer bits", values->name);
    } else if (!find_label(values, text, strlen(text), &value))
        return no_label(reader, from, values, text, strlen(text));
    memcpy(to, &value, values->size);
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
    *bytes = (unsigned char *)kifu__must_grow(NULL, length / 4 * 3 + 1);
    *size = length / 4 * 3 - fill;
    for (size_t i = 0, at = 0; i < length && well; i++) {
        const int digit = i >= length - fill ? 0 : digit_of(text[i]);
        well = digit >= 0;
        bits = bits << 6 | (uint32_t)(digit & 63);
        for (int shift = 16; i % 4 == 3 && shift >= 0; shift -= 8)
            (*bytes)[at++] = (unsigned char)(bits >> shift);
    }
    if (!well) {
        free(*bytes);
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
    *bytes = (unsigned char *)memcpy(kifu__must_grow(NULL, *size + 1), text, *size + 1);
    return true;
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
    const char **names = (const char **)kifu__must_grow(NULL, count * sizeof *names);
    for (uint32_t i = 0; i < count; i++)
        names[i] = structure->members[i].name;
    bool well = kifu__json_members(reader, from, structure->name, names, count);
    free((void *)names);
    for (uint32_t i = 0; i < count && well; i++) {
        const kifu__member *member = &structure->members[i];
        const cJSON *each = member_of(from, member->name);
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
    free(bytes);
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
    const char **names = (const char **)kifu__must_grow(NULL, table->field_count * sizeof *names);
    uint32_t count = 0;
    for (uint32_t id = 0; id < table->field_count; id++) {
        if (table->fields[id].offset)
            names[count++] = table->fields[id].name;
    }
    const bool known = kifu__json_members(reader, from, table->name, names, count);
    free((void *)names);
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
        const cJSON *each = from ? member_of(from, field->name) : NULL;
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
    return !blob->result || kifu__json_fail(reader, from, "this event is too large");
}
