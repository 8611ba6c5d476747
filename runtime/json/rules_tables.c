// The layout of tables: the one that kifuc gives to the generated structs (codegen/python/kifuc/layout.py), so that
// events in a save need no conversion.

#include "json/rules.h"

#include "wire/buffer.h"

enum { MOST_FIELDS = 32765, MOST_INLINE = 65535 };

// --- Attributes ------------------------------------------------------------------------------------------------------

static bool says(const kifu_ref *attributes, const char *name, const char *value)
{
    const char *said = kifu__r_attribute(attributes, name);
    return said && !strcmp(said, value);
}

void kifu__read_attributes(const kifu_ref *attributes, kifu__type *type)
{
    const bool random = says(attributes, "undoable", "unless_random");
    type->is_player = kifu__r_attribute(attributes, "player") != NULL;
    type->never_undoable = says(attributes, "undoable", "never");
    type->has_check = type->is_player || kifu__r_attribute(attributes, "check");
    if (!type->never_undoable && !says(attributes, "undoable", "false"))
        type->flags |= KIFU_UNDOABLE;
    if (type->is_player ? says(attributes, "continue_undo", "true") : !says(attributes, "continue_undo", "false"))
        type->flags |= KIFU_CONTINUE_UNDO;
    if (kifu__r_attribute(attributes, "reveals"))
        type->flags |= KIFU_REVEALS;
    if (random)
        type->flags |= KIFU_UNLESS_RANDOM;
}

// --- Fields ----------------------------------------------------------------------------------------------------------

static const kifu__r_object *object_of(const kifu__maker *maker, uint32_t index)
{
    return (const kifu__r_object *)kifu__r_at(&maker->schema->objects, index);
}

static const kifu__table *table_at(kifu__maker *maker, int32_t index)
{
    if (index < 0 || (uint32_t)index >= maker->object_count || object_of(maker, (uint32_t)index)->is_struct)
        return NULL;
    if (!maker->is_listed[index]) {
        maker->is_listed[index] = 1;
        maker->order[maker->order_count++] = (uint32_t)index;
    }
    return &maker->tables[index];
}

static uint64_t default_bits(const kifu__r_field *source, const kifu__inline *type, const kifu__r_enum *values)
{
    uint64_t bits = 0;
    if (type->scalar == KIFU__F32) {
        const float value = (float)source->default_real;
        memcpy(&bits, &value, sizeof value);
        return bits;
    }
    if (type->scalar == KIFU__F64) {
        memcpy(&bits, &source->default_real, sizeof bits);
        return bits;
    }
    bits = (uint64_t)source->default_integer;
    if (source->optional && values) { // What stands in place of an absent value is one of the enum, too.
        const kifu__enum *type_values = type->values;
        const kifu__check check = {.field = "", .values = type_values, .count = 1, .stride = type_values->size};
        unsigned char zero[8] = {0};
        if (!kifu__checks_hold(&check, 1, zero, NULL))
            bits = (uint64_t)((const kifu__r_value *)kifu__r_at(&values->values, 0))->value;
    }
    return type->size == 8 ? bits : bits & ((UINT64_C(1) << 8 * type->size) - 1);
}

// Which kind of field it is, and of what.
static bool make_kind(kifu__maker *maker, const kifu__r_type *type, kifu__inline *inner, kifu__field *field)
{
    const bool vector = type->base == KIFU__BASE_VECTOR;
    const uint32_t base = vector ? type->element : type->base;
    *inner = (kifu__inline){.size = 4, .align = 4};
    if (base == KIFU__BASE_STRING)
        field->kind = vector ? KIFU__STRING_VECTOR : KIFU__STRING;
    else if (base == KIFU__BASE_OBJECT && table_at(maker, type->index)) {
        field->kind = vector ? KIFU__TABLE_VECTOR : KIFU__TABLE;
        field->table = table_at(maker, type->index);
    } else {
        if (!kifu__make_inline(maker, base, type->index, inner))
            return false;
        field->kind = vector ? KIFU__VECTOR : inner->structure ? KIFU__STRUCT : KIFU__SCALAR;
    }
    return inner->size <= MOST_INLINE;
}

