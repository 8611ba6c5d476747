// Random events of any type, from its description.

#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

typedef struct proposal {
    fuzz *fuzz;
    kifu_timeline *timeline;
    bool careless; // Some fields break the schema.
    bool valid;    // None did.
    int depth;
} proposal;

static uint32_t below(const proposal *proposal, uint32_t bound)
{
    return kifu_fuzz__below(proposal->fuzz, bound);
}

static void *zeroed(size_t size)
{
    void *block = calloc(1, size ? size : 1);
    if (!block)
        abort();
    return block;
}

// --- Values ---------------------------------------------------------------------------------------------------------

static uint64_t random_bits(const proposal *proposal)
{
    uint64_t bits = (uint64_t)kifu_rng_next(&proposal->fuzz->rng) << 32;
    return bits | kifu_rng_next(&proposal->fuzz->rng);
}

// Little-endian, as the value lies in the event.
static void write_bits(unsigned char *place, uint64_t bits, uint32_t size)
{
    memcpy(place, &bits, size);
}

static void write_float(const proposal *proposal, unsigned char *place, uint32_t size)
{
    static const double values[] = {0, -0.0, 1, -1, 0.5, 1.5, 3, 100, 1e-30, 1e30, -1e30};
    double value = values[below(proposal, sizeof values / sizeof *values)];
    if (size == sizeof value) {
        memcpy(place, &value, size);
    } else {
        float narrow = (float)value;
        memcpy(place, &narrow, size);
    }
}

// Small ones often: most games' numbers are small. And those at the edges, where mistakes are.
static uint64_t random_number(const proposal *proposal, uint32_t size)
{
    unsigned width = size * 8;
    uint64_t most = UINT64_MAX >> (64 - width), bits;
    switch (below(proposal, 12)) {
    case 0:
        return most - below(proposal, 3); // the largest, or -1, -2, -3
    case 1:
        return (most >> 1) + below(proposal, 4) - 1; // the largest and the smallest with a sign
    case 2:
        bits = random_bits(proposal); // A statement of its own: C does not say which operand comes first.
        return bits >> below(proposal, 64);
    case 3:
    case 4:
    case 5:
        return below(proposal, 100);
    default:
        return below(proposal, 8);
    }
}

static void write_enum(proposal *proposal, unsigned char *place, const kifu__enum *values)
{
    if (proposal->careless && below(proposal, 4) == 0) {
        write_bits(place, random_number(proposal, values->size), values->size);
        if (!kifu_fuzz__has_value(values, place))
            proposal->valid = false;
        return;
    }
    uint64_t bits = random_bits(proposal);
    if (values->bit_flags)
        bits &= values->mask;
    else if (values->values)
        bits = (uint64_t)values->values[below(proposal, values->value_count)];
    else if (values->high - values->low != -1) // all of 64 bits are no enum's values
        bits = (uint64_t)values->low + bits % ((uint64_t)values->high - (uint64_t)values->low + 1);
    write_bits(place, bits, values->size);
}

static void write_struct(proposal *proposal, unsigned char *place, const kifu__struct *structure)
{
    for (uint32_t i = 0; i < structure->member_count; i++) {
        const kifu__member *member = &structure->members[i];
        for (uint32_t j = 0; j < (member->count ? member->count : 1); j++) {
            unsigned char *each = place + member->offset + j * member->size;
            if (member->structure)
                write_struct(proposal, each, member->structure);
            else if (member->values)
                write_enum(proposal, each, member->values);
            else if (member->scalar == KIFU__F32 || member->scalar == KIFU__F64)
                write_float(proposal, each, member->size);
            else
                write_bits(each, random_number(proposal, member->size), member->size);
        }
    }
}

// A scalar or a struct.
static void write_value(proposal *proposal, unsigned char *place, const kifu__field *field)
{
    if (field->structure)
        write_struct(proposal, place, field->structure);
    else if (field->values)
        write_enum(proposal, place, field->values);
    else if (field->size >= 4 && below(proposal, 8) == 0) // which of them are floats is not known here
        write_float(proposal, place, field->size);
    else if (field->kind == KIFU__SCALAR && below(proposal, 8) == 0)
        write_bits(place, field->default_bits, field->size);
    else
        write_bits(place, random_number(proposal, field->size), field->size);
}

// The inline part: scalars and structs.
static void write_inline(proposal *proposal, unsigned char *place, const kifu__table *table)
{
    for (uint32_t id = 0; id < table->field_count; id++) {
        const kifu__field *field = &table->fields[id];
        if (!field->offset || (field->kind != KIFU__SCALAR && field->kind != KIFU__STRUCT))
            continue;
        unsigned char *value = place + field->offset;
        if (!field->has) {
            write_value(proposal, value, field);
        } else if (below(proposal, 3)) {
            place[field->has] = 1;
            write_value(proposal, value, field);
        } else if (field->values && !kifu_fuzz__has_value(field->values, value)) {
            write_bits(value, (uint64_t)field->values->low, field->size); // of an enum without 0, the first
        }
    }
}

// --- What an event leads to -----------------------------------------------------------------------------------------

