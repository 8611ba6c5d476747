// The first difference of two states, in the words of the schema.

#include "wire/difference.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "wire/buffer.h"

// A text that is cut off where its room ends.
typedef struct kifu__text {
    char *at;
    size_t size;
    size_t used;
} kifu__text;

static void add_text(kifu__text *text, const char *format, ...) KIFU__PRINTF(2, 3);

static void add_text(kifu__text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text->at + text->used, text->size - text->used, format, arguments);
    va_end(arguments);
    if (length > 0)
        text->used += (size_t)length;
    if (text->used >= text->size)
        text->used = text->size - 1;
}

// The names of the bits that are set: "FIRE|ICE".
static void add_bits(kifu__text *text, const kifu__enum *values, uint64_t value)
{
    uint32_t label = 0;
    const char *between = "";
    for (uint64_t bit = 1; label < values->label_count; bit <<= 1) {
        if (!(values->mask & bit))
            continue;
        if (value & bit) {
            add_text(text, "%s%s", between, values->labels[label]);
            between = "|";
        }
        label++;
    }
}

static void add_integer(kifu__text *text, const kifu__member *member, uint64_t value)
{
    const kifu__enum *values = member->values;
    size_t start = text->used;
    if (member->scalar == KIFU__BOOL && value <= 1) {
        add_text(text, value ? "true" : "false");
        return;
    }
    if (values && values->labels && values->bit_flags)
        add_bits(text, values, value);
    else if (values && values->labels) {
        const char *label = kifu__label_of(values, value);
        add_text(text, "%s", label ? label : "");
    }
    bool named = text->used > start;
    int64_t number;
    memcpy(&number, &value, sizeof number);
    const char *begin = named ? " (" : "", *end = named ? ")" : "";
    if (kifu__is_signed(member->scalar))
        add_text(text, "%s%lld%s", begin, (long long)number, end);
    else
        add_text(text, "%s%llu%s", begin, (unsigned long long)value, end);
}

static void describe_value(const kifu__member *member, const unsigned char *bytes, char *room, size_t size)
{
    kifu__text text = {.at = room, .size = size};
    if (member->scalar == KIFU__F32) {
        float value;
        memcpy(&value, bytes, sizeof value);
        add_text(&text, "%.9g", (double)value);
    } else if (member->scalar == KIFU__F64) {
        double value;
        memcpy(&value, bytes, sizeof value);
        add_text(&text, "%.17g", value);
    } else
        add_integer(&text, member, kifu__read_integer(bytes, member->size, kifu__is_signed(member->scalar)));
}

// Values that differ and read the same (two NaNs) are told apart by their bits.
static void tell_apart(const kifu__member *member, const unsigned char *bytes, char *room, size_t size)
{
    kifu__text text = {.at = room, .size = size, .used = strlen(room)};
    add_text(&text, " (0x%0*llx)", (int)member->size * 2,
             (unsigned long long)kifu__read_integer(bytes, member->size, false));
}

static const kifu__member *member_at(const kifu__struct *structure, uint32_t offset)
{
    for (uint32_t i = 0; i < structure->member_count; i++) {
        const kifu__member *member = &structure->members[i];
        uint32_t size = member->size * (member->count ? member->count : 1);
        if (offset >= member->offset && offset - member->offset < size)
            return member;
    }
    return NULL;
}

// The first byte that differs, or `size`.
static uint32_t first_difference(const unsigned char *expected, const unsigned char *actual, uint32_t size)
{
    uint32_t byte = 0;
    while (byte < size && expected[byte] == actual[byte])
        byte++;
    return byte;
}

// What is at `byte`.
static void describe_at(const kifu__struct *structure, const unsigned char *expected, const unsigned char *actual,
                        uint32_t byte, kifu_difference *difference)
{
    kifu__text field = {.at = difference->field, .size = sizeof difference->field};
    uint32_t start = 0; // of the structure, then of the value
    const kifu__member *member = NULL;
    while (structure && (member = member_at(structure, byte - start)) != NULL) {
        uint32_t index = (byte - start - member->offset) / member->size;
        add_text(&field, "%s%s", field.used ? "." : "", member->name);
        if (member->count)
            add_text(&field, "[%u]", (unsigned)index);
        start += member->offset + index * member->size;
        structure = member->structure;
    }
    if (!member) {
        field.used = 0;
        add_text(&field, "padding at byte %u", (unsigned)byte);
        snprintf(difference->expected, sizeof difference->expected, "0x%02x", expected[byte]);
        snprintf(difference->actual, sizeof difference->actual, "0x%02x", actual[byte]);
        return;
    }
    describe_value(member, expected + start, difference->expected, sizeof difference->expected);
    describe_value(member, actual + start, difference->actual, sizeof difference->actual);
    if (strcmp(difference->expected, difference->actual) == 0) {
        tell_apart(member, expected + start, difference->expected, sizeof difference->expected);
        tell_apart(member, actual + start, difference->actual, sizeof difference->actual);
    }
}

bool kifu__describe_difference(const kifu_rules *rules, const unsigned char *expected, const unsigned char *actual,
                               kifu_difference *difference)
{
    difference->field[0] = difference->expected[0] = difference->actual[0] = '\0';
    const uint32_t byte = first_difference(expected, actual, rules->state_size);
    if (byte < rules->state_size)
        describe_at(rules->state, expected, actual, byte, difference);
    return byte < rules->state_size;
}

// The inline field that the byte at `offset` belongs to; NULL: something that a reference leads to.
static const kifu__field *field_at(const kifu__table *table, uint32_t offset)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const kifu__field *field = &table->fields[i];
        const bool is_inline = field->kind == KIFU__SCALAR || field->kind == KIFU__STRUCT;
        if (!field->offset || !is_inline)
            continue;
        if ((offset >= field->offset && offset - field->offset < field->size) || (field->has && offset == field->has))
            return field;
    }
    return NULL;
}

bool kifu__describe_blobs(const kifu__table *table, const unsigned char *expected, const unsigned char *actual,
                          uint32_t size, kifu_difference *difference)
{
    const uint32_t byte = first_difference(expected, actual, size);
    const kifu__field *field = byte < size ? field_at(table, byte) : NULL;
    if (!field)
        return false;
    const kifu__member member = {.name = field->name,
                                 .offset = field->offset,
                                 .size = field->size,
                                 .scalar = field->scalar,
                                 .values = field->values,
                                 .structure = field->structure};
    const kifu__struct inline_part = {.members = &member, .member_count = 1};
    describe_at(&inline_part, expected, actual, byte == field->has ? field->offset : byte, difference);
    if (!field->has || expected[field->has] == actual[field->has])
        return true;
    describe_value(&member, expected + field->offset, difference->expected, sizeof difference->expected);
    describe_value(&member, actual + field->offset, difference->actual, sizeof difference->actual);
    char *absent = expected[field->has] ? difference->actual : difference->expected;
    memcpy(absent, "null", sizeof "null");
    return true;
}
