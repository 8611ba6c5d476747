// Numbers and enums out of JSON.

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "json/read_json.h"
#include "wire/buffer.h"

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
    kifu__json_list(known, sizeof known, values->labels, values->label_count);
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
