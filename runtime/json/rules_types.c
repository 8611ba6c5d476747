// From a schema to rules: enums, and structs with what is to be checked in them.
//
// A .bfbs does not say which enums are bit flags. An unsigned enum whose values are different single bits is taken for
// one: it only accepts more, and the text is the same, since a value without a name is a number in both.

#include "json/rules.h"

#include <stdio.h>
#include <stdlib.h>

// More than any game has; without a bound, a hostile schema could take for ever.
enum { MOST_BY_ID = 40000, MOST_CHECKS = 1000000, MOST_NESTED = 64 };
#define MOST_STATE UINT64_C(1000000000)

// --- Enums -----------------------------------------------------------------------------------------------------------

const kifu__enum kifu__bools = {.name = "bool", .size = 1, .high = 1};

static const uint8_t sizes[] = {0, 1, 1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8};

typedef struct label {
    int64_t value;
    const char *name;
    uint32_t place; // in the schema
} label;

static int by_value(const void *a, const void *b)
{
    const label *one = (const label *)a, *other = (const label *)b;
    if (one->value != other->value)
        return one->value < other->value ? -1 : 1;
    return one->place < other->place ? -1 : 1;
}

static int by_bit(const void *a, const void *b)
{
    const uint64_t one = (uint64_t)((const label *)a)->value, other = (uint64_t)((const label *)b)->value;
    return one < other ? -1 : one > other;
}

// A .bfbs does not say which enums are bit flags, unless flatc is asked for what it knows itself. Those are unsigned,
// and each value is a bit of its own.
static bool are_bits(const label *labels, uint32_t count, uint32_t base)
{
    const bool is_unsigned = base != KIFU__BASE_BOOL && !((base - KIFU__BASE_BOOL) & 1);
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t value = (uint64_t)labels[i].value;
        if (!is_unsigned || !value || value & (value - 1))
            return false;
    }
    return count > 0;
}

static bool name_labels(kifu__maker *maker, kifu__enum *made, const label *labels, uint32_t count)
{
    const char **names = (const char **)kifu__maker_new(maker, count, sizeof *names);
    for (uint32_t i = 0; i < count && names; i++)
        names[i] = labels[i].name;
    made->labels = names;
    made->label_count = count;
    return names != NULL;
}

static bool fill_enum(kifu__maker *maker, kifu__enum *made, label *labels, uint32_t count, uint32_t base)
{
    qsort(labels, count, sizeof *labels, by_value);
    uint32_t kept = 0; // Of several names of one value, the first counts.
    for (uint32_t i = 0; i < count; i++) {
        if (!kept || labels[kept - 1].value != labels[i].value)
            labels[kept++] = labels[i];
    }
    if (are_bits(labels, kept, base)) {
        qsort(labels, kept, sizeof *labels, by_bit);
        made->bit_flags = true;
        for (uint32_t i = 0; i < kept; i++)
            made->mask |= (uint64_t)labels[i].value;
    } else {
        made->low = labels[0].value;
        made->high = labels[kept - 1].value;
    }
    if (!name_labels(maker, made, labels, kept))
        return false;
    if (made->bit_flags || (uint64_t)made->high - (uint64_t)made->low + 1 == kept)
        return true;
    int64_t *values = (int64_t *)kifu__maker_new(maker, kept, sizeof *values);
    for (uint32_t i = 0; i < kept && values; i++)
        values[i] = labels[i].value;
    made->values = values;
    made->value_count = kept;
    return values != NULL;
}

static const kifu__enum *make_enum(kifu__maker *maker, int32_t index)
{
    if (index < 0 || (uint32_t)index >= maker->enum_count) {
        kifu__maker_fail(maker, "a field has an enum that is not there");
        return NULL;
    }
    kifu__enum *made = &maker->enums[index];
    if (maker->enum_states[index])
        return made;
    const kifu__r_enum *source = (const kifu__r_enum *)kifu__r_at(&maker->schema->enums, (uint32_t)index);
    const kifu__r_type *type = (const kifu__r_type *)kifu__follow(&source->underlying);
    const uint32_t count = kifu__length(&source->values), base = type->base;
    made->name = kifu__r_text(&source->name);
    if (base < KIFU__BASE_BOOL || base > KIFU__BASE_ULONG || source->is_union || !count) {
        kifu__maker_fail(maker, "%.100s is no enum that a field can have", made->name);
        return NULL;
    }
    made->size = sizes[base];
    made->is_signed = base != KIFU__BASE_BOOL && (base - KIFU__BASE_BOOL) & 1;
    label *labels = (label *)kifu__maker_new(maker, count, sizeof *labels);
    if (!labels)
        return NULL;
    for (uint32_t i = 0; i < count; i++) {
        const kifu__r_value *value = (const kifu__r_value *)kifu__r_at(&source->values, i);
        labels[i] = (label){.value = value->value, .name = kifu__r_text(&value->name), .place = i};
    }
    if (!fill_enum(maker, made, labels, count, base))
        return NULL;
    maker->enum_states[index] = 1;
    return made;
}

