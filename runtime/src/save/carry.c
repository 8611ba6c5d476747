// The state with which a save begins, when another version of the game has written it.
//
// What has no place in the next version is refused only if it is not 0: then something would be lost. A field that the
// game's function has asked for counts as carried over, so what it did not think of is still named.

#include "save/reader.h"

#include <inttypes.h>
#include <stdio.h>

#include "wire/buffer.h"
#include "wire/schema.h"

enum { MOST_OLD_FIELDS = 4096, MOST_OLD_READ = 256, OLD_PATH = 160 };

struct kifu_old_state {
    kifu__schema schema;
    uint32_t structure;
    const unsigned char *bytes;
    uint32_t rules_version;
    uint32_t read[MOST_OLD_READ]; // Fields that the game's function has asked for.
    uint32_t read_count;
    bool carries; // Enums whose values have other numbers now are carried over; nothing is lost yet.
};

// --- What the game's function asks -----------------------------------------------------------------------------------

// Of a path without its indices, "board.kind".
static uint32_t add_to_hash(uint32_t hash, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * UINT32_C(16777619);
    return (hash ^ '.') * UINT32_C(16777619);
}

static bool find_old_field(const kifu__schema *schema, uint32_t structure, const char *name, size_t length,
                           kifu__schema_field *field)
{
    if (kifu__schema_field_count(schema, structure) > MOST_OLD_FIELDS)
        return false;
    for (uint32_t id = 0; kifu__schema_next_field(schema, structure, id, field); id++) {
        if (strlen(field->name) == length && !memcmp(field->name, name, length))
            return true;
    }
    return false;
}

// The index in front of which `*at` is, "[12]"; 0 if there is none.
static uint32_t read_index(const char **at)
{
    uint32_t index = 0;
    if (**at != '[')
        return 0;
    for (++*at; **at >= '0' && **at <= '9'; ++*at)
        index = index * 10 + (uint32_t)(**at - '0');
    *at += **at == ']';
    return index;
}

// Where the value of a number is; NULL: there is no such field, or it is a struct.
static const unsigned char *find_old(kifu_old_state *old, const char *path, kifu__schema_field *field)
{
    uint32_t structure = old->structure, hash = 0;
    const unsigned char *bytes = old->bytes;
    for (const char *at = path; structure;) {
        const size_t length = strcspn(at, ".[");
        if (!find_old_field(&old->schema, structure, at, length, field))
            return NULL;
        hash = add_to_hash(hash, at, length);
        if (old->read_count < MOST_OLD_READ)
            old->read[old->read_count++] = hash; // The struct that it is in counts as read, too.
        at += length;
        const uint32_t index = read_index(&at);
        if (index && index >= field->count)
            return NULL;
        bytes += field->offset + (size_t)index * field->size;
        if (*at != '.')
            return field->structure || *at ? NULL : bytes;
        at++;
        structure = field->structure;
    }
    return NULL;
}

bool kifu_old_integer(kifu_old_state *old, const char *field, int64_t *value)
{
    kifu__schema_field found;
    const unsigned char *bytes = find_old(old, field, &found);
    if (!bytes || found.scalar == KIFU__F32 || found.scalar == KIFU__F64)
        return false;
    const uint64_t read = kifu__read_integer(bytes, found.size, kifu__is_signed(found.scalar));
    memcpy(value, &read, sizeof read);
    return true;
}

bool kifu_old_number(kifu_old_state *old, const char *field, double *value)
{
    kifu__schema_field found;
    const unsigned char *bytes = find_old(old, field, &found);
    float single;
    int64_t integer;
    if (!bytes)
        return false;
    if (found.scalar == KIFU__F64)
        memcpy(value, bytes, sizeof *value);
    else if (found.scalar == KIFU__F32) {
        memcpy(&single, bytes, sizeof single);
        *value = (double)single;
    } else if (kifu_old_integer(old, field, &integer))
        *value = (double)integer;
    return true;
}

uint32_t kifu_old_rules_version(const kifu_old_state *old)
{
    return old->rules_version;
}

// --- What has no place -----------------------------------------------------------------------------------------------

// A field of the old state.
typedef struct place {
    char path[OLD_PATH];
    size_t used;
    uint32_t hash;
} place;

