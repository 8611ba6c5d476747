// Verifying segments: the hot path of load.

#include <stdio.h>

#include "error.h"
#include "wire.h"

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

static bool verify_head(kifu__verifier *verifier)
{
    uint32_t root, types, events, marks;
    if (!kifu__verify_offset(verifier, 0, &root) || !kifu__verify_any(verifier, &root_table, root, 1))
        return false;
    vector_of(verifier->bytes, root, EVENTS_TYPE, &types);
    vector_of(verifier->bytes, root, EVENTS, &events);
    vector_of(verifier->bytes, root, MARKS, &marks);
    if (types == events && marks == events)
        return true;
    kifu__fail_at(verifier, root, "");
    snprintf(verifier->failure.reason, sizeof verifier->failure.reason,
             "%u events need as many types and marks, and there are %u types and %u marks", (unsigned)events,
             (unsigned)types, (unsigned)marks);
    return false;
}

// --- Events ----------------------------------------------------------------------------------------------------------

// What is known of one type in this segment, once an event of it was verified whole and had the compiled vtable.
typedef struct known {
    uint32_t vtable;
    uint32_t last;      // where the last table that fits may start; 0 while nothing is known, for none starts there
    uint16_t check;     // where the byte is that must lie in a range, and the range; of any byte where there is none
    uint8_t low, range; //
    uint8_t align;      // of the struct, less one
    uint8_t more;       // 1 when that is not all
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

// Makes later events of the type quick. Most have no value to check, or one byte of an enum without holes.
static void learn(walk *walk, uint32_t type, const kifu__table *table, uint32_t vtable)
{
    known *known = &walk->types[type];
    const kifu__check *check = table->checks;
    *known = (struct known){.vtable = vtable,
                            .last = walk->verifier.size - table->size,
                            .align = (uint8_t)(struct_align(table) - 1),
                            .range = 255,
                            .more = !table->flat || table->check_count > 1};
    if (!table->flat || table->check_count != 1)
        return;
    const kifu__enum *values = check->values;
    if (check->count == 1 && values->size == 1 && !values->bit_flags && !values->values) {
        known->check = (uint16_t)check->offset;
        known->low = (uint8_t)values->low;
        known->range = (uint8_t)(values->high - values->low);
    } else {
        known->more = 1;
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
    if (compiled && !(position & (struct_align(table) - 1)))
        learn(walk, type, table, vtable);
    return true;
}

// What is left of an event whose inline part is known to be there.
static bool verify_rest(walk *walk, uint32_t index)
{
    kifu__verifier *verifier = &walk->verifier;
    const kifu__table *table = walk->rules->types[verifier->bytes[walk->parts.types + index]].table;
    uint32_t position = kifu__target(verifier->bytes, walk->parts.offsets + 4 * index);
    if (table->flat && kifu__checks_hold(table->checks, table->check_count, verifier->bytes + position))
        return true;
    walk->failed = index;
    return kifu__verify_fields(verifier, table, position, KIFU__EVENT_DEPTH);
}

// Types come in an order that no processor can guess, so the loop over all events branches on nothing that depends on
// the type: which events need more is collected, and done afterwards.
static bool verify_events(walk *walk)
{
    enum { BATCH = 256 };
    uint32_t later[BATCH];
    const unsigned char *bytes = walk->verifier.bytes;
    const unsigned char *types = bytes + walk->parts.types;
    const known *known_types = walk->types;
    for (uint32_t start = 0; start < walk->parts.count; start += BATCH) {
        uint32_t end = walk->parts.count - start < BATCH ? walk->parts.count : start + BATCH;
        uint32_t later_count = 0;
        for (uint32_t i = start; i < end; i++) {
            const known *known = &known_types[types[i]];
            uint32_t place = walk->parts.offsets + 4 * i;
            uint32_t offset = kifu__load32(bytes + place);
            uint32_t position = place + offset;
            // An offset of 0 or beyond 2^31 has the sign set, here; so `position` did not wrap.
            uint32_t odd = (position & known->align) | ((offset - 1) & UINT32_C(0x80000000));
            if (!odd && position <= known->last) {
                uint32_t vtable = kifu__vtable_of(bytes, position);
                uint8_t value = (uint8_t)(bytes[position + known->check] - known->low);
                if (vtable == known->vtable && value <= known->range) {
                    later[later_count] = i;
                    later_count += known->more;
                    continue;
                }
            }
            if (!verify_event(walk, i))
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

typedef struct mark_rules {
    uint32_t most_cause; // of the first event
    uint32_t step;       // how much more each next one's may be
    uint32_t unknown_flags;
} mark_rules;

// Whether mark `i` is one that cannot be: its cause before the first event, its player below -1, a flag not known. It
// is read as one number: cause, player, flags.
static uint32_t is_wrong(const mark_rules *rules, uint32_t i, uint32_t mark)
{
    uint32_t cause = (mark & 0xffff) > rules->most_cause + i * rules->step;
    uint32_t player = (int8_t)(mark >> 16) < -1;
    return cause | player | ((mark >> 24) & rules->unknown_flags);
}

static bool verify_marks(walk *walk, uint32_t first_event, bool pending)
{
    mark_rules rules = {
        .most_cause = first_event,
        .step = pending ? 0 : 1, // those that wait count from the end of the log
        .unknown_flags = 0xff & ~(uint32_t)(KIFU_UNDOABLE | KIFU_CONTINUE_UNDO | (pending ? KIFU__CONSEQUENCE : 0)),
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
    if ((mark >> 24) & rules.unknown_flags)
        snprintf(reason, size, "its mark has flags 0x%x, and there are no such flags here", (unsigned)(mark >> 24));
    else if ((int8_t)(mark >> 16) < -1)
        snprintf(reason, size, "its mark says player %d", (int)(int8_t)(mark >> 16));
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
        const char *name = type && type <= rules->type_count ? rules->types[type].table->name : "of no type";
        snprintf(where, sizeof where, "%sevent %u (%s)", waiting, (unsigned)number, name);
        kifu__report(&walk->verifier, buffer, where);
    }
    if (buffer->error && !pending)
        buffer->error->event = number;
    return result;
}

static kifu__segment borrow(const kifu__buffer *buffer, const kifu__parts *parts, uint32_t first_event)
{
    // Nobody writes through these: the segment is borrowed.
    unsigned char *bytes = (unsigned char *)(uintptr_t)buffer->bytes;
    kifu__segment segment = {
        .bytes = bytes,
        .size = buffer->size,
        .first = first_event,
        .count = parts->count,
        .rules_version = parts->rules_version,
        .marks = (kifu__mark *)(void *)(bytes + parts->marks),
        .offsets = (uint32_t *)(void *)(bytes + parts->offsets),
        .types = bytes + parts->types,
        .borrowed = true,
    };
    return segment;
}

kifu_result kifu__verify_segment(const kifu__buffer *buffer, const kifu_rules *rules, uint32_t first_event,
                                 bool pending, const unsigned char *schema, uint32_t schema_size,
                                 kifu__segment *segment, bool *castable)
{
    walk walk;
    if (!kifu__verifier_open(&walk.verifier, buffer) || !verify_head(&walk.verifier))
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
    *segment = borrow(buffer, &walk.parts, first_event);
    *castable = *castable && walk.verifier.castable;
    return KIFU_OK;
}
