// Verifying segments: the hot path of load. Compiled for size (KIFU__QUICK), each event is verified whole.

#include <stdio.h>

#include "base/error.h"
#include "wire/buffer.h"

// The root of a segment, as schema/kifu.fbs and FORMAT.md describe it. A vector of a union's members is one of offsets,
// here.
enum { ROOT_EVENTS_TYPE, ROOT_EVENTS, ROOT_MARKS, ROOT_RULES_VERSION };
static const kifu__field segment_root_fields[] = {
    [ROOT_EVENTS_TYPE] = {.name = "events_type", .kind = KIFU__VECTOR, .align = 1, .size = 1, .offset = 4},
    [ROOT_EVENTS] = {.name = "events", .kind = KIFU__VECTOR, .align = 4, .size = 4, .offset = 8},
    [ROOT_MARKS] = {.name = "marks", .kind = KIFU__VECTOR, .align = 2, .size = 4, .offset = 12},
    [ROOT_RULES_VERSION] = {.name = "rules_version", .kind = KIFU__SCALAR, .align = 4, .size = 4, .offset = 16},
};
static const kifu__table root_table = {
    .name = "kifu.Segment", .size = 20, .align = 4, .field_count = 4, .fields = segment_root_fields};

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
    parts.types = vector_of(bytes, root, ROOT_EVENTS_TYPE, &unused);
    parts.offsets = vector_of(bytes, root, ROOT_EVENTS, &parts.count);
    parts.marks = vector_of(bytes, root, ROOT_MARKS, &unused);
    uint32_t version = kifu__field_at(bytes, root, ROOT_RULES_VERSION);
    parts.rules_version = version ? kifu__load32(bytes + version) : 0;
    return parts;
}

