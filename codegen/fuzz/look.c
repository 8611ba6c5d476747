// What a timeline is, in numbers that can be compared, and where two states differ.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

// --- Events ---------------------------------------------------------------------------------------------------------

bool kifu_fuzz__has_value(const kifu__enum *values, const unsigned char *place)
{
    uint64_t bits = 0;
    memcpy(&bits, place, values->size);
    if (values->bit_flags)
        return !(bits & ~values->mask);
    unsigned unused = 64 - 8u * values->size;
    int64_t value = values->is_signed ? (int64_t)(bits << unused) >> unused : (int64_t)bits;
    if (!values->values)
        return values->is_signed ? value >= values->low && value <= values->high
                                 : bits >= (uint64_t)values->low && bits <= (uint64_t)values->high;
    for (uint32_t i = 0; i < values->value_count; i++)
        if (values->values[i] == value)
            return true;
    return false;
}

typedef struct digest {
    uint64_t sum;
    bool valid;
} digest;

static void add(digest *digest, uint64_t number)
{
    digest->sum = (digest->sum ^ number) * UINT64_C(0x9E3779B97F4A7C15);
    digest->sum ^= digest->sum >> 29;
}

static void add_bytes(digest *digest, const unsigned char *bytes, uint32_t size)
{
    for (; size >= 8; size -= 8, bytes += 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        add(digest, word);
    }
    uint64_t rest = 0;
    memcpy(&rest, bytes, size);
    add(digest, rest ^ (uint64_t)size << 56);
}

static void add_inline(digest *digest, const unsigned char *place, uint32_t size, const kifu__enum *values,
                       const kifu__struct *structure)
{
    add_bytes(digest, place, size);
    if (values && !kifu_fuzz__has_value(values, place))
        digest->valid = false;
    for (uint32_t i = 0; structure && i < structure->check_count; i++) {
        const kifu__check *check = &structure->checks[i];
        for (uint32_t j = 0; j < check->count; j++)
            if (!kifu_fuzz__has_value(check->values, place + check->offset + j * check->stride))
                digest->valid = false;
    }
}

static void add_table(digest *digest, const kifu__table *table, const unsigned char *place);

static void add_reference(digest *digest, const kifu__field *field, const unsigned char *place)
{
    const kifu_ref *ref = (const void *)place;
    if (!ref->offset) {
        if (field->required)
            digest->valid = false;
        add(digest, 1);
        return;
    }
    if (field->kind == KIFU__TABLE) {
        add_table(digest, field->table, kifu__follow(ref));
        return;
    }
    uint32_t count = kifu__length(ref);
    const unsigned char *elements = kifu__elements(ref);
    add(digest, UINT64_C(2) + count);
    if (field->kind == KIFU__STRING) {
        add_bytes(digest, elements, count);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const kifu_ref *element = (const void *)(elements + 4 * i);
        if (field->kind == KIFU__VECTOR)
            add_inline(digest, elements + i * field->size, field->size, field->values, field->structure);
        else if (field->kind == KIFU__TABLE_VECTOR)
            add_table(digest, field->table, kifu__follow(element));
        else
            add_bytes(digest, kifu__elements(element), kifu__length(element));
    }
}

static void add_table(digest *digest, const kifu__table *table, const unsigned char *place)
{
    for (uint32_t id = 0; id < table->field_count; id++) {
        const kifu__field *field = &table->fields[id];
        if (!field->offset)
            continue;
        if (field->kind != KIFU__SCALAR && field->kind != KIFU__STRUCT)
            add_reference(digest, field, place + field->offset);
        else if (field->has && !place[field->has])
            add(digest, 3);
        else
            add_inline(digest, place + field->offset, field->size, field->values, field->structure);
    }
}

uint64_t kifu_fuzz__digest(const kifu_rules *rules, const kifu_event *event, uint64_t seed, bool *valid)
{
    digest digest = {seed, true};
    add(&digest, event->type | (uint64_t)event->flags << 8 | (uint64_t)(uint32_t)event->player << 32);
    add(&digest, event->cause | (uint64_t)event->rules_version << 32);
    add_table(&digest, rules->types[event->type].table, event->table);
    if (valid && !digest.valid)
        *valid = false;
    return digest.sum;
}

// --- The log, and what waits ----------------------------------------------------------------------------------------

static uint64_t log_of(const fuzz *fuzz, const kifu_timeline *timeline, uint32_t from, uint32_t to, uint64_t sum,
                       uint64_t *chain)
{
    kifu_event event;
    for (uint32_t i = from; i < to; i++) {
        if (!kifu_event_at(timeline, i, &event))
            abort();
        sum = kifu_fuzz__digest(fuzz->rules, &event, sum, NULL);
        if (chain)
            chain[i + 1] = sum;
    }
    return sum;
}

