// Two values, each by its own description: what both have is compared, by name.

#include <inttypes.h>
#include <stdio.h>

#include "text/compare.h"
#include "text/print.h"
#include "wire/buffer.h"

bool kifu__differ(kifu_comparison *comparison, const char *field, const char *a, const char *b)
{
    snprintf(comparison->field, sizeof comparison->field, "%s", field);
    snprintf(comparison->a, sizeof comparison->a, "%s", a);
    snprintf(comparison->b, sizeof comparison->b, "%s", b);
    return false;
}

// --- The way to it ---------------------------------------------------------------------------------------------------

// Puts a step in front of `field`.
static bool in(kifu_comparison *comparison, const char *step)
{
    char path[sizeof comparison->field];
    const char *dot = comparison->field[0] && comparison->field[0] != '[' ? "." : "";
    if (snprintf(path, sizeof path, "%s%s%s", step, dot, comparison->field) >= 0)
        memcpy(comparison->field, path, sizeof path);
    return false;
}

static bool in_element(kifu_comparison *comparison, uint32_t index)
{
    char step[16];
    snprintf(step, sizeof step, "[%" PRIu32 "]", index);
    return in(comparison, step);
}

// --- The message -----------------------------------------------------------------------------------------------------

typedef struct text_room {
    char *at;
    size_t size, used;
} text_room;

// What does not fit is cut off, and dots say so.
static kifu_result write_to_text(void *context, const char *text, size_t size)
{
    text_room *room = context;
    const size_t left = room->size - 1 - room->used;
    const size_t now = size < left ? size : left;
    memcpy(room->at + room->used, text, now);
    room->used += now;
    room->at[room->used] = 0;
    if (now < size)
        memcpy(room->at + room->size - 4, "...", 4);
    return now < size ? KIFU_TOO_LARGE : KIFU_OK;
}

// A value, as `print` prints it.
typedef struct value {
    const kifu__member *member; // A member of a struct …
    const kifu__field *field;   // … or a field of a table …
    const unsigned char *owner; // … that is there; NULL: it is absent.
} value;

static void tell_value(const value *value, char *text, size_t size)
{
    text_room room = {.at = text, .size = size};
    kifu__printer printer = {.write = write_to_text, .context = &room, .plain = true};
    text[0] = 0;
    if (!value->owner)
        kifu__print(&printer, "absent");
    else if (value->member)
        kifu__print_member(&printer, value->member, value->owner);
    else
        kifu__print_field(&printer, value->field, value->owner);
    kifu__print_end(&printer);
}

static bool differ_in_value(kifu_comparison *comparison, const value *a, const value *b)
{
    comparison->field[0] = 0;
    tell_value(a, comparison->a, sizeof comparison->a);
    tell_value(b, comparison->b, sizeof comparison->b);
    return false;
}

// --- Inline ----------------------------------------------------------------------------------------------------------

static bool is_real(uint8_t scalar)
{
    return scalar == KIFU__F32 || scalar == KIFU__F64;
}

static double read_real(const kifu__member *member, const unsigned char *bytes)
{
    float small;
    double large;
    memcpy(&small, bytes, sizeof small);
    memcpy(&large, bytes, member->scalar == KIFU__F32 ? sizeof small : sizeof large);
    return member->scalar == KIFU__F32 ? (double)small : large;
}

// The values of an enum are compared by name, if both have one.
static bool same_scalars(const kifu__member *type_a, const unsigned char *a, const kifu__member *type_b,
                         const unsigned char *b)
{
    if (type_a->scalar == type_b->scalar && type_a->values == type_b->values)
        return memcmp(a, b, type_a->size) == 0;
    if (is_real(type_a->scalar) || is_real(type_b->scalar))
        return type_a->scalar == type_b->scalar
                   ? memcmp(a, b, type_a->size) == 0
                   : is_real(type_a->scalar) && is_real(type_b->scalar) && read_real(type_a, a) == read_real(type_b, b);
    const uint64_t one = kifu__read_integer(a, type_a->size, kifu__is_signed(type_a->scalar));
    const uint64_t other = kifu__read_integer(b, type_b->size, kifu__is_signed(type_b->scalar));
    const char *label_a = type_a->values ? kifu__label_of(type_a->values, one) : NULL;
    const char *label_b = type_b->values ? kifu__label_of(type_b->values, other) : NULL;
    return label_a && label_b ? strcmp(label_a, label_b) == 0 : one == other;
}

