// Verifying segments: the hot path of load.

#include <stdio.h>

#include "base/error.h"
#include "wire/buffer.h"

// The root of a segment, as schema/kifu.fbs and FORMAT.md describe it. A vector of a union's members is one of offsets,
// here.
enum { EVENTS_TYPE, EVENTS, MARKS, RULES_VERSION };
static const kifu__field root_fields[] = {
    [EVENTS_TYPE] = {.name = "events_type", .kind = KIFU__VECTOR, .align = 1, .size = 1, .offset = 4},
    [EVENTS] = {.name = "events", .kind = KIFU__VECTOR, .align = 4, .size = 4, .offset = 8},
    [MARKS] = {.name = "marks", .kind = KIFU__VECTOR, .align = 2, .size = 4, .offset = 12},
    [RULES_VERSION] = {.name = "rules_version", .kind = KIFU__SCALAR, .align = 4, .size = 4, .offset = 16},
};
static const kifu__table root_table = {
    .name = "kifu.Segment", .size = 20, .align = 4, .field_count = 4, .fields = root_fields};

// Position of the first element of one of the root's vectors; their count. An absent vector is an empty one.
static uint32_t vector_of(const unsigned char *bytes, uint32_t root, uint32_t id, uint32_t *count)
{
    uint32_t place = kifu__field_at(bytes, root, id);
    *count = 0;
    if (!place)
        return 0;
    uint32_t vector = kifu__target(bytes, place);
    *count = kifu__load32(bytes + vector);
    return vector + 4;
}

kifu__parts kifu__segment_parts(const unsigned char *bytes)
{
    uint32_t root = kifu__load32(bytes);
    kifu__parts parts;
    uint32_t unused;
    parts.types = vector_of(bytes, root, EVENTS_TYPE, &unused);
    parts.offsets = vector_of(bytes, root, EVENTS, &parts.count);
    parts.marks = vector_of(bytes, root, MARKS, &unused);
    uint32_t version = kifu__field_at(bytes, root, RULES_VERSION);
    parts.rules_version = version ? kifu__load32(bytes + version) : 0;
    return parts;
}

bool kifu__verify_head(kifu__verifier *verifier)
{
    uint32_t root, types, events, marks;
    if (!kifu__verify_offset(verifier, 0, &root) || !kifu__verify_any(verifier, &root_table, root, 1))
        return false;
    vector_of(verifier->bytes, root, EVENTS_TYPE, &types);
    vector_of(verifier->bytes, root, EVENTS, &events);
    vector_of(verifier->bytes, root, MARKS, &marks);
    // Of an empty union vector, the official verifier wants both halves or none.
    bool halved = !kifu__field_at(verifier->bytes, root, EVENTS) != !kifu__field_at(verifier->bytes, root, EVENTS_TYPE);
    if (halved)
        return kifu__fail_at(verifier, root, "it has events_type without events, or events without events_type");
    if (types == events && marks == events)
        return true;
    kifu__fail_at(verifier, root, "");
    snprintf(verifier->failure.reason, sizeof verifier->failure.reason,
             "%u events need as many types and marks, and there are %u types and %u marks", (unsigned)events,
             (unsigned)types, (unsigned)marks);
    return false;
}

// --- Events ----------------------------------------------------------------------------------------------------------

// What an event of one type must be like to need no more verifying, after one of this segment was verified whole and
// had the compiled vtable.
typedef struct known {
    uint32_t vtable;
    uint32_t last;      // where the last table that fits may start; 0 while nothing is known, for none starts there
    uint16_t check;     // where the byte is that must lie in a range, and the range; of any byte where there is none
    uint8_t low, range; //
    uint8_t align;      // of the struct, less one
    bool more;          // that is not all
    bool simple;        // the rest is strings and vectors without values to check, and few
} known;

typedef struct walk {
    kifu__verifier verifier;
    const kifu_rules *rules;
    kifu__parts parts;
    uint32_t failed;  // the event, counted from the segment's first
    bool unknown;     // its type is, which is why
    known types[256]; // those that the game does not have stay unknown
} walk;

