// Hidden values that change places: those of the elements of an array, with all that is hidden in each; and those of
// fields outside of arrays, with others of the same type, or else with what was there before.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

enum { MOST_PARTS = 32, MOST_ARRAYS = 16 };

// --- What can be exchanged ------------------------------------------------------------------------------------------

// A hidden or secret field of the elements of a row.
typedef struct part {
    uint32_t at, size; // Of the first element, in the state.
    uint32_t first;    // Number of its first value;
    uint32_t values;   // so many has one element. 0: it is secret.
} part;

// Elements of an array, whose values can be exchanged.
typedef struct row {
    uint32_t start, stride, count;
    bool pool;
    char name[80];
    uint32_t part_count;
    part parts[MOST_PARTS];
} row;

typedef struct rows {
    row *items;
    uint32_t count, room;
} rows;

typedef struct array {
    uint32_t at, count, stride;
    bool pool;
} array;

// The arrays on the way to a field, and whether the field is one of them; `*last`: the field.
static uint32_t find_arrays(const kifu_rules *rules, const kifu__hidden_field *field, array *arrays, bool *own,
                            const kifu__member **last)
{
    const kifu__struct *in = rules->state;
    const char *name = field->field;
    uint32_t at = 0, count = 0;
    *own = false;
    while (in) {
        const size_t length = strcspn(name, ".");
        const kifu__member *member = in->members, *end = member + in->member_count;
        while (member < end && (strncmp(member->name, name, length) != 0 || member->name[length]))
            member++;
        if (member == end || count == MOST_ARRAYS)
            abort();
        at += member->offset;
        if (member->count)
            arrays[count++] = (array){at, member->count, member->size, member->pool};
        *own = member->count && !name[length];
        *last = member;
        in = name[length] ? member->structure : NULL;
        name += length + 1;
    }
    return count;
}

static row *row_at(rows *rows, uint32_t start, const array *inner, const char *name)
{
    for (uint32_t i = 0; i < rows->count; i++) {
        if (rows->items[i].start == start && rows->items[i].stride == inner->stride)
            return &rows->items[i];
    }
    rows->items = kifu_fuzz__grow(rows->items, &rows->room, rows->count + 1, sizeof *rows->items);
    row *row = &rows->items[rows->count++];
    *row = (struct row){.start = start, .stride = inner->stride, .count = inner->count, .pool = inner->pool};
    snprintf(row->name, sizeof row->name, "%.*s", (int)(strlen(name) < 79 ? strlen(name) : 79), name);
    return row;
}

static void add_field(rows *rows, const kifu_rules *rules, const kifu__hidden_field *field)
{
    array arrays[MOST_ARRAYS];
    const kifu__member *last;
    bool own;
    const uint32_t all = find_arrays(rules, field, arrays, &own, &last);
    own = own && all > 1; // An array of its own: its elements are the row.
    const uint32_t count = all - own;
    if (!count)
        return;
    const array *inner = &arrays[count - 1];
    const uint32_t values = own ? arrays[count].count : 1;
    uint32_t outside = 1;
    for (uint32_t i = 0; i + 1 < count; i++)
        outside *= arrays[i].count;
    for (uint32_t number = 0; number < outside; number++) {
        uint32_t shift = 0;
        for (uint32_t i = count - 1, left = number; i-- > 0; left /= arrays[i].count)
            shift += left % arrays[i].count * arrays[i].stride;
        row *row = row_at(rows, inner->at + shift, inner, field->field);
        if (row->part_count == MOST_PARTS)
            abort();
        row->parts[row->part_count++] = (part){.at = field->offset + shift,
                                               .size = field->size * values,
                                               .first = field->first + number * inner->count * values,
                                               .values = field->secret ? 0 : values};
    }
}

static bool has_bit(const uint64_t *bits, uint32_t number)
{
    return bits[number / 64] >> number % 64 & 1;
}

// Whether something of an element is among the values.
static bool has_any(const row *row, uint32_t element, const uint64_t *bits)
{
    for (uint32_t i = 0; i < row->part_count; i++) {
        const part *part = &row->parts[i];
        for (uint32_t value = 0; value < part->values; value++) {
            if (has_bit(bits, part->first + element * part->values + value))
                return true;
        }
    }
    return false;
}

static bool is_hidden(const row *row, uint32_t element, const uint64_t *seen, const unsigned char *state)
{
    uint16_t generation = 1;
    bool any = false;
    if (row->pool) // A free slot has no values.
        memcpy(&generation, state + row->start + (size_t)element * row->stride, sizeof generation);
    for (uint32_t i = 0; i < row->part_count; i++)
        any |= row->parts[i].values > 0;
    return any && generation % 2 && !has_any(row, element, seen);
}

// --- Exchanging it --------------------------------------------------------------------------------------------------