// One element; `type_…` says nothing of an array then.
static bool same_ones(const kifu__member *type_a, const unsigned char *a, const kifu__member *type_b,
                      const unsigned char *b, kifu_comparison *comparison)
{
    if (type_a->structure && type_b->structure)
        return kifu__same_structs(type_a->structure, a, type_b->structure, b, comparison);
    if (!type_a->structure && !type_b->structure && same_scalars(type_a, a, type_b, b))
        return true;
    kifu__member one = *type_a, other = *type_b;
    one.offset = other.offset = one.count = other.count = 0;
    return differ_in_value(comparison, &(value){.member = &one, .owner = a}, &(value){.member = &other, .owner = b});
}

// Rows of elements. Where one is longer, the first element that the other lacks differs.
static bool same_rows(const kifu__member *type_a, const unsigned char *a, uint32_t count_a, const kifu__member *type_b,
                      const unsigned char *b, uint32_t count_b, kifu_comparison *comparison)
{
    const uint32_t both = count_a < count_b ? count_a : count_b;
    if (type_a->scalar == type_b->scalar && type_a->values == type_b->values &&
        type_a->structure == type_b->structure && count_a == count_b && !memcmp(a, b, (size_t)both * type_a->size))
        return true;
    for (uint32_t i = 0; i < both; i++) {
        if (!same_ones(type_a, a + (size_t)i * type_a->size, type_b, b + (size_t)i * type_b->size, comparison))
            return in_element(comparison, i);
    }
    if (count_a == count_b)
        return true;
    kifu__member one = *type_a, other = *type_b;
    one.offset = other.offset = one.count = other.count = 0;
    differ_in_value(comparison, &(value){.member = &one, .owner = count_a > both ? a + (size_t)both * one.size : NULL},
                    &(value){.member = &other, .owner = count_b > both ? b + (size_t)both * other.size : NULL});
    return in_element(comparison, both);
}

static const kifu__member *member_of(const kifu__struct *type, const char *name, uint32_t guess)
{
    if (guess < type->member_count && !strcmp(type->members[guess].name, name))
        return &type->members[guess];
    for (uint32_t i = 0; i < type->member_count; i++) {
        if (!strcmp(type->members[i].name, name))
            return &type->members[i];
    }
    return NULL;
}

bool kifu__same_structs(const kifu__struct *type_a, const unsigned char *a, const kifu__struct *type_b,
                        const unsigned char *b, kifu_comparison *comparison)
{
    for (uint32_t i = 0; i < type_a->member_count; i++) {
        const kifu__member *one = &type_a->members[i], *other = member_of(type_b, one->name, i);
        if (!other || !one->count != !other->count)
            continue;
        const unsigned char *from = a + one->offset, *with = b + other->offset;
        // An array whose size has changed from one version to another is compared as far as both go.
        const uint32_t least = one->count < other->count ? one->count : other->count;
        if (one->count ? !same_rows(one, from, least, other, with, least, comparison)
                       : !same_ones(one, from, other, with, comparison))
            return in(comparison, one->name);
    }
    return true;
}

// --- Tables ----------------------------------------------------------------------------------------------------------

static const unsigned char *follow_offset(const unsigned char *place)
{
    return place + kifu__load32(place);
}

static kifu__member kind_of(const kifu__field *field)
{
    return (kifu__member){
        .size = field->size, .scalar = field->scalar, .values = field->values, .structure = field->structure};
}

static bool same_strings(const unsigned char *a, const unsigned char *b)
{
    return kifu__load32(a) == kifu__load32(b) && memcmp(a + 4, b + 4, kifu__load32(a)) == 0;
}