static uint32_t struct_align(const kifu__table *table)
{
    uint32_t align = 4;
    for (uint32_t id = 0; id < table->field_count; id++) {
        const kifu__field *field = &table->fields[id];
        if (field->offset && !kifu__is_reference(field) && field->align > align)
            align = field->align;
    }
    return align;
}

static bool is_simple(const kifu__table *table)
{
    for (uint32_t id = 0; id < table->field_count; id++) {
        const kifu__field *field = &table->fields[id];
        if (field->offset && (field->kind > KIFU__VECTOR || field->has || kifu__is_checked(field)))
            return false;
    }
    return table->field_count <= 16; // events may share a table, and each of them walks its fields
}

// Whether checking one byte checks all of the table's values.
static bool is_one_byte(const kifu__table *table)
{
    const kifu__check *check = table->checks;
    return table->flat && table->check_count == 1 && check->count == 1 && check->values->size == 1 &&
           !check->values->bit_flags && !check->values->values;
}

// Makes later events of the type quick.
static void learn(walk *walk, uint32_t type, const kifu__table *table, uint32_t vtable)
{
    known *known = &walk->types[type];
    *known = (struct known){
        .vtable = vtable,
        .last = walk->verifier.size - table->size,
        .range = 255,
        .align = (uint8_t)(struct_align(table) - 1),
        .more = !table->flat || table->check_count,
        .simple = is_simple(table),
    };
    if (is_one_byte(table)) {
        const kifu__enum *values = table->checks->values;
        known->check = (uint16_t)table->checks->offset;
        known->low = (uint8_t)values->low;
        known->range = (uint8_t)(values->high - values->low);
        known->more = false;
    }
}

// One event from nothing.
static bool verify_event(walk *walk, uint32_t index)
{
    kifu__verifier *verifier = &walk->verifier;
    const kifu_rules *rules = walk->rules;
    uint32_t type = verifier->bytes[walk->parts.types + index], position;
    walk->failed = index;
    if (type == 0)
        return kifu__fail_at(verifier, walk->parts.types + index, "it has no type");
    if (type > rules->type_count) {
        walk->unknown = true;
        return kifu__fail_at(verifier, walk->parts.types + index, "");
    }
    const kifu__table *table = rules->types[type].table;
    if (!kifu__verify_offset(verifier, walk->parts.offsets + 4 * index, &position) ||
        !kifu__verify_any(verifier, table, position, KIFU__EVENT_DEPTH))
        return false;
    uint32_t vtable = kifu__vtable_of(verifier->bytes, position);
    uint32_t size = table->vtable[0];
    const unsigned char *bytes = verifier->bytes + vtable;
    bool compiled = kifu__load16(bytes) == size && !memcmp(bytes, table->vtable, size);
    if (compiled) // so all its fields are there, each aligned
        learn(walk, type, table, vtable);
    return true;
}

// The string or vector that a reference at `place` leads to. False also when only a closer look can tell.
static bool is_good(const kifu__verifier *verifier, const kifu__field *field, uint32_t place)
{
    const unsigned char *bytes = verifier->bytes;
    uint32_t offset = kifu__load32(bytes + place);
    uint64_t target = (uint64_t)place + offset;
    if (offset == 0 || target > verifier->size - 4)
        return false;
    bool is_string = field->kind == KIFU__STRING;
    uint64_t first = target + 4, count = kifu__load32(bytes + target);
    uint64_t end = first + (is_string ? count : count * field->size);
    if (target % 4 || end >= verifier->size) // an end is no end of the buffer, mostly
        return false;
    return is_string ? bytes[end] == 0 : (first & (field->align - 1U)) == 0;
}

// What is left of an event whose inline part is known to be there.
static bool verify_rest(walk *walk, uint32_t index)
{
    kifu__verifier *verifier = &walk->verifier;
    uint32_t type = verifier->bytes[walk->parts.types + index];
    const kifu__table *table = walk->rules->types[type].table;
    uint32_t position = kifu__target(verifier->bytes, walk->parts.offsets + 4 * index);
    bool good = table->flat && kifu__checks_hold(table->checks, table->check_count, verifier->bytes + position, NULL);
    if (walk->types[type].simple) {
        const kifu__field *field = table->fields, *end = field + table->field_count;
        good = true;
        for (; field < end && good; field++)
            good = !field->offset || !kifu__is_reference(field) || is_good(verifier, field, position + field->offset);
    }
    walk->failed = index;
    return good || kifu__verify_fields(verifier, table, position, KIFU__EVENT_DEPTH);
}

