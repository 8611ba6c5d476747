// The state as a schema in a save has it, against the state that the game was compiled with.

#include <string.h>

#include "wire/buffer.h"
#include "wire/schema.h"

// No deeper than the compiled struct.
bool kifu__schema_has_layout(const kifu__schema *schema, uint32_t structure, const kifu__struct *compiled)
{
    if (kifu__schema_size(schema, structure) != compiled->size ||
        kifu__schema_field_count(schema, structure) != compiled->member_count)
        return false;
    for (uint32_t i = 0; i < compiled->member_count; i++) {
        const kifu__member *member = &compiled->members[i];
        kifu__schema_field field;
        if (!kifu__schema_field_of(schema, structure, member->name, &field) || field.offset != member->offset ||
            field.size != member->size || field.count != member->count || !field.structure != !member->structure)
            return false;
        if (member->structure ? !kifu__schema_has_layout(schema, field.structure, member->structure)
                              : field.scalar != member->scalar)
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

static void bring_element(const kifu__schema *schema, const kifu__schema_field *field, const unsigned char *from,
                          const kifu__member *member, unsigned char *to)
{
    if (field->structure && member->structure)
        kifu__schema_bring(schema, field->structure, from, member->structure, to);
    else if (field->structure || member->structure)
        return;
    else if (field->scalar == member->scalar)
        memcpy(to, from, member->size);
    else if (is_integer(field->scalar) && is_integer(member->scalar))
        bring_integer(field, from, member, to);
}

void kifu__schema_bring(const kifu__schema *schema, uint32_t structure, const unsigned char *from,
                        const kifu__struct *compiled, unsigned char *to)
{
    for (uint32_t i = 0; i < compiled->member_count; i++) {
        const kifu__member *member = &compiled->members[i];
        kifu__schema_field field;
        if (!kifu__schema_field_of(schema, structure, member->name, &field) || !field.count != !member->count)
            continue;
        const uint32_t least = field.count < member->count ? field.count : member->count;
        for (uint32_t k = 0; k < (least ? least : 1); k++)
            bring_element(schema, &field, from + field.offset + (size_t)k * field.size, member,
                          to + member->offset + (size_t)k * member->size);
    }
}