static bool is_read(const kifu_old_state *old, uint32_t hash)
{
    for (uint32_t i = 0; i < old->read_count; i++) {
        if (old->read[i] == hash)
            return true;
    }
    return false;
}

static place add_name(place place, const char *name)
{
    const int length = snprintf(place.path + place.used, OLD_PATH - place.used, "%s%s", place.used ? "." : "", name);
    place.used += (size_t)length < OLD_PATH - place.used ? (size_t)length : OLD_PATH - place.used;
    place.hash = add_to_hash(place.hash, name, strlen(name));
    return place;
}

static place add_index(place place, uint32_t index)
{
    const int length = snprintf(place.path + place.used, OLD_PATH - place.used, "[%" PRIu32 "]", index);
    place.used += (size_t)length < OLD_PATH - place.used ? (size_t)length : OLD_PATH - place.used;
    return place;
}

// The number that a value of an enum has now, by its name. False: none.
static bool find_number(const kifu_old_state *old, const kifu__schema_field *field, uint64_t value,
                        const kifu__enum *compiled, uint64_t *number)
{
    const char *label = field->values ? kifu__schema_label(&old->schema, field->values, value) : NULL;
    for (uint32_t i = 0; label && !compiled->bit_flags && i < compiled->label_count; i++) {
        *number = compiled->values ? (uint64_t)compiled->values[i] : (uint64_t)compiled->low + i;
        if (!strcmp(label, compiled->labels[i]))
            return true;
    }
    return false;
}

static const char *compare_enums(const kifu_old_state *old, const kifu__schema_field *field, const unsigned char *from,
                                 const kifu__member *member, unsigned char *to)
{
    uint64_t number;
    const uint64_t value = kifu__read_integer(from, field->size, kifu__is_signed(field->scalar));
    if (!find_number(old, field, value, member->values, &number))
        return "is of an enum that has no such value now";
    if (old->carries)
        memcpy(to, &number, member->size);
    return memcmp(to, &number, member->size) ? "is of an enum and could not be carried over" : NULL;
}

// Whether a number is in both states what it is in the old one.
static const char *compare_numbers(const kifu_old_state *old, const kifu__schema_field *field,
                                   const unsigned char *from, const kifu__member *member, unsigned char *to)
{
    const bool real = field->scalar == KIFU__F32 || field->scalar == KIFU__F64;
    if (member->values && !(field->values && kifu__schema_fits_enum(&old->schema, field->values, member->values)))
        return compare_enums(old, field, from, member, to);
    if (field->scalar == member->scalar ? !memcmp(from, to, member->size) : kifu__is_zero(from, field->size))
        return NULL;
    if (real || member->scalar == KIFU__F32 || member->scalar == KIFU__F64)
        return "is a number of another kind now";
    const uint64_t one = kifu__read_integer(from, field->size, kifu__is_signed(field->scalar));
    const uint64_t other = kifu__read_integer(to, member->size, kifu__is_signed(member->scalar));
    const bool negative = kifu__is_signed(field->scalar) && one >> 63;
    const bool stays = one == other && negative == (kifu__is_signed(member->scalar) && other >> 63);
    return stays ? NULL : "has a value for which its type has no room now";
}

// Finds the first value that is not 0 and has no place; why it has none, or NULL.
static const char *find_lost(const kifu_old_state *old, uint32_t structure, const unsigned char *from,
                             const kifu__struct *compiled, unsigned char *to, place *place)
{
    kifu__schema_field field;
    if (kifu__schema_field_count(&old->schema, structure) > MOST_OLD_FIELDS)
        return "has too many fields";
    const struct place around = *place;
    for (uint32_t id = 0; kifu__schema_next_field(&old->schema, structure, id, &field); id++) {
        const kifu__member *member = kifu__find_member(compiled, field.name);
        const unsigned char *bytes = from + field.offset;
        const uint32_t count = field.count ? field.count : 1;
        const bool other = !member || !field.count != !member->count || !field.structure != !member->structure;
        const struct place here = add_name(around, field.name);
        *place = here;
        const bool asked = (other || !member->structure) && is_read(old, here.hash);
        if (asked || !field.size || (other && kifu__is_zero(bytes, (size_t)count * field.size)))
            continue;
        if (other && old->carries)
            continue;
        if (other)
            return member ? "is something else now" : "is gone";
        for (uint32_t i = 0; i < count; i++) {
            const unsigned char *element = bytes + (size_t)i * field.size;
            unsigned char *now = to + member->offset + (size_t)i * member->size;
            *place = field.count ? add_index(here, i) : here;
            if (field.count && i >= member->count) {
                if (old->carries || kifu__is_zero(element, field.size))
                    continue;
                return "is behind the end of the array, which is shorter now";
            }
            const char *why = member->structure
                                  ? find_lost(old, field.structure, element, member->structure, now, place)
                                  : compare_numbers(old, &field, element, member, now);
            if (why && !old->carries)
                return why;
        }
    }
    return NULL;
}