// Vectors of strings or tables, which begin at `a` and `b`.
static bool same_references(const kifu__field *type_a, const unsigned char *a, const kifu__field *type_b,
                            const unsigned char *b, kifu_comparison *comparison)
{
    const uint32_t count_a = kifu__load32(a), count_b = kifu__load32(b);
    for (uint32_t i = 0; i < count_a && i < count_b; i++) {
        const unsigned char *one = follow_offset(a + 4 + 4 * (size_t)i), *other = follow_offset(b + 4 + 4 * (size_t)i);
        if (type_a->table) {
            if (!kifu__same_tables(type_a->table, one, type_b->table, other, comparison))
                return in_element(comparison, i);
        } else if (!same_strings(one, other)) {
            const kifu__field text = {.kind = KIFU__STRING, .offset = 0};
            differ_in_value(comparison, &(value){.field = &text, .owner = a + 4 + 4 * (size_t)i},
                            &(value){.field = &text, .owner = b + 4 + 4 * (size_t)i});
            return in_element(comparison, i);
        }
    }
    if (count_a == count_b)
        return true;
    char one[24], other[24];
    snprintf(one, sizeof one, "%" PRIu32 " elements", count_a);
    snprintf(other, sizeof other, "%" PRIu32 " elements", count_b);
    return kifu__differ(comparison, "", one, other);
}

static bool same_fields(const kifu__field *type_a, const unsigned char *a, const kifu__field *type_b,
                        const unsigned char *b, kifu_comparison *comparison)
{
    const bool there_a = kifu__is_there(type_a, a), there_b = kifu__is_there(type_b, b);
    const value one = {.field = type_a, .owner = there_a ? a : NULL};
    const value other = {.field = type_b, .owner = there_b ? b : NULL};
    if (!there_a && !there_b)
        return true;
    if (!there_a || !there_b || type_a->kind != type_b->kind)
        return differ_in_value(comparison, &one, &other);
    const kifu__member kind_a = kind_of(type_a), kind_b = kind_of(type_b);
    const unsigned char *from = a + type_a->offset, *with = b + type_b->offset;
    if (!kifu__is_reference(type_a))
        return same_ones(&kind_a, from, &kind_b, with, comparison);
    from = follow_offset(from);
    with = follow_offset(with);
    switch (type_a->kind) {
    case KIFU__TABLE:
        return kifu__same_tables(type_a->table, from, type_b->table, with, comparison);
    case KIFU__STRING:
        return same_strings(from, with) || differ_in_value(comparison, &one, &other);
    case KIFU__VECTOR:
        return same_rows(&kind_a, from + 4, kifu__load32(from), &kind_b, with + 4, kifu__load32(with), comparison);
    default:
        return same_references(type_a, from, type_b, with, comparison);
    }
}

static const kifu__field *field_of(const kifu__table *type, const char *name, uint32_t guess)
{
    if (guess < type->field_count && !strcmp(type->fields[guess].name, name))
        return &type->fields[guess];
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (!strcmp(type->fields[i].name, name))
            return &type->fields[i];
    }
    return NULL;
}

bool kifu__same_tables(const kifu__table *type_a, const unsigned char *a, const kifu__table *type_b,
                       const unsigned char *b, kifu_comparison *comparison)
{
    for (uint32_t id = 0; id < type_a->field_count; id++) {
        const kifu__field *one = &type_a->fields[id], *other = field_of(type_b, one->name, id);
        if (!other || !one->offset || !other->offset)
            continue;
        if (!same_fields(one, a, other, b, comparison))
            return in(comparison, one->name);
    }
    return true;
}

bool kifu__same_flags(uint8_t a, uint8_t b, kifu_comparison *comparison)
{
    const kifu__member member = {.size = 1, .scalar = KIFU__U8, .values = &kifu__mark_flags};
    if (same_ones(&member, &a, &member, &b, comparison))
        return true;
    return in(comparison, "flags");
}