// Verifies the events from `index` to `end`, as long as each is like one that was verified whole. Returns the first
// that is not. Those with more to verify are entered in `later`. Types come in an order that no processor can guess, so
// nothing here branches on what depends on the type.
static uint32_t pass_known(const walk *walk, uint32_t first, uint32_t end, uint32_t *later, uint32_t *later_count)
{
    const unsigned char *bytes = walk->verifier.bytes;
    const unsigned char *types = bytes + walk->parts.types;
    const unsigned char *offsets = bytes + walk->parts.offsets;
    const known *all = walk->types;
    uint32_t *next = later + *later_count;
    uint64_t index = first;
    for (; index < end; index++) {
        const known *known = &all[types[index]];
        uint64_t position = walk->parts.offsets + 4 * index + kifu__load32(offsets + 4 * index); // it does not wrap
        if (position > known->last)
            break;
        // An offset of 0 leads to itself, read as a table whose vtable is there, too; but no vtable begins with 0.
        const unsigned char *table = bytes + position;
        uint32_t vtable = (uint32_t)position - kifu__load32(table);
        uint8_t value = (uint8_t)(table[known->check] - known->low);
        if (((vtable ^ known->vtable) | (position & known->align)) || value > known->range)
            break;
        *next = (uint32_t)index;
        next += known->more;
    }
    *later_count = (uint32_t)(next - later);
    return (uint32_t)index;
}

static bool verify_events(walk *walk)
{
    enum { BATCH = 256 };
    uint32_t later[BATCH + 1];
    uint32_t count = walk->parts.count, index = 0;
    while (index < count) {
        uint32_t end = count - index < BATCH ? count : index + BATCH;
        uint32_t later_count = 0;
        while ((index = pass_known(walk, index, end, later, &later_count)) < end) {
            if (!verify_event(walk, index++))
                return false;
        }
        for (uint32_t i = 0; i < later_count; i++) {
            if (!verify_rest(walk, later[i]))
                return false;
        }
    }
    return true;
}

// --- Marks -----------------------------------------------------------------------------------------------------------

// Those that an event may have anywhere.
enum { MARK_FLAGS = KIFU_UNDOABLE | KIFU_CONTINUE_UNDO | KIFU_RANDOM | KIFU_REVEALS | KIFU_UNLESS_RANDOM };

typedef struct mark_rules {
    uint32_t most_cause; // of the first event
    uint32_t growing;    // all bits set where each next one's may be one more, otherwise none
    uint32_t unknown_flags;
} mark_rules;

// Nonzero when mark `i`, read as one number, is one that cannot be: its cause before the first event, its player below
// -1, a flag not known. In arithmetic that compilers make wide: a player from -128 to -2 is a byte whose highest bit is
// set and stays set when 1 is added.
static uint32_t is_wrong(const mark_rules *rules, uint32_t i, uint32_t mark)
{
    uint32_t cause = (rules->most_cause + (i & rules->growing) - (mark & 0xffff)) & UINT32_C(0x80000000);
    uint32_t player = mark & (mark + 0x10000) & 0x800000;
    return cause | player | (mark & rules->unknown_flags << 24);
}