// --- All of it -------------------------------------------------------------------------------------------------------

static kifu_result refuse_carry(const kifu__reader *reader, const kifu__frame *frame, const char *field,
                                const char *why)
{
    return kifu__error_at(reader->error, KIFU_UNSUPPORTED, frame->offset,
                          "the save begins from a state of another version of the game (rules version %" PRIu32
                          "), which this one cannot carry over: %s%s%s; the game needs a kifu_load_options.carry_state "
                          "for it",
                          reader->header->rules_version, field, *field ? " " : "", why);
}

static kifu_result call_carry(const kifu__reader *reader, const kifu__frame *frame, kifu_old_state *old,
                              unsigned char *state)
{
    const kifu_load_options *options = reader->options;
    if (!options->carry_state)
        return KIFU_OK;
    const kifu_result result = options->carry_state(old, state, options->carry_context);
    return result ? kifu__error_at(reader->error, result, frame->offset,
                                   "kifu_load_options.carry_state did not carry over the state of another version of "
                                   "the game, with which the save begins: %s",
                                   kifu_result_text(result))
                  : KIFU_OK;
}

// `named` is room for what names carry over: so the game's function may change that.
static kifu_result carry(const kifu__reader *reader, const kifu__frame *frame, kifu_old_state *old,
                         unsigned char *named, unsigned char *state)
{
    const kifu_rules *rules = reader->timeline->rules;
    place place = {.hash = 0};
    memset(named, 0, rules->state_size);
    kifu__schema_bring(&old->schema, old->structure, old->bytes, rules->state, named);
    old->carries = true;
    (void)find_lost(old, old->structure, old->bytes, rules->state, named, &place);
    old->carries = false;
    memcpy(state, named, rules->state_size);
    kifu_result result = call_carry(reader, frame, old, state);
    if (result)
        return result;
    place = (struct place){.hash = 0};
    const char *why = find_lost(old, old->structure, old->bytes, rules->state, named, &place);
    if (why)
        return refuse_carry(reader, frame, place.path, why);
    return kifu__state_holds(rules, state, 0, rules->state_size)
               ? KIFU_OK
               : refuse_carry(reader, frame, "", "it has a value that it cannot have any more");
}

kifu_result kifu__carry_state(kifu__reader *reader, const kifu__frame *frame, const kifu__save_root *fields,
                              unsigned char *state)
{
    const kifu__memory *memory = &reader->timeline->memory;
    const uint32_t size = kifu__length(&fields->state);
    kifu_old_state old = {.rules_version = reader->header->rules_version};
    if (!kifu__schema_open(&old.schema, reader->schema, reader->schema_size))
        return refuse_carry(reader, frame, "", "the save has no schema that says where its fields are");
    old.structure = kifu__schema_struct(&old.schema, reader->timeline->rules->state->name);
    if (!old.structure)
        return refuse_carry(reader, frame, "", "the state has another name now");
    const size_t room = ((size_t)size + 7) & ~(size_t)7; // in whole words, for the hash
    unsigned char *bytes = (unsigned char *)kifu__new(memory, room + kifu__state_room(reader->timeline->rules));
    if (!bytes)
        return kifu__not_loaded(reader->error, frame->offset, KIFU_NO_MEMORY);
    memcpy(bytes, kifu__elements(&fields->state), size);
    old.bytes = bytes;
    kifu_result result;
    if (size != kifu__schema_size(&old.schema, old.structure) || kifu__hash_state(bytes, size) != fields->hash)
        result = kifu__damaged(reader->error, frame->offset,
                               "the state with which the save begins, at byte %" PRIu64
                               ", has another size or another hash than it must have",
                               frame->offset);
    else
        result = carry(reader, frame, &old, bytes + room, state);
    kifu__free(memory, bytes);
    return result;
}