uint64_t kifu_fuzz__log(fuzz *fuzz, uint32_t count)
{
    if (!fuzz->chain || fuzz->chain_known < count) {
        fuzz->chain = kifu_fuzz__grow(fuzz->chain, &fuzz->chain_room, count + 1, sizeof *fuzz->chain);
        fuzz->chain[0] = 0;
        uint32_t from = fuzz->chain_known;
        log_of(fuzz, fuzz->table.timeline, from, count, fuzz->chain[from], fuzz->chain);
        fuzz->chain_known = count;
    }
    return fuzz->chain[count];
}

// Written anew, from the documentation: it is compared with the runtime's.
uint64_t kifu_fuzz__hash(const unsigned char *state, uint32_t size)
{
    uint64_t hash = 0;
    for (uint32_t at = 0; at < size; at += 8) {
        for (uint32_t i = 0; i < 8; i++)
            hash ^= (uint64_t)state[at + i] << 8 * i;
        hash *= UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    return hash;
}

uint64_t kifu_fuzz__state(const fuzz *fuzz, const kifu_timeline *timeline)
{
    uint64_t state = kifu_state_hash(timeline);
    return fuzz->hooks.digest ? state ^ fuzz->hooks.digest(timeline) * UINT64_C(0x9E3779B97F4A7C15) : state;
}

fuzz_moment kifu_fuzz__look(fuzz *fuzz, const kifu_timeline *timeline, bool anew)
{
    fuzz_moment moment = {
        .events = kifu_event_count(timeline),
        .pending = kifu_pending_count(timeline),
        .can_undo = kifu_can_undo(timeline, NULL),
        .can_redo = kifu_can_redo(timeline, NULL),
        .state = kifu_fuzz__state(fuzz, timeline),
    };
    if (timeline == fuzz->table.timeline) {
        if (anew || fuzz->chain_known > moment.events)
            fuzz->chain_known = anew ? 0 : moment.events;
        moment.log = kifu_fuzz__log(fuzz, moment.events);
    } else {
        moment.log = log_of(fuzz, timeline, 0, moment.events, 0, NULL);
    }
    kifu_event event;
    for (uint32_t i = 0; kifu_pending_at(timeline, i, &event); i++) {
        bool valid = true;
        moment.waiting = kifu_fuzz__digest(fuzz->rules, &event, moment.waiting, NULL);
        uint64_t kept = kifu_fuzz__digest(fuzz->rules, &event, moment.saved, &valid);
        if (valid)
            moment.saved = kept;
    }
    return moment;
}

// --- The states that logs led to ------------------------------------------------------------------------------------

static fuzz_known *place_of(fuzz_known *known, uint32_t room, uint64_t log, uint32_t events)
{
    uint32_t at = (uint32_t)(log >> 32) & (room - 1);
    while (known[at].events && (known[at].log != log || known[at].events != events + 1))
        at = (at + 1) & (room - 1);
    return &known[at];
}

static fuzz_known *find(fuzz *fuzz, uint64_t log, uint32_t events)
{
    if (fuzz->known_count * 2 >= fuzz->known_room) {
        uint32_t room = fuzz->known_room ? fuzz->known_room * 2 : 1024;
        fuzz_known *known = calloc(room, sizeof *known);
        if (!known)
            abort();
        for (uint32_t i = 0; i < fuzz->known_room; i++)
            if (fuzz->known[i].events)
                *place_of(known, room, fuzz->known[i].log, fuzz->known[i].events - 1) = fuzz->known[i];
        free(fuzz->known);
        fuzz->known = known;
        fuzz->known_room = room;
    }
    return place_of(fuzz->known, fuzz->known_room, log, events);
}

bool kifu_fuzz__remembered(fuzz *fuzz, uint32_t count, uint64_t *state)
{
    const fuzz_known *known = find(fuzz, kifu_fuzz__log(fuzz, count), count);
    *state = known->state;
    return known->events > 0;
}

void kifu_fuzz__recognise(fuzz *fuzz, const char *after)
{
    const kifu_timeline *timeline = fuzz->table.timeline;
    uint32_t count = kifu_position(timeline);
    if (fuzz->chain_known > count)
        fuzz->chain_known = count;
    uint64_t log = kifu_fuzz__log(fuzz, count), state = kifu_fuzz__state(fuzz, timeline);
    fuzz_known *known = find(fuzz, log, count);
    if (!known->events) {
        *known = (fuzz_known){.log = log, .state = state, .events = count + 1};
        fuzz->known_count++;
    } else if (known->state != state) {
        kifu_event last = {.name = "the beginning"};
        if (count)
            kifu_event_at(timeline, count - 1, &last);
        kifu_fuzz__explain(fuzz, "the state after the same events is another",
                           "%s: the state after event %" PRId64 " (%s) is not what it was after the same %" PRIu32
                           " events before",
                           after, (int64_t)count - 1, last.name, count);
    }
}

// --- Two of them ----------------------------------------------------------------------------------------------------

static void value_text(const kifu__member *member, const unsigned char *place, char *text, size_t size)
{
    double wide;
    float narrow;
    uint64_t bits = 0;
    memcpy(&bits, place, member->size);
    unsigned unused = 64 - 8 * member->size;
    switch (member->scalar) {
    case KIFU__F64:
        memcpy(&wide, place, sizeof wide);
        snprintf(text, size, "%.17g", wide);
        break;
    case KIFU__F32:
        memcpy(&narrow, place, sizeof narrow);
        snprintf(text, size, "%.9g", (double)narrow);
        break;
    case KIFU__I8:
    case KIFU__I16:
    case KIFU__I32:
    case KIFU__I64:
        snprintf(text, size, "%" PRId64, (int64_t)(bits << unused) >> unused);
        break;
    default:
        snprintf(text, size, "%" PRIu64, bits);
    }
}

static bool differ(const kifu__struct *structure, const unsigned char *found, const unsigned char *expected,
                   const char *path, char *text, size_t size)
{
    for (uint32_t i = 0; i < structure->member_count; i++) {
        const kifu__member *member = &structure->members[i];
        for (uint32_t j = 0; j < (member->count ? member->count : 1); j++) {
            uint32_t at = member->offset + j * member->size;
            if (memcmp(found + at, expected + at, member->size) == 0)
                continue;
            char name[200], index[16] = "", one[40], other[40];
            if (member->count)
                snprintf(index, sizeof index, "[%u]", (unsigned)j);
            snprintf(name, sizeof name, "%.100s%s%.60s%s", path, *path ? "." : "", member->name, index);
            if (member->structure) {
                if (differ(member->structure, found + at, expected + at, name, text, size))
                    return true;
                continue; // only padding
            }
            value_text(member, found + at, one, sizeof one);
            value_text(member, expected + at, other, sizeof other);
            snprintf(text, size, "%s is %s, and %s expected", name, one, other);
            return true;
        }
    }
    return false;
}

void kifu_fuzz__difference(const kifu_rules *rules, const void *found, const void *expected, char *text, size_t size)
{
    snprintf(text, size, "it is the same in the state's bytes, so a model outside them differs");
    if (memcmp(found, expected, rules->state_size) == 0 || !rules->state)
        return;
    if (!differ(rules->state, found, expected, "", text, size))
        snprintf(text, size, "bytes between the fields differ");
}

void kifu_fuzz__same(fuzz *fuzz, const char *what, fuzz_moment found, fuzz_moment expected, fuzz_equal equal,
                     const kifu_timeline *found_in, const kifu_timeline *expected_in)
{
    if (found.events != expected.events)
        kifu_fuzz__fail(fuzz, "the number of events", "%s: there are %" PRIu32 " events, and %" PRIu32 " expected",
                        what, found.events, expected.events);
    if (equal != FUZZ_GAME && found.log != expected.log)
        kifu_fuzz__fail(fuzz, "the log", "%s: the log has other events", what);
    if (found.state != expected.state) {
        char text[300] = "";
        if (found_in && expected_in)
            kifu_fuzz__difference(fuzz->rules, kifu_state(found_in), kifu_state(expected_in), text, sizeof text);
        if (!*text)
            kifu_fuzz__explain(fuzz, "the state", "%s: the state differs", what);
        kifu_fuzz__fail(fuzz, "the state", "%s: the state differs: %s", what, text);
    }
    if (equal == FUZZ_GAME)
        return;
    if (equal == FUZZ_SAVED ? found.saved != expected.saved
                            : found.pending != expected.pending || found.waiting != expected.waiting)
        kifu_fuzz__fail(fuzz, "what waits", "%s: %" PRIu32 " events wait, and %" PRIu32 " expected, or others", what,
                        found.pending, expected.pending);
    // What cannot be saved and waits is in the way of redo.
    bool same_redo = equal == FUZZ_NO_REDO || (equal == FUZZ_SAVED && found.pending != expected.pending) ||
                     found.can_redo == expected.can_redo;
    if (found.can_undo != expected.can_undo || !same_redo)
        kifu_fuzz__fail(fuzz, "what can be undone",
                        "%s: %" PRIu32 " events can be undone and %" PRIu32 " redone, %" PRIu32 " and %" PRIu32
                        " expected",
                        what, found.can_undo, found.can_redo, expected.can_undo, expected.can_redo);
}
