// The states in a page: the first one whole, of the others what changed.
//
// A state is a list of values in the order of the schema, and a change is a place with the old value and the new one.
// So the page goes forward and back without knowing any schema, and 100,000 events of a small state are some megabytes.
// It reads a line of changes when it is looked at, and not before.

#include "tool/page.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/timeline.h"

// A struct in the state.
typedef struct shape {
    const kifu__struct *structure;
    uint64_t *places; // Of each member: how many values lie before it.
    uint64_t count;   // Of values.
} shape;

typedef struct work {
    kifu__page_states *states;
    kifu__printer *out;
    shape *shapes; // What a struct is made of comes before it: the state is the last.
    uint32_t shape_count;
    kifu__page_text line;
    uint64_t used;          // Bytes of all lines.
    uint32_t lines;         // How many there are.
    kifu__page_text others; // What is said in the end of the lines of the game that are not the current one.
    uint32_t first_line;    // How many lines there were before this line of the game.
    bool in_others;         // The current line of the game is done.
    unsigned char *old;     // The state before.
} work;

// --- How the state is built ------------------------------------------------------------------------------------------

static const shape *shape_of(const work *work, const kifu__struct *structure)
{
    for (uint32_t i = 0; i < work->shape_count; i++) {
        if (work->shapes[i].structure == structure)
            return &work->shapes[i];
    }
    return NULL;
}

static void add_shape(work *work, const kifu__struct *structure)
{
    if (shape_of(work, structure))
        return;
    shape made = {.structure = structure};
    made.places = (uint64_t *)kifu__must_grow(NULL, structure->member_count * sizeof *made.places);
    for (uint32_t i = 0; i < structure->member_count; i++) {
        const kifu__member *member = &structure->members[i];
        if (member->structure)
            add_shape(work, member->structure);
        made.places[i] = made.count;
        made.count += (member->structure ? shape_of(work, member->structure)->count : 1) *
                      (uint64_t)(member->count ? member->count : 1);
    }
    work->shapes = (shape *)kifu__must_grow(work->shapes, (work->shape_count + 1) * sizeof *work->shapes);
    work->shapes[work->shape_count++] = made;
}

static void print_member_shape(kifu__printer *printer, const work *work, const kifu__member *member)
{
    static const char *const scalars[] = {"bool", "byte", "ubyte", "short", "ushort", "int",
                                          "uint", "long", "ulong", "float", "double"};
    const shape *inner = member->structure ? shape_of(work, member->structure) : NULL;
    const char *type = inner ? inner->structure->name : member->values ? member->values->name : scalars[member->scalar];
    kifu__print(printer, "[");
    kifu__print_name(printer, member->name);
    kifu__print(printer, ", ");
    kifu__print_name(printer, type && *type ? type : scalars[member->scalar]);
    kifu__print_format(printer, ", %" PRIu32 ", %d, %d]", member->count, inner ? (int)(inner - work->shapes) : -1,
                       member->pool);
}

// Whether a member before this one has the same enum.
static bool is_named_before(const work *work, uint32_t shape, uint32_t member)
{
    const kifu__enum *values = work->shapes[shape].structure->members[member].values;
    for (uint32_t i = 0; i <= shape; i++) {
        const kifu__struct *structure = work->shapes[i].structure;
        for (uint32_t m = 0; m < (i == shape ? member : structure->member_count); m++) {
            if (structure->members[m].values == values)
                return true;
        }
    }
    return false;
}

static void print_enum(kifu__printer *printer, const kifu__enum *values, bool first)
{
    kifu__print(printer, first ? "" : ", ");
    kifu__print_name(printer, values->name);
    kifu__print(printer, ": [");
    for (uint32_t i = 0; i < values->label_count; i++) {
        kifu__print(printer, i ? ", " : "");
        kifu__print_name(printer, values->labels[i]);
    }
    kifu__print(printer, "]");
}