static bool make_field(kifu__maker *maker, const kifu__r_field *source, kifu__inline *inner, kifu__field *field)
{
    const kifu__r_type *type = (const kifu__r_type *)kifu__follow(&source->type);
    *field = (kifu__field){.name = kifu__r_text(&source->name)};
    if (!make_kind(maker, type, inner, field))
        return kifu__maker_fail(maker, "the field %.100s has a type that Kifu does not know", field->name);
    const bool scalar = field->kind == KIFU__SCALAR;
    const kifu__r_enum *values =
        inner->values ? (const kifu__r_enum *)kifu__r_at(&maker->schema->enums, (uint32_t)type->index) : NULL;
    field->align = (uint8_t)inner->align;
    field->size = (uint16_t)inner->size;
    field->required = source->required && !scalar;
    field->scalar = inner->scalar;
    field->structure = inner->structure;
    if (scalar)
        field->default_bits = default_bits(source, inner, values);
    if (!field->table && field->kind != KIFU__STRING && field->kind != KIFU__STRING_VECTOR)
        field->values = inner->values                                      ? inner->values
                        : inner->scalar == KIFU__BOOL && !inner->structure ? &kifu__bools
                                                                           : NULL;
    return true;
}

// --- Where they lie --------------------------------------------------------------------------------------------------

// What waits for its place: a field, or the byte that says whether an optional one is there.
typedef struct candidate {
    uint32_t size;
    uint16_t *place;
} candidate;

// Of one alignment, in the order of the schema.
typedef struct row {
    candidate *items;
    uint32_t count, next;
} row;

static void add(row *rows, uint32_t align, uint32_t size, uint16_t *place)
{
    row *row = &rows[align == 8 ? 3 : align / 2];
    row->items[row->count++] = (candidate){.size = size, .place = place};
}

// At each position comes the one of the largest alignment that divides it; of several the first.
static uint32_t place_all(row *rows, uint32_t end)
{
    static const uint32_t aligns[] = {1, 2, 4, 8};
    for (;;) {
        int best = -1;
        bool waits = false;
        for (int i = 0; i < 4; i++) {
            const bool more = rows[i].next < rows[i].count;
            waits = waits || more;
            if (more && end % aligns[i] == 0)
                best = i;
        }
        if (!waits || end > MOST_INLINE)
            return end;
        if (best < 0) {
            end++;
            continue;
        }
        const candidate *next = &rows[best].items[rows[best].next++];
        *next->place = (uint16_t)end;
        end += next->size;
    }
}

static bool lay_out(kifu__maker *maker, kifu__table *table, kifu__field *fields, const bool *stored,
                    const bool *optional, uint32_t *table_align)
{
    const uint32_t count = table->field_count;
    row rows[4];
    const kifu__memory memory = kifu__memory_of(maker->arena->memory.allocate, maker->arena->memory.context);
    candidate *items = (candidate *)kifu__new(&memory, (size_t)count * 8 * sizeof *items);
    uint32_t align = 4;
    if (!items)
        return kifu__maker_no_memory(maker);
    for (uint32_t i = 0; i < 4; i++)
        rows[i] = (row){.items = items + (size_t)i * 2 * count};
    for (uint32_t id = 0; id < count; id++) {
        kifu__field *field = &fields[id];
        const bool reference = kifu__is_reference(field);
        if (!stored[id])
            continue;
        if (optional[id])
            add(rows, 1, 1, &field->has);
        add(rows, reference ? 4 : field->align, reference ? 4 : field->size, &field->offset);
        if (!reference && field->align > align)
            align = field->align;
    }
    const uint32_t end = place_all(rows, 4);
    kifu__free(&memory, items);
    const uint32_t size = (end + align - 1) & ~(align - 1);
    table->size = (uint16_t)size;
    *table_align = align;
    return size <= MOST_INLINE || kifu__maker_fail(maker, "the table %.100s is too large", table->name);
}

static bool fill_checks(kifu__maker *maker, kifu__table *table)
{
    kifu__check_list list = {0};
    bool well = true;
    for (uint32_t id = 0; id < table->field_count && well; id++) {
        const kifu__field *field = &table->fields[id];
        const kifu__inline type = {.size = field->size,
                                   .scalar = field->scalar,
                                   .structure = field->structure,
                                   .values = field->values == &kifu__bools ? NULL : field->values};
        if (field->structure)
            well = kifu__make_checks(maker, field->structure);
        if (well && field->offset && !kifu__is_reference(field))
            well = kifu__add_checks(maker, &list, field->name, &type, field->offset, 1);
    }
    table->checks = list.items;
    table->check_count = (uint16_t)list.count;
    return well &&
           (list.count <= UINT16_MAX || kifu__maker_fail(maker, "the table %.100s has too many enums", table->name));
}

