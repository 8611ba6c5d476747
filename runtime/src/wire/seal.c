// Sealing: a proposal, whose vtables are not set yet, becomes an event of a segment. Its structure was built by
// generated code and needs no verifying; its values do.

#include <stdio.h>

#include "base/error.h"
#include "wire/buffer.h"

// Whether a stored field of the struct at `bytes` has a value.
static bool is_present(const kifu__field *field, const unsigned char *bytes)
{
    if (kifu__is_reference(field))
        return kifu__load32(bytes + field->offset) != 0;
    return !field->has || bytes[field->has];
}

bool kifu__is_whole(const kifu__table *table, const void *blob)
{
    if (table->flat)
        return true;
    for (uint32_t id = 0; id < table->field_count; id++) {
        const kifu__field *field = &table->fields[id];
        if (field->offset && (field->table || !is_present(field, (const unsigned char *)blob)))
            return false;
    }
    return true;
}

// How many tables a field of the struct at `bytes` leads to.
static uint32_t child_count(const kifu__field *field, const unsigned char *bytes)
{
    if (!field->table || !field->offset || !is_present(field, bytes))
        return 0;
    return field->kind == KIFU__TABLE ? 1 : kifu__load32(bytes + kifu__target(bytes, field->offset));
}

// Where one of them lies, counted from `bytes`.
static uint32_t child_at(const kifu__field *field, const unsigned char *bytes, uint32_t index)
{
    uint32_t target = kifu__target(bytes, field->offset);
    return field->kind == KIFU__TABLE ? target : kifu__target(bytes, target + 4 + 4 * index);
}

// Of an event's variants, only the first are looked through: each of a million nested tables may have one of its own.
enum { MOST_SHARED = 64 };

// The absent fields' entries of the compiled vtable are 0 in a variant. Equal variants of one event are shared: those
// so far lie between `first` and `*end`.
static const unsigned char *variant_of(const kifu__table *table, const unsigned char *bytes, const unsigned char *first,
                                       unsigned char **end)
{
    unsigned char *variant = *end;
    uint32_t size = table->vtable[0];
    memcpy(variant, table->vtable, size);
    for (uint32_t id = 0; id < table->field_count; id++) {
        const kifu__field *field = &table->fields[id];
        if (field->offset && !is_present(field, bytes))
            memset(variant + 4 + 2 * id, 0, 2);
    }
    for (uint32_t i = 0; i < MOST_SHARED && first < variant; i++, first += kifu__load16(first)) {
        if (kifu__load16(first) == size && !memcmp(first, variant, size))
            return first;
    }
    *end += size;
    return variant;
}

// What is sealed, and where.
typedef struct sealing {
    const uint16_t *vtables;    // of the game,
    const unsigned char *block; // and their copy
    const unsigned char *first; // the variants so far,
    unsigned char **end;        // and where the next one goes
} sealing;

// Seals a table and what is nested in it; `sealing` NULL: does nothing. Returns how many bytes variants may take.
static uint32_t seal_table(const sealing *sealing, const kifu__table *table, unsigned char *bytes)
{
    uint32_t room = 0;
    bool whole = true;
    for (uint32_t id = 0; id < table->field_count && !table->flat; id++) {
        const kifu__field *field = &table->fields[id];
        if (field->offset && !is_present(field, bytes)) {
            whole = false;
            if (sealing && field->has) // a check may have left a value behind
                memset(bytes + field->offset, 0, field->size);
        }
        uint32_t children = child_count(field, bytes);
        for (uint32_t i = 0; i < children; i++)
            room += seal_table(sealing, field->table, bytes + child_at(field, bytes, i));
    }
    if (sealing) {
        const unsigned char *vtable = sealing->block + (table->vtable - sealing->vtables) * 2;
        if (!whole)
            vtable = variant_of(table, bytes, sealing->first, sealing->end);
        kifu__put32(bytes, (uint32_t)(bytes - vtable));
    }
    return whole ? room : room + table->vtable[0];
}