// The names of all values of an enum, so that the page has the same room for each.
static void print_enums(kifu__printer *printer, const work *work)
{
    bool first = true;
    kifu__print(printer, ", \"enums\": {");
    for (uint32_t i = 0; i < work->shape_count; i++) {
        const kifu__struct *structure = work->shapes[i].structure;
        for (uint32_t m = 0; m < structure->member_count; m++) {
            const kifu__enum *values = structure->members[m].values;
            if (!values || !values->labels || values->bit_flags || is_named_before(work, i, m))
                continue;
            print_enum(printer, values, first);
            first = false;
        }
    }
    kifu__print(printer, "}");
}

static void print_shapes(kifu__printer *printer, const work *work, uint32_t first)
{
    kifu__print(printer, "{\"structs\": [");
    for (uint32_t i = 0; i < work->shape_count; i++) {
        const kifu__struct *structure = work->shapes[i].structure;
        kifu__print(printer, i ? ", {\"name\": " : "{\"name\": ");
        kifu__print_name(printer, structure->name);
        kifu__print(printer, ", \"members\": [");
        for (uint32_t m = 0; m < structure->member_count; m++) {
            kifu__print(printer, m ? ", " : "");
            print_member_shape(printer, work, &structure->members[m]);
        }
        kifu__print(printer, "]}");
    }
    kifu__print_format(printer, "], \"first\": %" PRIu32, first);
    print_enums(printer, work);
    kifu__print(printer, "}");
}

// --- Values ----------------------------------------------------------------------------------------------------------

static void print_values(kifu__printer *printer, const kifu__struct *structure, const unsigned char *bytes, bool *first)
{
    for (uint32_t m = 0; m < structure->member_count; m++) {
        const kifu__member *member = &structure->members[m];
        const unsigned char *at = bytes + member->offset;
        for (uint32_t i = 0; i < (member->count ? member->count : 1); i++, at += member->size) {
            if (member->structure) {
                print_values(printer, member->structure, at, first);
                continue;
            }
            kifu__print(printer, *first ? "" : ",");
            *first = false;
            kifu__print_scalar(printer, member->scalar, member->values, at);
        }
    }
}

static void print_changes(kifu__printer *printer, const work *work, const kifu__struct *structure, uint64_t place,
                          const unsigned char *old, const unsigned char *new, bool *first)
{
    const shape *shape = shape_of(work, structure);
    for (uint32_t m = 0; m < structure->member_count; m++) {
        const kifu__member *member = &structure->members[m];
        const uint32_t count = member->count ? member->count : 1;
        const unsigned char *a = old + member->offset, *b = new + member->offset;
        if (!memcmp(a, b, (size_t)count * member->size))
            continue;
        const uint64_t each = member->structure ? shape_of(work, member->structure)->count : 1;
        uint64_t here = place + shape->places[m];
        for (uint32_t i = 0; i < count; i++, a += member->size, b += member->size, here += each) {
            if (!memcmp(a, b, member->size))
                continue;
            if (member->structure) {
                print_changes(printer, work, member->structure, here, a, b, first);
                continue;
            }
            kifu__print_format(printer, "%s%" PRIu64 ",", *first ? "" : ",", here);
            *first = false;
            kifu__print_scalar(printer, member->scalar, member->values, a);
            kifu__print(printer, ",");
            kifu__print_scalar(printer, member->scalar, member->values, b);
        }
    }
}

// --- Lines -----------------------------------------------------------------------------------------------------------

// A printer to the next line.
static kifu__printer new_line(work *work)
{
    work->line.size = 0;
    return (kifu__printer){.write = kifu__gather, .context = &work->line};
}

// False: it would be more than the states may have.
static bool put_line(work *work, kifu__printer *printer)
{
    kifu__print(printer, "\n");
    (void)kifu__print_end(printer);
    if (work->line.size > work->states->most - work->used) {
        work->states->capped = true;
        return false;
    }
    work->used += work->line.size;
    work->lines++;
    kifu__print_bytes(work->out, work->line.at, work->line.size);
    return true;
}

