// Events of any type, filled with values that a mistake would change.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "any_game.h"

enum { SMALL, LEAST, LARGE };

typedef struct filling {
    kifu_timeline *timeline;
    uint32_t round;
} filling;

// Different ones for different fields, so that an exchange shows.
static uint32_t number_of(const char *name)
{
    uint32_t sum = 0;
    for (; *name; name++)
        sum = sum * 31 + (unsigned char)*name;
    return 1 + sum % 7;
}

static void write_float(const filling *filling, unsigned char *place, uint32_t size, uint32_t number)
{
    const double value = filling->round == LARGE ? -1e20 * number : number + 0.5;
    const float narrow = (float)value;
    memcpy(place, size == sizeof value ? (const void *)&value : (const void *)&narrow, size);
}

static uint64_t enum_value(const filling *filling, const kifu__enum *values, uint32_t number)
{
    if (values->bit_flags)
        return filling->round == LARGE ? values->mask : values->mask & (0 - values->mask);
    const uint64_t range = values->values ? values->value_count : (uint64_t)(values->high - values->low) + 1;
    const uint64_t index = filling->round == LARGE ? range - 1 : number % range;
    return values->values ? (uint64_t)values->values[index] : (uint64_t)values->low + index;
}

static void write_scalar(const filling *filling, unsigned char *place, uint32_t size, uint8_t scalar,
                         const kifu__enum *values, uint32_t number)
{
    uint64_t bits = filling->round == LARGE ? ~(uint64_t)number : number;
    if (values)
        bits = enum_value(filling, values, number);
    if (!values && (scalar == KIFU__F32 || scalar == KIFU__F64))
        write_float(filling, place, size, number);
    else
        memcpy(place, &bits, size);
}

static void write_struct(const filling *filling, unsigned char *place, const kifu__struct *structure)
{
    for (uint32_t i = 0; i < structure->member_count; i++) {
        const kifu__member *member = &structure->members[i];
        for (uint32_t k = 0; k < (member->count ? member->count : 1); k++) {
            unsigned char *each = place + member->offset + k * member->size;
            if (member->structure)
                write_struct(filling, each, member->structure);
            else
                write_scalar(filling, each, member->size, member->scalar, member->values, number_of(member->name) + k);
        }
    }
}

static void write_element(const filling *filling, unsigned char *place, const kifu__field *field, uint32_t k)
{
    if (field->structure)
        write_struct(filling, place, field->structure);
    else
        write_scalar(filling, place, field->size, field->scalar, field->values, number_of(field->name) + k);
}

// The inline part: scalars and structs.
static unsigned char *new_table(const filling *filling, const kifu__table *table)
{
    unsigned char *place = calloc(1, table->size);
    if (!place)
        abort();
    for (uint32_t id = 0; id < table->field_count; id++) {
        const kifu__field *field = &table->fields[id];
        if (!field->offset || (field->kind != KIFU__SCALAR && field->kind != KIFU__STRUCT))
            continue;
        const bool absent = filling->round == LEAST && field->has;
        if (field->has)
            place[field->has] = !absent;
        if (filling->round == LEAST && field->kind == KIFU__SCALAR)
            memcpy(place + field->offset, &field->default_bits, field->size);
        else
            write_element(filling, place + field->offset, field, 0);
    }
    return place;
}

static void add_children(const filling *filling, const kifu__table *table, uint32_t at);

static void add_table(const filling *filling, const kifu__table *table, uint32_t ref)
{
    unsigned char *place = new_table(filling, table);
    const uint32_t at = kifu__submit_table(filling->timeline, ref, place, table->size, table->align);
    free(place);
    if (at)
        add_children(filling, table, at);
}

static void add_vector(const filling *filling, const kifu__field *field, uint32_t ref)
{
    enum { COUNT = 2 };
    unsigned char *elements = calloc(COUNT, field->size);
    if (!elements)
        abort();
    for (uint32_t k = 0; k < COUNT; k++)
        write_element(filling, elements + k * field->size, field, k);
    kifu__submit_vector(filling->timeline, ref, elements, COUNT, field->size, field->align);
    free(elements);
}

static void add_child(const filling *filling, const kifu__field *field, uint32_t ref)
{
    if (field->kind == KIFU__STRING) {
        char text[20];
        snprintf(text, sizeof text, "text %u", (unsigned)number_of(field->name));
        kifu__submit_string(filling->timeline, ref, text);
    } else if (field->kind == KIFU__TABLE) {
        add_table(filling, field->table, ref);
    } else if (field->kind == KIFU__VECTOR) {
        add_vector(filling, field, ref);
    } else {
        const uint32_t first = kifu__submit_references(filling->timeline, ref, 2);
        for (uint32_t k = 0; first && k < 2; k++) {
            if (field->table)
                add_table(filling, field->table, first + 4 * k);
            else
                kifu__submit_string(filling->timeline, first + 4 * k, k ? "second" : "first");
        }
    }
}

static void add_children(const filling *filling, const kifu__table *table, uint32_t at)
{
    for (uint32_t id = 0; id < table->field_count; id++) {
        const kifu__field *field = &table->fields[id];
        const bool reference = field->kind != KIFU__SCALAR && field->kind != KIFU__STRUCT;
        if (field->offset && reference && (field->required || filling->round != LEAST))
            add_child(filling, field, at + field->offset);
    }
}

kifu_ticket any_submit(kifu_timeline *timeline, uint32_t type, int player, uint32_t round)
{
    const filling filling = {timeline, round};
    const kifu__table *table = kifu_timeline_rules(timeline)->types[type].table;
    unsigned char *place = new_table(&filling, table);
    kifu__submit_begin(timeline, type, player, place, table->size);
    add_children(&filling, table, 0);
    free(place);
    return kifu__submit_end(timeline);
}
