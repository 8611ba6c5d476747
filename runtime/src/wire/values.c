// Values of enums and bools: the only place that checks them.
//
// A proposal has no vtables yet, and generated code built it, so only its values, required fields and depth are looked
// at. Verifying it as if it came from a file would link the verifier, 2.5 KB, into games without saves.

#include <kifu/standard.h>
#include <stdio.h>

#include "wire/buffer.h"

bool kifu__is_signed(uint8_t scalar)
{
    return scalar == KIFU__I8 || scalar == KIFU__I16 || scalar == KIFU__I32 || scalar == KIFU__I64;
}

uint64_t kifu__read_integer(const unsigned char *bytes, uint32_t size, bool is_signed)
{
    switch (size) {
    case 1:
        return is_signed ? (uint64_t)(int64_t)(int8_t)*bytes : *bytes;
    case 2:
        return is_signed ? (uint64_t)(int64_t)(int16_t)kifu__load16(bytes) : kifu__load16(bytes);
    case 4:
        return is_signed ? (uint64_t)(int64_t)(int32_t)kifu__load32(bytes) : kifu__load32(bytes);
    default:
        return kifu__load64(bytes);
    }
}

uint64_t kifu__read_scalar(const unsigned char *bytes, uint8_t scalar)
{
    static const uint8_t sizes[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
    return kifu__read_integer(bytes, sizes[scalar], kifu__is_signed(scalar));
}

static uint64_t load_value(const kifu__enum *values, const unsigned char *bytes)
{
    return kifu__read_integer(bytes, values->size, values->is_signed);
}

const char *kifu__label_of(const kifu__enum *values, uint64_t value)
{
    uint64_t bit = 1;
    for (uint32_t i = 0; i < values->label_count; i++, bit <<= 1) {
        while (values->bit_flags && !(values->mask & bit))
            bit <<= 1;
        const uint64_t there = values->bit_flags ? bit
                               : values->values  ? (uint64_t)values->values[i]
                                                 : (uint64_t)values->low + i;
        if (there == value)
            return values->labels[i];
    }
    return NULL;
}

// Distances from the lowest value, modulo 2^64, are in order whether the values are signed or not.
static bool is_known(const kifu__enum *values, uint64_t value)
{
    if (values->bit_flags)
        return !(value & ~values->mask);
    uint64_t low = (uint64_t)values->low;
    if (value - low > (uint64_t)values->high - low)
        return false;
    if (!values->values)
        return true;
    uint32_t first = 0, behind = values->value_count;
    while (first < behind) {
        uint32_t middle = first + (behind - first) / 2;
        uint64_t there = (uint64_t)values->values[middle];
        if (there == value)
            return true;
        if (there - low < value - low)
            first = middle + 1;
        else
            behind = middle;
    }
    return false;
}

// A row of bytes with no holes in their range: what most are. One alone, or many, in a loop that compilers make wide.
static bool bytes_hold(const kifu__enum *values, const unsigned char *bytes, uint32_t count)
{
    unsigned char low = (unsigned char)values->low;
    unsigned char range = (unsigned char)(values->high - values->low);
    unsigned bad = 0;
    if (count == 1)
        return (unsigned char)(*bytes - low) <= range;
    for (uint32_t i = 0; i < count; i++)
        bad |= (unsigned char)(bytes[i] - low) > range;
    return !bad;
}

// Whether all of `count` values, `stride` bytes apart, are what they may be. Otherwise `*bad` is the first that is not.
static bool are_known(const kifu__enum *values, const unsigned char *bytes, uint32_t count, uint32_t stride,
                      uint32_t *bad)
{
    if (KIFU__QUICK && values->size == 1 && stride == 1 && !values->bit_flags && !values->values &&
        bytes_hold(values, bytes, count))
        return true;
    for (*bad = 0; *bad < count; ++*bad) {
        if (!is_known(values, load_value(values, bytes + (size_t)*bad * stride)))
            return false;
    }
    return true;
}

static void describe_bad_value(kifu__failure *failure, const kifu__enum *values, const unsigned char *bytes)
{
    uint64_t value = load_value(values, bytes);
    failure->path[0] = 0;
    char *text = failure->reason;
    size_t size = sizeof failure->reason;
    if (values->bit_flags)
        snprintf(text, size, "value 0x%llx has bits that are not in enum %s", (unsigned long long)value, values->name);
    else if (values->is_signed)
        snprintf(text, size, "value %lld is not in enum %s", (long long)value, values->name);
    else if (!strcmp(values->name, "bool"))
        snprintf(text, size, "value %llu is not a bool, 0 or 1", (unsigned long long)value);
    else
        snprintf(text, size, "value %llu is not in enum %s", (unsigned long long)value, values->name);
}

bool kifu__checks_hold(const kifu__check *checks, uint32_t count, const unsigned char *bytes, kifu__failure *failure)
{
    uint32_t bad;
    for (uint32_t i = 0; i < count; i++) {
        const kifu__check *check = &checks[i];
        const unsigned char *first = bytes + check->offset;
        if (are_known(check->values, first, check->count, check->stride, &bad))
            continue;
        if (!failure)
            return false;
        describe_bad_value(failure, check->values, first + (size_t)bad * check->stride);
        if (check->count > 1)
            kifu__in_element(failure, bad);
        return kifu__in_field(failure, check->field);
    }
    return true;
}

// The members that have bytes from `from` to before `to`.
static bool struct_holds(const kifu__struct *structure, const unsigned char *bytes, uint32_t from, uint32_t to)
{
    static const kifu__enum bools = {.size = 1, .high = 1};
    uint32_t bad;
    for (const kifu__member *member = structure->members; member < structure->members + structure->member_count;
         member++) {
        const uint32_t begin = member->offset, end = begin + member->size * (member->count ? member->count : 1);
        const kifu__enum *values = member->scalar == KIFU__BOOL ? &bools : member->values;
        if ((!values && !member->structure) || end <= from || begin >= to)
            continue;
        uint32_t first = from > begin ? (from - begin) / member->size : 0;
        const uint32_t behind = ((to < end ? to : end) - begin + member->size - 1) / member->size;
        if (!member->structure &&
            !are_known(values, bytes + begin + (size_t)first * member->size, behind - first, member->size, &bad))
            return false;
        for (; member->structure && first < behind; first++) {
            const uint32_t at = begin + first * member->size;
            if (!struct_holds(member->structure, bytes + at, from > at ? from - at : 0, to - at))
                return false;
        }
    }
    return true;
}

bool kifu__struct_holds(const kifu__struct *structure, const unsigned char *bytes)
{
    return struct_holds(structure, bytes, 0, structure->size);
}

bool kifu__state_holds(const kifu_rules *rules, const unsigned char *state, uint32_t from, uint32_t to)
{
    kifu_game game;
    memcpy(&game, state, sizeof game);
    bool sound = game.player_count <= KIFU_MAX_PLAYERS && game.turn < (game.player_count ? game.player_count : 1) &&
                 (!game.rng.increment || game.rng.increment & 1); // an even one may repeat one number for ever
    for (uint32_t i = 0; i < KIFU_MAX_PLAYERS; i++)
        sound = sound && game.order[i] < KIFU_MAX_PLAYERS;
    return sound && struct_holds(rules->state, state, from, to);
}

bool kifu__elements_hold(const kifu__field *field, const unsigned char *bytes, uint32_t count, uint32_t *bad,
                         kifu__failure *failure)
{
    if (field->values && !are_known(field->values, bytes, count, field->size, bad)) {
        describe_bad_value(failure, field->values, bytes + (size_t)*bad * field->size);
        return false;
    }
    const kifu__struct *structure = field->structure;
    for (*bad = 0; structure && *bad < count; ++*bad) {
        if (!kifu__checks_hold(structure->checks, structure->check_count, bytes + (size_t)*bad * field->size, failure))
            return false;
    }
    return true;
}

// What does not fit is cut off at the far end: the beginning of a path says more.
static void prepend(kifu__failure *failure, const char *step)
{
    char path[sizeof failure->path];
    const char *dot = failure->path[0] && failure->path[0] != '[' ? "." : "";
    if (snprintf(path, sizeof path, "%s%s%s", step, dot, failure->path) < 0)
        return;
    memcpy(failure->path, path, sizeof path);
}

bool kifu__in_field(kifu__failure *failure, const char *field)
{
    if (field) // Those of wire/schema.c have no names.
        prepend(failure, field);
    return false;
}

bool kifu__in_element(kifu__failure *failure, uint32_t index)
{
    char step[16];
    snprintf(step, sizeof step, "[%u]", (unsigned)index);
    prepend(failure, step);
    return false;
}