static bool put_first(work *work, uint32_t first, const unsigned char *bytes)
{
    bool none = true;
    kifu__printer shapes = new_line(work);
    add_shape(work, work->states->structure);
    print_shapes(&shapes, work, first);
    // A state that is larger than all may be need not be printed to find out.
    if (work->shapes[work->shape_count - 1].count > work->states->most / 2) {
        work->states->capped = true;
        return false;
    }
    if (!put_line(work, &shapes))
        return false;
    kifu__printer values = new_line(work);
    kifu__print(&values, "[");
    print_values(&values, work->states->structure, bytes, &none);
    kifu__print(&values, "]");
    if (!put_line(work, &values))
        return false;
    work->states->shown = first;
    return true;
}

static bool put_changes(work *work, const unsigned char *old, const unsigned char *new)
{
    bool none = true;
    kifu__printer changes = new_line(work);
    kifu__print(&changes, "[");
    print_changes(&changes, work, work->states->structure, 0, old, new, &none);
    kifu__print(&changes, "]");
    return put_line(work, &changes);
}

// --- All of them -----------------------------------------------------------------------------------------------------

static bool begin_line(void *context, const kifu__page_place *place)
{
    work *work = (struct work *)context;
    memcpy(work->old, place->state, work->states->structure->size);
    work->first_line = work->lines;
    return work->in_others || put_first(work, 0, work->old);
}

static bool put_next(void *context, const kifu__page_place *place)
{
    work *work = (struct work *)context;
    const unsigned char *state = (const unsigned char *)place->state;
    if (!put_changes(work, work->old, state))
        return false;
    memcpy(work->old, state, work->states->structure->size);
    work->states->shown += !work->in_others;
    return !work->out->result;
}

static bool enter_stretch(void *context)
{
    work *work = (struct work *)context;
    work->first_line = work->lines;
    return !work->states->capped && !work->out->result;
}

static void leave_stretch(void *context, uint32_t stretch, uint32_t from)
{
    work *work = (struct work *)context;
    kifu__printer others = {.write = kifu__gather, .context = &work->others};
    kifu__print_format(&others, "%s[%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 "]", work->others.size ? "," : "",
                       stretch, from, work->first_line, work->lines - work->first_line);
    (void)kifu__print_end(&others);
}

static void print_executed(work *work)
{
    kifu__page_states *states = work->states;
    kifu__page_walk walk = states->walk;
    walk.context = work;
    walk.begin = begin_line;
    walk.next = put_next;
    walk.enter = enter_stretch;
    walk.leave = leave_stretch;
    work->old = (unsigned char *)kifu__must_grow(NULL, states->structure->size);
    const kifu_result result = kifu__walk_current(&walk);
    if (result)
        snprintf(states->why, sizeof states->why, "%.190s", kifu_last_error(walk.timeline)->message);
    work->in_others = true;
    if (!result && !states->capped)
        kifu__walk_others(&walk);
    free(work->old);
}

void kifu__print_states(kifu__printer *printer, kifu__page_states *states)
{
    work work = {.states = states, .out = printer};
    snprintf(states->why, sizeof states->why, "%.190s", states->refused ? states->refused : "");
    if (states->walk.timeline && states->most)
        print_executed(&work);
    else if (states->saved && states->most)
        (void)put_first(&work, states->walk.event_count, states->saved);
    kifu__print_format(printer, "{\"shown\": %" PRIu32 ", \"executes\": %s, \"capped\": %s, \"most\": \"%" PRIu64 "\"",
                       states->shown, states->walk.timeline ? "true" : "false", states->capped ? "true" : "false",
                       states->most);
    if (work.others.size) {
        kifu__print(printer, ", \"others\": [");
        kifu__print_bytes(printer, work.others.at, work.others.size);
        kifu__print(printer, "]");
    }
    kifu__print(printer, ", \"why\": ");
    kifu__print_string(printer, states->why, strlen(states->why));
    kifu__print(printer, "}\n");
    for (uint32_t i = 0; i < work.shape_count; i++)
        free(work.shapes[i].places);
    free(work.shapes);
    free(work.line.at);
    free(work.others.at);
}