// The elements of a row that may be exchanged change places with each other. Returns how many are another one then.
static uint32_t exchange_row(const row *row, kifu_rng *rng, const uint64_t *seen, const unsigned char *old,
                             unsigned char *state, uint64_t *moved, char *first, size_t size)
{
    uint32_t *places = malloc(2 * (size_t)row->count * sizeof *places), *from = places + row->count, count = 0,
             others = 0;
    if (!places)
        abort();
    for (uint32_t element = 0; element < row->count; element++) {
        if (is_hidden(row, element, seen, old))
            places[count] = from[count] = element, count++;
    }
    for (uint32_t left = count; left > 1; left--) {
        const uint32_t chosen = kifu_rng_below(rng, left), other = from[chosen];
        from[chosen] = from[left - 1];
        from[left - 1] = other;
    }
    for (uint32_t k = 0; k < count; k++) {
        bool differs = false;
        for (uint32_t p = 0; p < row->part_count; p++) {
            const part *part = &row->parts[p];
            unsigned char *to = state + part->at + (size_t)places[k] * row->stride;
            memcpy(to, old + part->at + (size_t)from[k] * row->stride, part->size);
            differs |= memcmp(to, old + part->at + (size_t)places[k] * row->stride, part->size) != 0;
            for (uint32_t value = 0; value < part->values; value++) {
                const uint32_t number = part->first + places[k] * part->values + value;
                moved[number / 64] |= UINT64_C(1) << number % 64;
            }
        }
        if (differs && !others++ && !*first)
            snprintf(first, size, "%s of [%" PRIu32 "] is that of [%" PRIu32 "]", row->name, places[k], from[k]);
    }
    free(places);
    return others;
}

// --- Fields outside of arrays ---------------------------------------------------------------------------------------

// The type of an unseen one; NULL: it is none. What is secret stays, because random numbers lead to what is seen.
static const kifu__member *find_lone(const kifu_rules *rules, uint32_t index, const uint64_t *seen)
{
    const kifu__hidden_field *field = &rules->hiding->fields[index];
    array arrays[MOST_ARRAYS];
    const kifu__member *last;
    bool own;
    return field->secret || find_arrays(rules, field, arrays, &own, &last) || has_bit(seen, field->first) ? NULL : last;
}

static bool is_same_type(const kifu__member *one, const kifu__member *other)
{
    return one->size == other->size && one->structure == other->structure && one->values == other->values &&
           (one->structure || one->scalar == other->scalar);
}

// One of the fields from `index` on that have its type. `*others`: how many more there are in all.
static uint32_t choose_partner(const kifu_rules *rules, uint32_t index, kifu_rng *rng, const uint64_t *seen,
                               const kifu__member *type, uint32_t *others)
{
    uint32_t chosen = index, behind = 1;
    *others = 0;
    for (uint32_t i = 0; i < rules->hiding->field_count; i++) {
        const kifu__member *other = i == index ? NULL : find_lone(rules, i, seen);
        if (!other || !is_same_type(type, other))
            continue;
        ++*others;
        if (i > index && !kifu_rng_below(rng, ++behind))
            chosen = i;
    }
    return chosen;
}

static uint32_t exchange_lone(const kifu_rules *rules, uint32_t index, kifu_rng *rng, const uint64_t *seen,
                              const unsigned char *before, unsigned char *state, uint64_t *moved, char *first,
                              size_t size)
{
    const kifu__hidden_field *field = &rules->hiding->fields[index];
    const kifu__member *type = find_lone(rules, index, seen);
    uint32_t others;
    if (!type)
        return 0;
    const uint32_t partner = choose_partner(rules, index, rng, seen, type, &others);
    const kifu__hidden_field *other = &rules->hiding->fields[partner];
    unsigned char *one = state + field->offset, *two = state + other->offset;
    const bool goes_back = !others && before;
    if (!memcmp(one, goes_back ? before + field->offset : two, field->size))
        return 0;
    for (uint32_t i = 0; i < field->size && !goes_back; i++) {
        const unsigned char byte = one[i];
        one[i] = two[i];
        two[i] = byte;
    }
    if (goes_back)
        memcpy(one, before + field->offset, field->size);
    moved[field->first / 64] |= UINT64_C(1) << field->first % 64;
    moved[other->first / 64] |= UINT64_C(1) << other->first % 64;
    if (!*first)
        snprintf(first, size, goes_back ? "%.60s is what it was before" : "%.60s is that of %.60s", field->field,
                 other->field);
    return 1;
}

uint32_t kifu_fuzz__exchange(const kifu_rules *rules, kifu_rng *rng, const uint64_t *seen, const unsigned char *before,
                             unsigned char *state, uint64_t *moved, char *first, size_t size)
{
    rows rows = {.items = NULL};
    uint32_t others = 0;
    unsigned char *old = malloc(rules->state_size);
    if (!old)
        abort();
    memcpy(old, state, rules->state_size);
    first[0] = '\0';
    for (uint32_t i = 0; i < rules->hiding->field_count; i++)
        add_field(&rows, rules, &rules->hiding->fields[i]);
    for (uint32_t i = 0; i < rows.count; i++)
        others += exchange_row(&rows.items[i], rng, seen, old, state, moved, first, size);
    for (uint32_t i = 0; i < rules->hiding->field_count; i++)
        others += exchange_lone(rules, i, rng, seen, before, state, moved, first, size);
    free(rows.items);
    free(old);
    return others;
}