bool kifu__verify_head(kifu__verifier *verifier)
{
    uint32_t root, types, events, marks;
    if (!kifu__verify_offset(verifier, 0, &root) || !kifu__verify_any(verifier, &root_table, root, 1))
        return false;
    vector_of(verifier->bytes, root, ROOT_EVENTS_TYPE, &types);
    vector_of(verifier->bytes, root, ROOT_EVENTS, &events);
    vector_of(verifier->bytes, root, ROOT_MARKS, &marks);
    // Of an empty union vector, the official verifier wants both halves or none.
    bool halved =
        !kifu__field_at(verifier->bytes, root, ROOT_EVENTS) != !kifu__field_at(verifier->bytes, root, ROOT_EVENTS_TYPE);
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

enum {
    MOST_CHILDREN = 16, // Of a type: events may share a table, and each of them looks at all of its children.
    CHILD_ROOM = 512
};

// A string, or a vector without values to check, to which an event refers.
typedef struct child {
    uint16_t place; // Of the offset to it, in the table.
    uint16_t size;  // Of an element,
    uint8_t align;  // and its alignment, less one.
    uint8_t ending; // All bits of the byte behind the elements that must be zero.
} child;

// What an event of one type must be like, besides its vtable and its place, to need no more verifying.
typedef struct known {
    uint16_t check;     // Where the byte is that must lie in a range, and the range; of any byte where there is none.
    uint8_t low, range; //
} known;

// What is known of a type after an event of it was verified whole and had the compiled vtable. Positions count from the
// origin, a multiple of 8 bytes.
typedef struct verify_walk {
    kifu__verifier verifier;
    const kifu_rules *rules;
    kifu__parts parts;
    uint32_t origin;
    uint32_t skew;         // Where the elements of the offsets begin, in elements.
    uint32_t limit;        // From here on, the largest table does not fit any more.
    uint32_t failed;       // The event, counted from the segment's first.
    bool unknown;          // Its type is, which is why.
    uint64_t vtables[256]; // By type; UINT64_MAX while nothing is known of it.
    known types[256];
    uint8_t aligns[256];      // Of the struct, less one.
    uint8_t more[256];        // 1: that is not all.
    uint8_t child_count[256]; // 0: the rest is not children alone.
    uint16_t first_child[256];
    uint32_t children_end;
    child children[CHILD_ROOM];
} verify_walk;

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

// Adds the children of a type. False: there is more to verify than them, or they are too many.
static bool queue_children(verify_walk *walk, const kifu__table *table)
{
    const uint32_t first = walk->children_end;
    for (uint32_t id = 0; id < table->field_count; id++) {
        const kifu__field *field = &table->fields[id];
        const bool is_string = field->kind == KIFU__STRING;
        if (!field->offset || (!kifu__is_reference(field) && !field->has && !kifu__is_checked(field)))
            continue;
        if ((!is_string && field->kind != KIFU__VECTOR) || kifu__is_checked(field) ||
            walk->children_end - first == MOST_CHILDREN || walk->children_end == CHILD_ROOM)
            return false;
        walk->children[walk->children_end++] = (child){
            .place = field->offset,
            .size = is_string ? 1 : field->size,
            .align = (uint8_t)((is_string ? 1 : field->align) - 1),
            .ending = is_string ? 0xff : 0,
        };
    }
    return true;
}

static void learn_children(verify_walk *walk, uint32_t type, const kifu__table *table)
{
    const uint32_t first = walk->children_end;
    if (!queue_children(walk, table))
        walk->children_end = first;
    walk->first_child[type] = (uint16_t)first;
    walk->child_count[type] = (uint8_t)(walk->children_end - first);
}

// Whether checking one byte checks all of the table's values.
static bool is_one_byte(const kifu__table *table)
{
    const kifu__check *check = table->checks;
    return table->flat && table->check_count == 1 && check->count == 1 && check->values->size == 1 &&
           !check->values->bit_flags && !check->values->values;
}

// Counted from the origin.
static uint32_t limit_of(const verify_walk *walk)
{
    uint32_t most = 0;
    for (uint32_t type = 1; type <= walk->rules->type_count; type++) {
        const uint32_t size = walk->rules->types[type].table->size;
        most = size > most ? size : most;
    }
    const uint32_t behind = walk->origin + most - 1;
    return walk->verifier.size > behind ? walk->verifier.size - behind : 0;
}

// Makes later events of the type quick.
static void learn_vtable(verify_walk *walk, uint32_t type, const kifu__table *table, uint32_t vtable)
{
    if (walk->vtables[type] == UINT64_MAX)
        learn_children(walk, type, table);
    walk->vtables[type] = (uint32_t)(vtable - walk->origin);
    walk->aligns[type] = (uint8_t)(struct_align(table) - 1);
    walk->more[type] = !table->flat || table->check_count;
    known *known = &walk->types[type];
    *known = (struct known){.range = 255};
    if (is_one_byte(table)) {
        const kifu__enum *values = table->checks->values;
        known->check = (uint16_t)table->checks->offset;
        known->low = (uint8_t)values->low;
        known->range = (uint8_t)(values->high - values->low);
        walk->more[type] = 0;
    }
}

// One event from nothing.
static bool verify_segment_event(verify_walk *walk, uint32_t index)
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
    if (!KIFU__QUICK)
        return true;
    uint32_t vtable = kifu__vtable_of(verifier->bytes, position);
    uint32_t size = table->vtable[0];
    const unsigned char *bytes = verifier->bytes + vtable;
    bool compiled = kifu__load16(bytes) == size && !memcmp(bytes, table->vtable, size);
    if (compiled) // so all its fields are there, each aligned
        learn_vtable(walk, type, table, vtable);
    return true;
}

// Whether a child of the event at `position` is as it must be. False also when only a closer look can tell.
static bool is_good(const kifu__verifier *verifier, const child *child, uint64_t position)
{
    const unsigned char *bytes = verifier->bytes;
    const uint64_t place = position + child->place;
    const uint32_t offset = kifu__load32(bytes + place);
    const uint64_t target = place + offset, first = target + 4;
    if (!offset || first > verifier->size)
        return false;
    const uint64_t end = first + (uint64_t)kifu__load32(bytes + target) * child->size;
    if (target % 4 || (first & child->align) || end >= verifier->size) // an end is no end of the buffer, mostly
        return false;
    return !(bytes[end] & child->ending);
}

static bool are_good(const verify_walk *walk, uint32_t type, uint64_t position)
{
    const child *child = walk->children + walk->first_child[type];
    uint32_t left = walk->child_count[type];
    bool good = left > 0;
    for (; left && good; left--)
        good = is_good(&walk->verifier, child++, position);
    return good;
}

