// What events and states say, in the words of their schema.

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "any_game.h"

enum { MOST = 200 }; // Characters of a path.

static void tell_label(const kifu__enum *values, uint64_t bits)
{
    uint32_t label = 0;
    if (values->bit_flags) {
        for (uint32_t bit = 0; bit < 64; bit++) {
            if (values->mask >> bit & 1 && bits >> bit & 1)
                printf(" %s", values->labels[label]);
            label += values->mask >> bit & 1;
        }
        return;
    }
    while (values->values && label < values->value_count && (uint64_t)values->values[label] != bits)
        label++;
    if (!values->values)
        label = (uint32_t)(bits - (uint64_t)values->low);
    if (label < values->label_count)
        printf(" %s", values->labels[label]);
    else
        printf(" %" PRIu64, bits);
}

static void tell_scalar(const char *path, const unsigned char *place, uint32_t size, uint8_t scalar,
                        const kifu__enum *values)
{
    uint64_t bits = 0;
    memcpy(&bits, place, size);
    const bool is_signed = scalar == KIFU__I8 || scalar == KIFU__I16 || scalar == KIFU__I32 || scalar == KIFU__I64;
    if (is_signed && size < 8 && bits >> (8 * size - 1))
        bits |= UINT64_MAX << 8 * size;
    double real;
    float narrow;
    memcpy(&real, &bits, sizeof real);
    memcpy(&narrow, &bits, sizeof narrow);
    printf("%s =", path);
    if (values && values->labels)
        tell_label(values, bits);
    else if (scalar == KIFU__F64 || scalar == KIFU__F32)
        printf(" %.9g", scalar == KIFU__F64 ? real : (double)narrow);
    else if (scalar == KIFU__BOOL)
        printf(bits ? " true" : " false");
    else if (is_signed)
        printf(" %" PRId64, (int64_t)bits);
    else
        printf(" %" PRIu64, bits);
    putchar('\n');
}

static void tell_struct(const char *path, const unsigned char *place, const kifu__struct *structure)
{
    printf("%s = struct %s\n", path, structure->name);
    for (uint32_t i = 0; i < structure->member_count; i++) {
        const kifu__member *member = &structure->members[i];
        for (uint32_t k = 0; k < (member->count ? member->count : 1); k++) {
            char inner[MOST];
            const unsigned char *each = place + member->offset + k * member->size;
            snprintf(inner, sizeof inner, member->count ? "%.99s.%.50s[%u]" : "%.99s.%.50s", path, member->name,
                     (unsigned)k);
            if (member->structure)
                tell_struct(inner, each, member->structure);
            else
                tell_scalar(inner, each, member->size, member->scalar, member->values);
        }
    }
}

static void tell_table(const char *path, const unsigned char *place, const kifu__table *table);

// What a reference of a vector of these leads to, or one element of any other.
static void tell_element(const char *path, const unsigned char *place, const kifu__field *field)
{
    const kifu_ref *ref = (const kifu_ref *)(const void *)place;
    if (field->kind == KIFU__STRING || field->kind == KIFU__STRING_VECTOR)
        printf("%s = \"%s\"\n", path, (const char *)kifu__elements(ref));
    else if (field->kind == KIFU__TABLE || field->kind == KIFU__TABLE_VECTOR)
        tell_table(path, kifu__follow(ref), field->table);
    else if (field->structure)
        tell_struct(path, place, field->structure);
    else
        tell_scalar(path, place, field->size, field->scalar, field->values);
}

static void tell_vector(const char *path, const kifu_ref *ref, const kifu__field *field)
{
    const unsigned char *first = kifu__elements(ref);
    const uint32_t size = field->kind == KIFU__VECTOR ? field->size : sizeof *ref;
    for (uint32_t k = 0; k < kifu__length(ref); k++) {
        char inner[MOST];
        snprintf(inner, sizeof inner, "%.150s[%u]", path, (unsigned)k);
        tell_element(inner, first + k * size, field);
    }
}

static void tell_table(const char *path, const unsigned char *place, const kifu__table *table)
{
    printf("%s = table %s\n", path, table->name);
    for (uint32_t id = 0; id < table->field_count; id++) {
        const kifu__field *field = &table->fields[id];
        if (!field->offset || (field->has && !place[field->has]))
            continue;
        char inner[MOST];
        const unsigned char *value = place + field->offset;
        const kifu_ref *ref = (const kifu_ref *)(const void *)value;
        const bool reference = field->kind != KIFU__SCALAR && field->kind != KIFU__STRUCT;
        snprintf(inner, sizeof inner, "%.99s.%.50s", path, field->name);
        if (reference && !ref->offset)
            continue;
        if (field->kind == KIFU__VECTOR || field->kind == KIFU__STRING_VECTOR || field->kind == KIFU__TABLE_VECTOR)
            tell_vector(inner, ref, field);
        else
            tell_element(inner, value, field);
    }
}

void tell_event(const char *stage, uint32_t number, const kifu_event *event)
{
    static const char *const names[] = {"undoable", "continue_undo", "?", "random", "reveals", "unless_random"};
    char path[MOST];
    snprintf(path, sizeof path, "%s %u %s", stage, (unsigned)number, event->name);
    tell_table(path, event->table, game_rules->types[event->type].table);
    printf("%s player = %d\n%s id = %u\n%s flags =", path, event->player, path, (unsigned)event->type, path);
    for (uint32_t bit = 0; bit < sizeof names / sizeof *names; bit++) {
        if (event->flags >> bit & 1)
            printf(" %s", names[bit]);
    }
    printf("\n%s cause = %d\n%s rules_version = %u\n", path, event->cause == KIFU_NONE ? -1 : (int)event->cause, path,
           (unsigned)event->rules_version);
}

void tell_state(const char *stage, const kifu_timeline *timeline)
{
    char path[MOST];
    snprintf(path, sizeof path, "%s state", stage);
    tell_struct(path, kifu_state(timeline), game_rules->state);
}
