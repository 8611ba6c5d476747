// Verifying tables: every place is verified to be inside the buffer before it is read.
//
// One walk over a table's fields by id finds out both whether all is well and whether the table may be cast to the
// generated struct. A table that may not is as valid, but must be converted.
//
// The state in a save is verified by the members of its struct (kifu__struct_holds). Only structs in events have a list
// of checks, because there each is verified often; for the state, such a list could be longer than the state is deep.

#include <stdio.h>

#include "base/error.h"
#include "wire/buffer.h"

// A vtable that is shared by many tables may have 32,000 entries of which this version knows nothing.
enum { ENTRIES_PER_STEP = 16 };

bool kifu__fail_at(kifu__verifier *verifier, uint32_t position, const char *reason)
{
    verifier->failure.position = position;
    verifier->failure.path[0] = 0;
    snprintf(verifier->failure.reason, sizeof verifier->failure.reason, "%s", reason);
    return false;
}

static KIFU__APART bool spend_steps(kifu__verifier *verifier, uint32_t position, uint32_t steps)
{
    if (steps > verifier->work)
        return kifu__fail_at(verifier, position, "parts of it are shared too often");
    verifier->work -= steps;
    return true;
}

bool kifu__verifier_open(kifu__verifier *verifier, const kifu__buffer *buffer)
{
    verifier->bytes = buffer->bytes;
    verifier->size = buffer->size;
    verifier->castable = true;
    // An offset is 4 bytes, a value at least 1. What is shared is walked each time, as the official verifier does.
    // Little more than what the size gives: a save may have a million small buffers.
    verifier->work = (uint64_t)buffer->size * 4 + 4096;
    if (buffer->size < 8)
        return kifu__fail_at(verifier, 0, "it is too small for a FlatBuffer");
    if (buffer->size >= KIFU__MOST_BYTES)
        return kifu__fail_at(verifier, 0, "it is too large for a FlatBuffer");
    return true;
}

bool kifu__verify_offset(kifu__verifier *verifier, uint32_t place, uint32_t *target)
{
    uint32_t offset = kifu__load32(verifier->bytes + place);
    if (offset == 0)
        return kifu__fail_at(verifier, place, "its offset is 0");
    if (offset > verifier->size - 4 - place)
        return kifu__fail_at(verifier, place, "its offset leads outside the buffer");
    *target = place + offset;
    if (*target % 4)
        return kifu__fail_at(verifier, place, "its offset does not lead to a multiple of 4");
    return spend_steps(verifier, place, 1);
}

// --- Vectors and strings ---------------------------------------------------------------------------------------------

static bool verify_extent(kifu__verifier *verifier, uint32_t position, uint32_t size, uint32_t align, uint32_t *count)
{
    *count = kifu__load32(verifier->bytes + position);
    if (*count > (verifier->size - position - 4) / size)
        return kifu__fail_at(verifier, position, "its length leads outside the buffer");
    if ((position + 4) % align) {
        if (*count)
            return kifu__fail_at(verifier, position, "its elements are not aligned");
        verifier->castable = false; // flatc 2.0.8 does not align vectors of nothing
    }
    return true;
}

static bool verify_string(kifu__verifier *verifier, uint32_t position)
{
    uint32_t length;
    if (!verify_extent(verifier, position, 1, 1, &length))
        return false;
    uint32_t end = position + 4 + length;
    if (end >= verifier->size || verifier->bytes[end])
        return kifu__fail_at(verifier, end, "the string does not end in a zero byte");
    return true;
}

static bool verify_elements(kifu__verifier *verifier, const kifu__field *field, uint32_t position)
{
    uint32_t count, bad;
    if (!verify_extent(verifier, position, field->size, field->align, &count))
        return false;
    const uint32_t first = position + 4;
    if (!kifu__is_checked(field))
        return true;
    if (!spend_steps(verifier, position, count))
        return false;
    if (kifu__elements_hold(field, verifier->bytes + first, count, &bad, &verifier->failure))
        return true;
    verifier->failure.position = first + bad * field->size;
    return kifu__in_element(&verifier->failure, bad);
}

