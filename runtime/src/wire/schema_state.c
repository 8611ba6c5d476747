// The state as a schema in a save has it, against the state that the game was compiled with.
//
// A load brings the state of another version into this version's layout, field by field and by name, over a copy of
// today's state: the comparison is then one of two states, as in a replay. Left out are fields that changed their kind
// or whose enum has other numbers, and values that the new type cannot hold.

#include <string.h>

#include "wire/buffer.h"
#include "wire/schema.h"

// Whether a number in one means the same in the other.
static bool same_meaning(const kifu__schema *schema, const kifu__schema_field *field, const kifu__member *member)
{
    return !member->values || (field->values && kifu__schema_fits_enum(schema, field->values, member->values));
}

// No deeper than the compiled struct.
bool kifu__schema_has_layout(const kifu__schema *schema, uint32_t structure, const kifu__struct *compiled)
{
    if (kifu__schema_size(schema, structure) != compiled->size ||
        kifu__schema_field_count(schema, structure) != compiled->member_count)
        return false;
    kifu__schema_field field;
    for (uint32_t i = 0; i < compiled->member_count; i++) {
        const kifu__member *member = &compiled->members[i];
        if (!kifu__schema_next_field(schema, structure, i, &field) || strcmp(field.name, member->name) ||
            field.offset != member->offset || field.size != member->size || field.count != member->count ||
            !field.structure != !member->structure)
            return false;
        if (member->structure ? !kifu__schema_has_layout(schema, field.structure, member->structure)
                              : field.scalar != member->scalar || !same_meaning(schema, &field, member))
            return false;
    }
    return true;
}

static bool is_integer(uint8_t scalar)
{
    return scalar >= KIFU__I8 && scalar <= KIFU__U64;
}

static void bring_integer(const kifu__schema_field *field, const unsigned char *from, const kifu__member *member,
                          unsigned char *to)
{
    const uint64_t value = kifu__read_integer(from, field->size, kifu__is_signed(field->scalar));
    const bool negative = kifu__is_signed(field->scalar) && value >> 63;
    unsigned char room[sizeof value];
    memcpy(room, &value, sizeof value);
    const bool fits = kifu__read_integer(room, member->size, kifu__is_signed(member->scalar)) == value;
    if (fits && negative == (kifu__is_signed(member->scalar) && value >> 63))
        memcpy(to, room, member->size);
}

static void bring_number(const kifu__schema_field *field, const unsigned char *from, const kifu__member *member,
                         unsigned char *to)
{
    if (field->scalar == member->scalar)
        memcpy(to, from, member->size);
    else if (is_integer(field->scalar) && is_integer(member->scalar))
        bring_integer(field, from, member, to);
}

// An array that the fields are in: as many elements of it as both have.
typedef struct array {
    const struct array *around; // NULL: none is.
    uint32_t count;
    uint32_t from_size, to_size; // of one element
} array;

// In each element of each array.
static void bring_numbers(const array *array, const kifu__schema_field *field, const unsigned char *from,
                          const kifu__member *member, unsigned char *to)
{
    if (!array) {
        bring_number(field, from, member, to);
        return;
    }
    for (uint32_t i = 0; i < array->count; i++)
        bring_numbers(array->around, field, from + (size_t)i * array->from_size, member,
                      to + (size_t)i * array->to_size);
}

const kifu__member *kifu__find_member(const kifu__struct *compiled, const char *name)
{
    for (uint32_t i = 0; i < compiled->member_count; i++) {
        if (!strcmp(compiled->members[i].name, name))
            return &compiled->members[i];
    }
    return NULL;
}

// Looks at each field once, however many elements the arrays have.
static void bring(const kifu__schema *schema, uint32_t structure, const unsigned char *from,
                  const kifu__struct *compiled, unsigned char *to, const array *around)
{
    enum { MOST_FIELDS = 4096 }; // The search for the next field looks at all: a file must not make it endless.
    if (kifu__schema_field_count(schema, structure) > MOST_FIELDS)
        return;
    kifu__schema_field field;
    for (uint32_t id = 0; kifu__schema_next_field(schema, structure, id, &field); id++) {
        const kifu__member *member = kifu__find_member(compiled, field.name);
        if (!member || !field.count != !member->count || !field.structure != !member->structure)
            continue;
        const uint32_t least = field.count < member->count ? field.count : member->count;
        const array own = {.around = around, .count = least, .from_size = field.size, .to_size = member->size};
        const array *arrays = least ? &own : around;
        if (member->structure)
            bring(schema, field.structure, from + field.offset, member->structure, to + member->offset, arrays);
        else if (same_meaning(schema, &field, member))
            bring_numbers(arrays, &field, from + field.offset, member, to + member->offset);
    }
}

void kifu__schema_bring(const kifu__schema *schema, uint32_t structure, const unsigned char *from,
                        const kifu__struct *compiled, unsigned char *to)
{
    bring(schema, structure, from, compiled, to, NULL);
}