static bool make_table(kifu__maker *maker, uint32_t index)
{
    const kifu__r_object *source = object_of(maker, index);
    kifu__table *table = &maker->tables[index];
    const uint32_t count = kifu__length(&source->fields);
    table->name = kifu__r_text(&source->name);
    if (count > MOST_FIELDS)
        return kifu__maker_fail(maker, "the table %.100s has too many fields", table->name);
    kifu__field *fields = (kifu__field *)kifu__maker_new(maker, count, sizeof *fields);
    bool *stored = (bool *)kifu__maker_new(maker, count, sizeof *stored);
    bool *optional = (bool *)kifu__maker_new(maker, count, sizeof *optional);
    const kifu__r_field **sources = kifu__fields_by_id(maker, source);
    if (!fields || !stored || !optional || !sources)
        return false;
    for (uint32_t id = 0; id < count; id++) {
        const kifu__r_field *each = sources[id];
        kifu__inline inner;
        if (!make_field(maker, each, &inner, &fields[id]))
            return false;
        stored[id] = !each->deprecated && !kifu__r_attribute(&each->attributes, "transient");
        optional[id] = each->optional && fields[id].kind == KIFU__SCALAR;
    }
    table->fields = fields;
    table->field_count = (uint16_t)count;
    table->flat = true;
    for (uint32_t id = 0; id < count; id++)
        table->flat = table->flat && !(stored[id] && (kifu__is_reference(&fields[id]) || optional[id]));
    return lay_out(maker, table, fields, stored, optional, &maker->table_aligns[index]) && fill_checks(maker, table);
}

// --- All of them -----------------------------------------------------------------------------------------------------

// Of each with everything that it can lead to: until nothing changes any more.
static void align_deeply(kifu__maker *maker)
{
    for (uint32_t i = 0; i < maker->order_count; i++) {
        kifu__table *table = &maker->tables[maker->order[i]];
        table->align = (uint8_t)maker->table_aligns[maker->order[i]];
        for (uint32_t id = 0; id < table->field_count; id++) {
            const kifu__field *field = &table->fields[id];
            if (field->offset && field->align > table->align)
                table->align = field->align;
        }
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = maker->order_count; i-- > 0;) {
            kifu__table *table = &maker->tables[maker->order[i]];
            for (uint32_t id = 0; id < table->field_count; id++) {
                const kifu__field *field = &table->fields[id];
                if (field->offset && field->table && field->table->align > table->align) {
                    table->align = field->table->align;
                    changed = true;
                }
            }
        }
    }
}

// How many fields the vtable of a table has.
static uint32_t entries_of(const kifu__table *table)
{
    uint32_t entries = table->field_count;
    while (entries && !table->fields[entries - 1].offset)
        entries--;
    return entries;
}

static bool write_vtables(kifu__maker *maker, const uint16_t **vtables, uint32_t *vtables_size)
{
    size_t count = 0;
    for (uint32_t i = 0; i < maker->order_count; i++)
        count += 2 + (size_t)entries_of(&maker->tables[maker->order[i]]);
    count = (count + 3) & ~(size_t)3;
    uint16_t *all = (uint16_t *)kifu__maker_new(maker, count, sizeof *all);
    if (!all)
        return false;
    *vtables = all;
    *vtables_size = (uint32_t)(count * 2);
    for (uint32_t i = 0; i < maker->order_count; i++) {
        kifu__table *table = &maker->tables[maker->order[i]];
        const uint32_t entries = entries_of(table);
        table->vtable = all;
        *all++ = (uint16_t)(4 + 2 * entries);
        *all++ = table->size;
        for (uint32_t id = 0; id < entries; id++)
            *all++ = table->fields[id].offset;
    }
    return true;
}

bool kifu__make_tables(kifu__maker *maker, const uint16_t **vtables, uint32_t *vtables_size)
{
    for (uint32_t i = 0; i < maker->order_count; i++) { // It grows.
        if (!make_table(maker, maker->order[i]))
            return false;
    }
    align_deeply(maker);
    return write_vtables(maker, vtables, vtables_size);
}
