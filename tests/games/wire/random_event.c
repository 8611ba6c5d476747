#include "random_event.h"

#include <string.h>

typedef struct build {
    kifu_rng *rng;
    unsigned char *blob;
    uint32_t size;
    uint32_t depth;
} build;

static uint32_t below(build *build, uint32_t bound)
{
    return kifu_rng_below(build->rng, bound);
}

uint64_t random_value(kifu_rng *rng, const kifu__enum *values)
{
    uint64_t bits = (uint64_t)kifu_rng_next(rng) << 32; // Two statements: C does not say which side of | is first.
    bits |= kifu_rng_next(rng);
    if (values->bit_flags)
        return bits & values->mask;
    if (values->values)
        return (uint64_t)values->values[kifu_rng_below(rng, values->value_count)];
    return (uint64_t)values->low + bits % (uint64_t)(values->high - values->low + 1);
}

// Small whole numbers, so that one whose type is a float is exact in any notation. They have no type here: a float's
// field is told from an integer's by its default only, so both get bytes that are nothing special as either.
static void write_number(build *build, unsigned char *at, uint32_t size)
{
    uint64_t bits = 0;
    if (below(build, 8) == 0)
        bits = size == 8 ? UINT64_C(0x4059000000000000) : 0x42c80000; // 100.0
    else if (size < 4)
        bits = kifu_rng_next(build->rng);
    else if (below(build, 2))
        bits = size == 8 ? UINT64_C(0x3ff8000000000000) : 0x3fc00000; // 1.5
    memcpy(at, &bits, size);
}

static void write_checks(build *build, const kifu__struct *structure, unsigned char *at)
{
    for (uint32_t i = 0; i < structure->check_count; i++) {
        const kifu__check *check = &structure->checks[i];
        for (uint32_t j = 0; j < check->count; j++) {
            uint64_t value = random_value(build->rng, check->values);
            memcpy(at + check->offset + j * check->stride, &value, check->values->size);
        }
    }
}

// A scalar or struct.
static void write_value(build *build, const kifu__field *field, uint32_t at)
{
    unsigned char *place = build->blob + at;
    if (field->values) {
        uint64_t value = random_value(build->rng, field->values);
        memcpy(place, &value, field->values->size);
    } else if (field->structure) {
        // What no check covers is left zero: some of it is padding.
        write_checks(build, field->structure, place);
    } else {
        write_number(build, place, field->size);
    }
}

static uint32_t extend(build *build, uint32_t lead, uint32_t size, uint32_t align)
{
    uint32_t place = (build->size + lead + align - 1) & ~(align - 1);
    uint32_t end = (place + size + 3) & ~3u;
    memset(build->blob + build->size, 0, end - build->size);
    build->size = end;
    return place;
}

static void point(build *build, uint32_t ref, uint32_t target)
{
    uint32_t offset = target - ref;
    memcpy(build->blob + ref, &offset, sizeof offset);
}

static uint32_t add_vector(build *build, uint32_t ref, uint32_t count, uint32_t size, uint32_t align, uint32_t behind)
{
    uint32_t place = extend(build, 4, count * size + behind, align < 4 ? 4 : align);
    memcpy(build->blob + place - 4, &count, sizeof count);
    point(build, ref, place - 4);
    return place;
}

static void add_string(build *build, uint32_t ref)
{
    uint32_t length = below(build, 12);
    uint32_t place = add_vector(build, ref, length, 1, 4, 1);
    for (uint32_t i = 0; i < length; i++)
        build->blob[place + i] = (unsigned char)('a' + below(build, 26));
}

static void write_fields(build *build, const kifu__table *table, uint32_t at);

static void add_table(build *build, const kifu__table *table, uint32_t ref)
{
    uint32_t place = extend(build, 0, table->size, table->align);
    point(build, ref, place);
    build->depth++;
    write_fields(build, table, place);
    build->depth--;
}

static void add_reference(build *build, const kifu__field *field, uint32_t ref)
{
    uint32_t count = below(build, build->depth < 2 ? 5 : 2), place;
    switch (field->kind) {
    case KIFU__STRING:
        add_string(build, ref);
        return;
    case KIFU__TABLE:
        add_table(build, field->table, ref);
        return;
    case KIFU__VECTOR:
        place = add_vector(build, ref, count, field->size, field->align, 0);
        for (uint32_t i = 0; i < count; i++)
            write_value(build, field, place + i * field->size);
        return;
    default:
        place = add_vector(build, ref, count, 4, 4, 0);
        for (uint32_t i = 0; i < count; i++) {
            if (field->table)
                add_table(build, field->table, place + 4 * i);
            else
                add_string(build, place + 4 * i);
        }
    }
}

static void write_fields(build *build, const kifu__table *table, uint32_t at)
{
    for (uint32_t id = 0; id < table->field_count; id++) {
        const kifu__field *field = &table->fields[id];
        if (!field->offset)
            continue;
        bool is_inline = field->kind == KIFU__SCALAR || field->kind == KIFU__STRUCT;
        bool may_be_absent = field->has || (!is_inline && !field->required);
        if (may_be_absent && below(build, build->depth < 3 ? 3 : 8))
            continue;
        if (field->has)
            build->blob[at + field->has] = 1;
        if (is_inline)
            write_value(build, field, at + field->offset);
        else
            add_reference(build, field, at + field->offset);
    }
}

uint32_t random_event(kifu_rng *rng, const kifu__table *table, unsigned char *blob)
{
    build build = {.rng = rng, .blob = blob};
    extend(&build, 0, table->size, table->align);
    write_fields(&build, table, 0);
    return build.size;
}