// --- Structs ---------------------------------------------------------------------------------------------------------

bool kifu__make_inline(kifu__maker *maker, uint32_t base, int32_t index, kifu__inline *made)
{
    *made = (kifu__inline){0};
    if (base >= KIFU__BASE_BOOL && base <= KIFU__BASE_DOUBLE) {
        made->size = made->align = sizes[base];
        made->scalar = (uint8_t)(base - KIFU__BASE_BOOL);
        if (index < 0 || base > KIFU__BASE_ULONG)
            return true;
        made->values = make_enum(maker, index);
        return made->values != NULL;
    }
    if (base != KIFU__BASE_OBJECT || index < 0 || (uint32_t)index >= maker->object_count ||
        !((const kifu__r_object *)kifu__r_at(&maker->schema->objects, (uint32_t)index))->is_struct)
        return false;
    made->structure = kifu__make_struct(maker, (uint32_t)index);
    if (!made->structure)
        return false;
    made->size = made->structure->size;
    made->align = made->structure->align;
    return true;
}

const kifu__r_field **kifu__fields_by_id(kifu__maker *maker, const kifu__r_object *object)
{
    const uint32_t count = kifu__length(&object->fields);
    if (count > MOST_BY_ID) {
        kifu__maker_fail(maker, "%.100s has more than %d fields", kifu__r_text(&object->name), MOST_BY_ID);
        return NULL;
    }
    const kifu__r_field **fields = (const kifu__r_field **)kifu__maker_new(maker, count + 1, sizeof *fields);
    for (uint32_t i = 0; i < count && fields; i++) {
        const kifu__r_field *each = (const kifu__r_field *)kifu__r_at(&object->fields, i);
        if (each->id >= count || fields[each->id]) {
            kifu__maker_fail(maker, "the ids of %.100s are not 0, 1, 2, ...", kifu__r_text(&object->name));
            return NULL;
        }
        fields[each->id] = each;
    }
    return fields;
}

static bool make_member(kifu__maker *maker, const kifu__r_field *field, uint64_t *end, uint32_t *align,
                        kifu__member *member)
{
    const kifu__r_type *type = (const kifu__r_type *)kifu__follow(&field->type);
    const bool array = type->base == KIFU__BASE_ARRAY;
    kifu__inline inner;
    if (!kifu__make_inline(maker, array ? type->element : type->base, type->index, &inner) ||
        (array && !type->fixed_length))
        return kifu__maker_fail(maker, "the field %.100s of a struct has a type that no struct can have",
                                kifu__r_text(&field->name));
    *end = (*end + inner.align - 1) & ~(uint64_t)(inner.align - 1);
    *member = (kifu__member){
        .name = kifu__r_text(&field->name),
        .offset = (uint32_t)*end,
        .size = inner.size,
        .count = array ? type->fixed_length : 0,
        .scalar = inner.scalar,
        .pool = kifu__r_attribute(&field->attributes, "pool") != NULL,
        .values = inner.values,
        .structure = inner.structure,
    };
    *end += (uint64_t)inner.size * (array ? type->fixed_length : 1);
    *align = inner.align > *align ? inner.align : *align;
    return *end <= MOST_STATE || kifu__maker_fail(maker, "a struct has more than %d bytes", (int)MOST_STATE);
}