static uint32_t random_count(const proposal *proposal)
{
    if (proposal->depth > 2)
        return below(proposal, 2);
    return below(proposal, 16) ? below(proposal, 5) : below(proposal, 60);
}

static void add_string(proposal *proposal, uint32_t ref)
{
    char text[300];
    uint32_t length = below(proposal, 16) ? below(proposal, 12) : below(proposal, sizeof text);
    for (uint32_t i = 0; i < length; i++) {
        uint32_t any = below(proposal, 128);
        text[i] = (char)(any >= ' ' && any < 127 ? (int)any : 'a' + (int)(any % 26));
    }
    text[length] = '\0';
    kifu__submit_string(proposal->timeline, ref, text);
}

static void add_children(proposal *proposal, const kifu__table *table, uint32_t at);

static void add_table(proposal *proposal, const kifu__table *table, uint32_t ref)
{
    unsigned char *place = zeroed(table->size);
    write_inline(proposal, place, table);
    uint32_t at = kifu__submit_table(proposal->timeline, ref, place, table->size, table->align);
    free(place);
    if (!at)
        return; // reported when the timeline runs
    proposal->depth++;
    add_children(proposal, table, at);
    proposal->depth--;
}

static void add_vector(proposal *proposal, const kifu__field *field, uint32_t ref)
{
    uint32_t count = random_count(proposal);
    unsigned char *elements = zeroed((size_t)count * field->size);
    for (uint32_t i = 0; i < count; i++)
        write_value(proposal, elements + i * field->size, field);
    kifu__submit_vector(proposal->timeline, ref, elements, count, field->size, field->align);
    free(elements);
}

static void add_child(proposal *proposal, const kifu__field *field, uint32_t ref)
{
    uint32_t count, at;
    switch (field->kind) {
    case KIFU__STRING:
        add_string(proposal, ref);
        break;
    case KIFU__TABLE:
        add_table(proposal, field->table, ref);
        break;
    case KIFU__VECTOR:
        add_vector(proposal, field, ref);
        break;
    default:
        count = random_count(proposal);
        at = kifu__submit_references(proposal->timeline, ref, count);
        for (uint32_t i = 0; at && i < count; i++) {
            if (field->kind == KIFU__TABLE_VECTOR)
                add_table(proposal, field->table, at + 4 * i);
            else
                add_string(proposal, at + 4 * i);
        }
    }
}

static void add_children(proposal *proposal, const kifu__table *table, uint32_t at)
{
    for (uint32_t id = 0; id < table->field_count; id++) {
        const kifu__field *field = &table->fields[id];
        if (!field->offset || field->kind == KIFU__SCALAR || field->kind == KIFU__STRUCT)
            continue;
        if (!field->required && below(proposal, proposal->depth < 3 ? 4 : 2) == 0)
            continue;
        if (field->required && proposal->careless && below(proposal, 4) == 0) {
            proposal->valid = false;
            continue;
        }
        add_child(proposal, field, at + field->offset);
    }
}

kifu_ticket kifu_fuzz__submit_random(fuzz *fuzz, kifu_timeline *timeline, uint32_t type, int player, bool *valid)
{
    proposal proposal = {.fuzz = fuzz, .timeline = timeline, .valid = true};
    proposal.careless = kifu_fuzz__one_in(fuzz, 8);
    const kifu__table *table = fuzz->rules->types[type].table;
    unsigned char *place = zeroed(table->size);
    write_inline(&proposal, place, table);
    kifu_ticket ticket;
    if (table->flat) {
        ticket = kifu__submit(timeline, type, player, place, table->size);
    } else {
        kifu__submit_begin(timeline, type, player, place, table->size);
        add_children(&proposal, table, 0);
        ticket = kifu__submit_end(timeline);
    }
    free(place);
    *valid = proposal.valid;
    return ticket;
}

// --- The beginning of a game ----------------------------------------------------------------------------------------

static void submit_standard(const fuzz *fuzz, kifu_timeline *timeline, const char *name, const void *table,
                            uint32_t size)
{
    for (uint32_t type = 1; type <= fuzz->rules->type_count; type++)
        if (strcmp(fuzz->rules->types[type].table->name, name) == 0)
            kifu__submit(timeline, type, -1, table, size);
}

void kifu_fuzz__submit_beginning(fuzz *fuzz, kifu_timeline *timeline)
{
    kifu_e_reset_game reset = {0};
    submit_standard(fuzz, timeline, "kifu.EResetGame", &reset, sizeof reset);
    uint32_t players = 2 + kifu_fuzz__below(fuzz, 3), most = fuzz->rules->max_players;
    if (most && players > most)
        players = most;
    for (uint32_t i = 0; i < players; i++) {
        kifu_e_add_player player = {.position = (uint8_t)i, .color = 0x404040 * i};
        submit_standard(fuzz, timeline, "kifu.EAddPlayer", &player, sizeof player);
    }
    kifu_e_initialize initialize = {
        .has_seed = true, .seed = kifu_rng_next(&fuzz->rng), .starting_player = KIFU_BY_LOT};
    submit_standard(fuzz, timeline, "kifu.EInitialize", &initialize, sizeof initialize);
    kifu_e_start_round round = {0};
    submit_standard(fuzz, timeline, "kifu.EStartRound", &round, sizeof round);
}