static bool verify_marks(walk *walk, uint32_t first_event, bool pending)
{
    mark_rules rules = {
        .most_cause = first_event < 0xffff ? first_event : 0xffff,
        .growing = pending ? 0 : UINT32_MAX, // those that wait count from the end of the log
        .unknown_flags = 0xff & ~(uint32_t)(MARK_FLAGS | (pending ? KIFU__CONSEQUENCE : 0)),
    };
    const unsigned char *marks = walk->verifier.bytes + walk->parts.marks;
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < walk->parts.count; i++)
        wrong |= is_wrong(&rules, i, kifu__load32(marks + 4 * (size_t)i));
    if (!wrong)
        return true;
    uint32_t i = 0, mark = kifu__load32(marks);
    while (!is_wrong(&rules, i, mark))
        mark = kifu__load32(marks + 4 * (size_t)++i);
    walk->failed = i;
    kifu__fail_at(&walk->verifier, walk->parts.marks + 4 * i, "");
    char *reason = walk->verifier.failure.reason;
    size_t size = sizeof walk->verifier.failure.reason;
    if (mark >> 24 & rules.unknown_flags)
        snprintf(reason, size, "its mark has flags 0x%x, and there are no such flags here", (unsigned)(mark >> 24));
    else if ((int8_t)(mark >> 16) < -1)
        snprintf(reason, size, "its mark has player %d, which is below -1", (int)(int8_t)(mark >> 16));
    else
        snprintf(reason, size, "its mark says that its cause is %u events back, before the first event",
                 (unsigned)(mark & 0xffff));
    return false;
}

// --- The whole -------------------------------------------------------------------------------------------------------

static kifu_result report(const kifu__buffer *buffer, const walk *walk, uint32_t first_event, bool pending,
                          const unsigned char *schema, uint32_t schema_size)
{
    const kifu_rules *rules = walk->rules;
    uint32_t type = buffer->bytes[walk->parts.types + walk->failed];
    uint32_t number = walk->failed + (pending ? 0 : first_event);
    const char *waiting = pending ? "waiting " : "";
    kifu_result result = KIFU_DAMAGED;
    if (walk->unknown) {
        char name[100];
        if (!kifu__event_name(schema, schema_size, rules->union_name, type, name, sizeof name))
            snprintf(name, sizeof name, "an event");
        result =
            kifu__error_at(buffer->error, KIFU_UNKNOWN_EVENT, buffer->offset + walk->verifier.failure.position,
                           "%sevent %u is %s (type %u), which this version of %s does not know; it knows types 1 "
                           "to %u: the save was written by a newer version",
                           waiting, (unsigned)number, name, (unsigned)type, rules->name, (unsigned)rules->type_count);
    } else {
        char where[140];
        const char *name = type ? rules->types[type].table->name : "of no type";
        snprintf(where, sizeof where, "%sevent %u (%s)", waiting, (unsigned)number, name);
        kifu__report(&walk->verifier, buffer, where);
    }
    if (buffer->error && !pending)
        buffer->error->event = number;
    return result;
}

kifu__segment kifu__segment_of(const unsigned char *borrowed, uint32_t size)
{
    const kifu__parts parts = kifu__segment_parts(borrowed);
    unsigned char *bytes = (unsigned char *)(uintptr_t)borrowed; // Nobody writes through it.
    const kifu__segment segment = {
        .bytes = bytes,
        .size = size,
        .count = parts.count,
        .rules_version = parts.rules_version,
        .marks = (kifu__mark *)(void *)(bytes + parts.marks),
        .offsets = (uint32_t *)(void *)(bytes + parts.offsets),
        .types = bytes + parts.types,
        .borrowed = true,
    };
    return segment;
}

kifu_result kifu__verify_segment(const kifu__buffer *buffer, const kifu_rules *rules, uint32_t first_event,
                                 bool pending, const unsigned char *schema, uint32_t schema_size,
                                 kifu__segment *segment, bool *castable)
{
    walk walk;
    if (!kifu__verifier_open(&walk.verifier, buffer) || !kifu__verify_head(&walk.verifier))
        return kifu__report(&walk.verifier, buffer, root_table.name);
    walk.verifier.castable = true; // the root's own layout may be any: it is never cast
    walk.rules = rules;
    walk.parts = kifu__segment_parts(buffer->bytes);
    walk.unknown = false;
    memset(walk.types, 0, sizeof walk.types);
    if (walk.parts.count >= KIFU_NONE - first_event)
        return kifu__error_at(buffer->error, KIFU_TOO_LARGE, buffer->offset, "a log has at most 4,294,967,294 events");
    if (!verify_events(&walk) || !verify_marks(&walk, first_event, pending))
        return report(buffer, &walk, first_event, pending, schema, schema_size);
    *segment = kifu__segment_of(buffer->bytes, buffer->size);
    segment->first = first_event;
    *castable = *castable && walk.verifier.castable;
    return KIFU_OK;
}