// FlatBuffers places the members as C does: in their order, each where its alignment allows.
const kifu__struct *kifu__make_struct(kifu__maker *maker, uint32_t index)
{
    kifu__struct *made = &maker->structs[index];
    const kifu__r_object *source = (const kifu__r_object *)kifu__r_at(&maker->schema->objects, index);
    const uint32_t count = kifu__length(&source->fields);
    if (maker->struct_states[index] == 2)
        return made;
    made->name = kifu__r_text(&source->name);
    if (maker->struct_states[index] || maker->depth == MOST_NESTED || !count) {
        kifu__maker_fail(maker, "the struct %.100s has no fields, or is nested too deeply", made->name);
        return NULL;
    }
    const kifu__r_field **fields = kifu__fields_by_id(maker, source);
    if (!fields)
        return NULL;
    maker->struct_states[index] = 1;
    maker->depth++;
    kifu__member *members = (kifu__member *)kifu__maker_new(maker, count, sizeof *members);
    if (!members)
        return NULL;
    uint64_t end = 0;
    uint32_t align = 1;
    for (uint32_t id = 0; id < count; id++) {
        if (!make_member(maker, fields[id], &end, &align, &members[id]))
            return NULL;
    }
    maker->depth--;
    *made = (kifu__struct){
        .name = made->name,
        .size = (uint32_t)((end + align - 1) & ~(uint64_t)(align - 1)),
        .align = align,
        .members = members,
        .member_count = count,
    };
    maker->struct_states[index] = 2;
    return made;
}

// --- Checks ----------------------------------------------------------------------------------------------------------

static bool add_check(kifu__maker *maker, kifu__check_list *list, const char *path, kifu__check check)
{
    if (++maker->check_count > MOST_CHECKS)
        return kifu__maker_fail(maker, "there are more than %d enums in its events", MOST_CHECKS);
    if (list->count == list->capacity) {
        const uint32_t capacity = list->capacity ? 2 * list->capacity : 4;
        kifu__check *items = (kifu__check *)kifu__maker_new(maker, capacity, sizeof *items);
        if (!items)
            return false;
        if (list->count)
            memcpy(items, list->items, list->count * sizeof *items);
        list->items = items;
        list->capacity = capacity;
    }
    char *field = (char *)kifu__maker_new(maker, strlen(path) + 1, 1);
    if (!field)
        return false;
    check.field = strcpy(field, path);
    if (check.count == 1)
        check.stride = check.values->size;
    list->items[list->count++] = check;
    return true;
}

// In each of several structs a row of values: one long row where nothing lies between them, else as few rows as
// possible.
static bool add_inner(kifu__maker *maker, kifu__check_list *list, const char *path, const kifu__check *inner,
                      const kifu__inline *type, uint32_t offset, uint32_t count)
{
    kifu__check check = *inner;
    const uint32_t start = offset + inner->offset;
    if ((uint64_t)inner->count * inner->stride == type->size) {
        check.offset = start;
        check.count = count * inner->count;
        return add_check(maker, list, path, check);
    }
    const bool fewer = inner->count < count;
    const uint32_t rows = fewer ? inner->count : count;
    for (uint32_t i = 0; i < rows; i++) {
        check.offset = start + i * (fewer ? inner->stride : type->size);
        check.count = fewer ? count : inner->count;
        check.stride = fewer ? type->size : inner->stride;
        if (!add_check(maker, list, path, check))
            return false;
    }
    return true;
}

bool kifu__add_checks(kifu__maker *maker, kifu__check_list *list, const char *path, const kifu__inline *type,
                      uint32_t offset, uint32_t count)
{
    const kifu__enum *values = type->values ? type->values : type->scalar == KIFU__BOOL ? &kifu__bools : NULL;
    if (!type->structure)
        return !values ||
               add_check(maker, list, path,
                         (kifu__check){.values = values, .offset = offset, .count = count, .stride = type->size});
    if (!kifu__make_checks(maker, type->structure))
        return false;
    for (uint32_t i = 0; i < type->structure->check_count; i++) {
        char inner[500];
        snprintf(inner, sizeof inner, "%s.%s", path, type->structure->checks[i].field);
        if (!add_inner(maker, list, inner, &type->structure->checks[i], type, offset, count))
            return false;
    }
    return true;
}

// Fills in those of a struct in an event. A struct without any has a list, so that it is made once.
bool kifu__make_checks(kifu__maker *maker, const kifu__struct *structure)
{
    static const kifu__check none = {.field = ""};
    kifu__struct *made = &maker->structs[structure - maker->structs];
    kifu__check_list list = {0};
    bool well = true;
    if (made->checks)
        return true;
    for (uint32_t i = 0; i < made->member_count && well; i++) {
        const kifu__member *member = &made->members[i];
        const kifu__inline type = {
            .size = member->size, .scalar = member->scalar, .values = member->values, .structure = member->structure};
        well = kifu__add_checks(maker, &list, member->name, &type, member->offset, member->count ? member->count : 1);
    }
    made->checks = list.count ? list.items : &none;
    made->check_count = list.count;
    return well;
}