// What is left of an event whose inline part is known to be there.
static bool verify_rest(verify_walk *walk, uint32_t index)
{
    kifu__verifier *verifier = &walk->verifier;
    const uint32_t type = verifier->bytes[walk->parts.types + index];
    const uint32_t position = kifu__target(verifier->bytes, walk->parts.offsets + 4 * index);
    if (are_good(walk, type, position))
        return true;
    const kifu__table *table = walk->rules->types[type].table;
    walk->failed = index;
    return (table->flat && kifu__checks_hold(table->checks, table->check_count, verifier->bytes + position, NULL)) ||
           kifu__verify_fields(verifier, table, position, KIFU__EVENT_DEPTH);
}

// Verifies the events from `first` to `end`, as long as each is like one that was verified whole. Returns the first
// that is not. Those with more to verify are entered in `later`, each `skew` too high. Types come in an order that no
// processor can guess, so nothing here branches on what depends on the type.
static uint32_t pass_known(const verify_walk *walk, uint32_t first, uint32_t end, uint32_t *later,
                           uint32_t *later_count)
{
    const uint32_t skew = walk->skew;
    const unsigned char *origin = walk->verifier.bytes + walk->origin;
    const unsigned char *types = walk->verifier.bytes + walk->parts.types - skew;
    const uint64_t limit = walk->limit;
    uint32_t *next = later + *later_count;
    uint64_t i = (uint64_t)first + skew;
    for (const uint64_t stop = (uint64_t)end + skew; i < stop; i++) {
        const uint32_t type = types[i];
        const uint64_t position = 4 * i + kifu__load32(origin + 4 * i); // it does not wrap
        if (position >= limit || (position & walk->aligns[type]))
            break;
        // An offset of 0 leads to itself, read as a table whose vtable is there, too; but no vtable begins with 0.
        const unsigned char *table = origin + position;
        const known *known = &walk->types[type];
        if ((uint32_t)position - kifu__load32(table) != walk->vtables[type] ||
            (uint8_t)(table[known->check] - known->low) > known->range)
            break;
        *next = (uint32_t)i;
        next += walk->more[type];
    }
    *later_count = (uint32_t)(next - later);
    return (uint32_t)i - skew;
}

// --- Marks -----------------------------------------------------------------------------------------------------------

// Those that an event may have anywhere.
enum { MARK_FLAGS = KIFU_UNDOABLE | KIFU_CONTINUE_UNDO | KIFU_RANDOM | KIFU_REVEALS | KIFU_UNLESS_RANDOM };

typedef struct mark_rules {
    uint32_t most_cause; // of the first event
    uint32_t growing;    // all bits set where each next one's may be one more, otherwise none
    uint32_t unknown_flags;
} mark_rules;

// Nonzero when the cause of mark `i`, read as one number, lies before the first event. This and the next function are
// arithmetic that compilers make wide.
static uint32_t is_too_far(const mark_rules *rules, uint32_t i, uint32_t mark)
{
    return (rules->most_cause + (i & rules->growing) - (mark & 0xffff)) & UINT32_C(0x80000000);
}

// Nonzero when its player is below -1, or a flag is not known. A player from -128 to -2 is a byte whose highest bit is
// set and stays set when 1 is added.
static KIFU__APART uint32_t is_wrong(const mark_rules *rules, uint32_t mark)
{
    return (mark & (mark + 0x10000) & 0x800000) | (mark & rules->unknown_flags << 24);
}

static mark_rules mark_rules_of(uint32_t first_event, bool pending)
{
    return (mark_rules){
        .most_cause = first_event < 0xffff ? first_event : 0xffff,
        .growing = pending ? 0 : UINT32_MAX, // those that wait count from the end of the log
        .unknown_flags = 0xff & ~(uint32_t)(MARK_FLAGS | (pending ? KIFU__CONSEQUENCE : 0)),
    };
}

// Nonzero when one of the marks from `first` to `end` cannot be.
static uint32_t are_wrong(const mark_rules *rules, const unsigned char *marks, uint32_t first, uint32_t end)
{
    uint32_t wrong = 0;
    for (uint32_t i = first; i < end; i++)
        wrong |= is_wrong(rules, kifu__load32(marks + 4 * (size_t)i));
    for (uint32_t i = first; i < end && rules->most_cause < 0xffff; i++)
        wrong |= is_too_far(rules, i, kifu__load32(marks + 4 * (size_t)i));
    return wrong;
}

// Says what is wrong with the first wrong one.
static bool fail_mark(verify_walk *walk, mark_rules rules)
{
    const unsigned char *marks = walk->verifier.bytes + walk->parts.marks;
    uint32_t i = 0, mark = kifu__load32(marks);
    while (!is_wrong(&rules, mark) && !is_too_far(&rules, i, mark))
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
        snprintf(reason, size, "its cause is %u events back, before the first event", (unsigned)(mark & 0xffff));
    return false;
}