static bool verify_references(kifu__verifier *verifier, const kifu__field *field, uint32_t position, uint32_t depth)
{
    uint32_t count, target;
    if (!verify_extent(verifier, position, 4, 4, &count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        bool good = kifu__verify_offset(verifier, position + 4 + 4 * i, &target);
        if (good && field->table)
            good = kifu__verify_any(verifier, field->table, target, depth);
        else if (good)
            good = verify_string(verifier, target);
        if (!good)
            return kifu__in_element(&verifier->failure, i);
    }
    return true;
}

// --- Fields ----------------------------------------------------------------------------------------------------------

static bool verify_reference(kifu__verifier *verifier, const kifu__field *field, uint32_t place, uint32_t depth)
{
    uint32_t target;
    if (!kifu__verify_offset(verifier, place, &target))
        return false;
    switch (field->kind) {
    case KIFU__STRING:
        return verify_string(verifier, target);
    case KIFU__VECTOR:
        return verify_elements(verifier, field, target);
    case KIFU__TABLE:
        return kifu__verify_any(verifier, field->table, target, depth + 1);
    default:
        return verify_references(verifier, field, target, depth + 1);
    }
}

static uint32_t inline_size(const kifu__field *field)
{
    return kifu__is_reference(field) ? 4 : field->size;
}

static bool is_aligned(const kifu__field *field, uint32_t place)
{
    uint32_t align = kifu__is_reference(field) ? 4 : field->align;
    return (place & (align - 1)) == 0;
}

// Whether the bytes of an absent field, where the generated struct has it, read as absent.
static bool reads_as_absent(const kifu__verifier *verifier, const kifu__field *field, uint32_t position)
{
    if (!field->has && !kifu__is_reference(field))
        return false; // the struct always has a value, and this may not be the default
    const unsigned char *table = verifier->bytes + position;
    return !(field->has && table[field->has]) && kifu__is_zero(table + field->offset, inline_size(field)) &&
           is_aligned(field, position + field->offset);
}

static KIFU__APART bool verify_absent(kifu__verifier *verifier, const kifu__field *field, uint32_t position)
{
    if (field->required)
        return kifu__fail_at(verifier, position, "it is required, and absent");
    if (field->offset && verifier->castable)
        verifier->castable = reads_as_absent(verifier, field, position);
    return true;
}

// A field at `entry` of a table of `size` bytes.
static bool verify_present(kifu__verifier *verifier, const kifu__field *field, uint32_t position, uint32_t size,
                           uint32_t entry, uint32_t depth)
{
    if (entry < 4 || entry + inline_size(field) > size)
        return kifu__fail_at(verifier, position, "it does not lie inside its table");
    uint32_t place = position + entry;
    if (!is_aligned(field, place))
        return kifu__fail_at(verifier, place, "it is not aligned");
    if (entry != field->offset)
        verifier->castable = false;
    if (field->has && verifier->castable)
        verifier->castable = verifier->bytes[position + field->has] == 1;
    if (!field->offset)
        return true; // deprecated or transient: it will not be read
    if (kifu__is_reference(field))
        return verify_reference(verifier, field, place, depth);
    uint32_t bad;
    verifier->failure.position = place;
    return !kifu__is_checked(field) || kifu__elements_hold(field, verifier->bytes + place, 1, &bad, &verifier->failure);
}

// Fields that a newer schema has: known to lie somewhere in the table, and not to be read.
static bool verify_unknown(kifu__verifier *verifier, uint32_t position, uint32_t size, uint32_t entry)
{
    if (entry)
        verifier->castable = false;
    if (entry && (entry < 4 || entry >= size))
        return kifu__fail_at(verifier, position, "a field that this version does not know lies outside its table");
    return true;
}

// --- Tables ----------------------------------------------------------------------------------------------------------

bool kifu__verify_fields(kifu__verifier *verifier, const kifu__table *table, uint32_t position, uint32_t depth)
{
    const unsigned char *vtable = verifier->bytes + kifu__vtable_of(verifier->bytes, position);
    uint32_t entries = (kifu__load16(vtable) - 4u) / 2;
    uint32_t size = kifu__load16(vtable + 2);
    if (size != table->size)
        verifier->castable = false;
    for (uint32_t id = 0; id < table->field_count; id++) {
        const kifu__field *field = &table->fields[id];
        uint32_t entry = id < entries ? kifu__load16(vtable + 4 + 2 * id) : 0;
        bool good = entry ? verify_present(verifier, field, position, size, entry, depth)
                          : verify_absent(verifier, field, position);
        if (!good)
            return kifu__in_field(&verifier->failure, field->name);
    }
    uint32_t unknown = entries > table->field_count ? entries - table->field_count : 0;
    if (!spend_steps(verifier, position, unknown / ENTRIES_PER_STEP))
        return false;
    for (uint32_t id = table->field_count; id < entries; id++) {
        if (!verify_unknown(verifier, position, size, kifu__load16(vtable + 4 + 2 * id)))
            return false;
    }
    return true;
}

bool kifu__verify_any(kifu__verifier *verifier, const kifu__table *table, uint32_t position, uint32_t depth)
{
    if (depth > KIFU__MOST_DEPTH)
        return kifu__fail_at(verifier, position, "tables are nested too deeply, more than 64");
    uint32_t at = kifu__vtable_of(verifier->bytes, position); // wraps where the vtable is said to be in front of all
    if (at > verifier->size - 4)
        return kifu__fail_at(verifier, position, "its vtable lies outside the buffer");
    if (at % 2)
        return kifu__fail_at(verifier, position, "its vtable is not aligned");
    uint32_t vtable_size = kifu__load16(verifier->bytes + at);
    uint32_t table_size = kifu__load16(verifier->bytes + at + 2);
    if (vtable_size < 4 || vtable_size % 2 || vtable_size > verifier->size - at)
        return kifu__fail_at(verifier, position, "its vtable has an impossible size");
    if (table_size < 4 || table_size > verifier->size - position)
        return kifu__fail_at(verifier, position, "it does not lie inside the buffer");
    return kifu__verify_fields(verifier, table, position, depth);
}

// --- From outside ----------------------------------------------------------------------------------------------------

kifu_result kifu__report(const kifu__verifier *verifier, const kifu__buffer *buffer, const char *where)
{
    const kifu__failure *failure = &verifier->failure;
    uint64_t offset = buffer->offset + failure->position;
    return kifu__error_at(buffer->error, KIFU_DAMAGED, offset, "%s%s%s: %s (byte %llu)", where,
                          failure->path[0] ? ", field " : "", failure->path, failure->reason,
                          (unsigned long long)offset);
}

kifu_result kifu__verify_root(const kifu__buffer *buffer, const kifu__table *table, uint32_t *position, bool *castable)
{
    kifu__verifier verifier;
    if (!kifu__verifier_open(&verifier, buffer) || !kifu__verify_offset(&verifier, 0, position) ||
        !kifu__verify_any(&verifier, table, *position, 1))
        return kifu__report(&verifier, buffer, table->name);
    *castable = *castable && verifier.castable;
    return KIFU_OK;
}