uint32_t kifu__seal_room(const kifu__table *table, const void *blob)
{
    return table->flat ? 0 : seal_table(NULL, table, (unsigned char *)(uintptr_t)blob);
}

void kifu__seal(const uint16_t *vtables, const kifu__table *table, unsigned char *blob, const unsigned char *block,
                unsigned char **end)
{
    const sealing sealing = {.vtables = vtables, .block = block, .first = *end, .end = end};
    seal_table(&sealing, table, blob);
}

// --- Checking --------------------------------------------------------------------------------------------------------

static KIFU__NOINLINE bool fail_seal(kifu__failure *failure, const char *reason)
{
    failure->path[0] = 0;
    snprintf(failure->reason, sizeof failure->reason, "%s", reason);
    return false;
}

// The elements of a vector, or the one inline value.
static bool check_values(const kifu__field *field, const unsigned char *bytes, kifu__failure *failure)
{
    const bool vector = field->kind == KIFU__VECTOR;
    const unsigned char *first = bytes + (vector ? kifu__target(bytes, field->offset) + 4 : field->offset);
    uint32_t bad;
    if (kifu__elements_hold(field, first, vector ? kifu__load32(first - 4) : 1, &bad, failure))
        return true;
    if (vector)
        kifu__in_element(failure, bad);
    return false;
}

static bool check_table(const kifu__table *table, const unsigned char *bytes, uint32_t depth, kifu__failure *failure);

static bool check_field(const kifu__field *field, const unsigned char *bytes, uint32_t depth, kifu__failure *failure)
{
    if (field->has && bytes[field->has] > 1)
        return fail_seal(failure, "its has_ member is neither false nor true");
    if (!is_present(field, bytes)) {
        if (field->required)
            fail_seal(failure, "it is required, and absent");
        return !field->required;
    }
    if (!kifu__is_reference(field) || field->kind == KIFU__VECTOR)
        return check_values(field, bytes, failure);
    if (field->kind == KIFU__STRING || field->kind == KIFU__STRING_VECTOR)
        return !field->texts || field->texts(field, bytes, failure);
    uint32_t children = child_count(field, bytes);
    for (uint32_t i = 0; i < children; i++) {
        if (check_table(field->table, bytes + child_at(field, bytes, i), depth + 1, failure))
            continue;
        if (field->kind != KIFU__TABLE)
            kifu__in_element(failure, i);
        return false;
    }
    return true;
}

// A plain number holds whatever it is, and so does a vector of these.
static bool can_be_wrong(const kifu__field *field)
{
    return field->offset && (field->has || field->values || field->structure || field->required ||
                             (kifu__is_reference(field) && field->kind != KIFU__VECTOR));
}

static bool check_table(const kifu__table *table, const unsigned char *bytes, uint32_t depth, kifu__failure *failure)
{
    if (depth > KIFU__MOST_DEPTH)
        return fail_seal(failure, "tables are nested too deeply, more than 64");
    if (table->flat)
        return kifu__checks_hold(table->checks, table->check_count, bytes, failure);
    for (uint32_t id = 0; id < table->field_count; id++) {
        const kifu__field *field = &table->fields[id];
        if (can_be_wrong(field) && !check_field(field, bytes, depth, failure))
            return kifu__in_field(failure, field->name);
    }
    return true;
}

kifu_result kifu__check_bytes(const kifu__table *table, const void *blob, bool any_text, kifu_error *error)
{
    kifu__failure failure;
    failure.any_text = any_text;
    if (check_table(table, (const unsigned char *)blob, KIFU__EVENT_DEPTH, &failure))
        return KIFU_OK;
    return kifu__error(error, KIFU_INVALID_EVENT, "%s has a wrong field, %s: %s", table->name, failure.path,
                       failure.reason);
}