// --- Both ------------------------------------------------------------------------------------------------------------

// In batches, with the marks of each, so that the processor fetches the next bytes while it verifies.
static bool verify_events(verify_walk *walk, mark_rules rules)
{
    enum { BATCH = 256 };
    uint32_t later[BATCH + 1];
    uint32_t count = walk->parts.count, index = 0, wrong = 0;
    while (index < count) {
        uint32_t end = count - index < BATCH ? count : index + BATCH;
        uint32_t later_count = 0;
        wrong |= are_wrong(&rules, walk->verifier.bytes + walk->parts.marks, index, end);
        while ((index = KIFU__QUICK ? pass_known(walk, index, end, later, &later_count) : index) < end) {
            if (!verify_segment_event(walk, index++))
                return false;
        }
        for (uint32_t i = 0; i < later_count; i++) {
            if (!verify_rest(walk, later[i] - walk->skew))
                return false;
        }
    }
    return !wrong || fail_mark(walk, rules);
}

// --- The whole -------------------------------------------------------------------------------------------------------

static kifu_result report_damage(const kifu__buffer *buffer, const verify_walk *walk, uint32_t first_event,
                                 bool pending, const unsigned char *schema, uint32_t schema_size)
{
    const kifu_rules *rules = walk->rules;
    uint32_t type = buffer->bytes[walk->parts.types + walk->failed];
    uint32_t number = walk->failed + (pending ? 0 : first_event);
    const char *waiting = pending ? "waiting " : "";
    kifu_result result = KIFU_DAMAGED;
    if (walk->unknown) {
        char room[100];
        const bool named = kifu__event_name(schema, schema_size, rules->union_name, type, room, sizeof room);
        const char *name = named ? room : "an event";
        result =
            kifu__error_at(buffer->error, KIFU_UNKNOWN_EVENT, buffer->offset + walk->verifier.failure.position,
                           "%sevent %u is %s (type %u), which this version of %s does not know; it knows types 1 "
                           "to %u: update the game",
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

// A verified segment where it lies.
static kifu__segment borrow_segment(const kifu__buffer *buffer, const kifu__parts *parts, uint32_t first)
{
    unsigned char *bytes = (unsigned char *)(uintptr_t)buffer->bytes; // Nothing writes through it.
    return (kifu__segment){
        .bytes = bytes,
        .size = buffer->size,
        .first = first,
        .count = parts->count,
        .rules_version = parts->rules_version,
        .marks = (kifu__mark *)(void *)(bytes + parts->marks),
        .offsets = (uint32_t *)(void *)(bytes + parts->offsets),
        .types = bytes + parts->types,
        .borrowed = true,
    };
}

kifu_result kifu__verify_segment(const kifu__buffer *buffer, const kifu_rules *rules, uint32_t first_event,
                                 bool pending, const unsigned char *schema, uint32_t schema_size,
                                 kifu__segment *segment, bool *castable)
{
    verify_walk walk;
    if (!kifu__verifier_open(&walk.verifier, buffer) || !kifu__verify_head(&walk.verifier))
        return kifu__report(&walk.verifier, buffer, root_table.name);
    walk.verifier.castable = true; // the root's own layout may be any: it is never cast
    walk.rules = rules;
    walk.parts = kifu__segment_parts(buffer->bytes);
    walk.skew = walk.parts.offsets / 4 % 2;
    walk.origin = walk.parts.offsets - 4 * walk.skew;
    walk.limit = KIFU__QUICK ? limit_of(&walk) : 0;
    walk.children_end = 0;
    walk.unknown = false;
    if (KIFU__QUICK)
        memset(walk.vtables, 0xff, sizeof walk.vtables);
    if (walk.parts.count >= KIFU_NONE - first_event)
        return kifu__error_at(buffer->error, KIFU_TOO_LARGE, buffer->offset, "a log has at most 4,294,967,294 events");
    if (!verify_events(&walk, mark_rules_of(first_event, pending)))
        return report_damage(buffer, &walk, first_event, pending, schema, schema_size);
    *segment = borrow_segment(buffer, &walk.parts, first_event);
    *castable = *castable && walk.verifier.castable;
    return KIFU_OK;
}
