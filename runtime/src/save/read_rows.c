// Rows become segments again, which may be any bytes; and these the events and what waits: of log files, changes and
// packed saves.

#include "save/reader.h"

#include <stdio.h>

#include "save/reversal.h"
#include "save/saved.h"
#include "wire/buffer.h"

// --- Rows ------------------------------------------------------------------------------------------------------------

typedef struct row_reader {
    kifu__shapes *shapes;
    kifu__bytes *from;
    kifu__blob out; // The segment.
    const char *reason;
} row_reader;

static bool fail_rows(row_reader *reader, const char *reason)
{
    if (reader->from->good)
        reader->reason = reason;
    reader->from->good = false;
    return false;
}

// A number that must be at most `most`.
static uint32_t take_number(row_reader *reader, uint32_t most)
{
    const uint32_t number = kifu__parse_short_number(reader->from);
    if (number <= most)
        return number;
    fail_rows(reader, "a number in its rows is too large");
    return 0;
}

static void build16(kifu__blob *blob, uint32_t value)
{
    const uint16_t bytes = (uint16_t)value;
    kifu__build(blob, 0, &bytes, sizeof bytes, 2);
}

static bool take_shape(row_reader *reader)
{
    kifu__shapes *shapes = reader->shapes;
    kifu__blob *vtables = &shapes->vtables;
    const uint32_t type = take_number(reader, UINT8_MAX), flags = take_number(reader, KIFU__SHAPE_FLAGS);
    const uint32_t fields = take_number(reader, (UINT16_MAX - 5) / 2), size = take_number(reader, UINT16_MAX);
    const uint32_t at = vtables->size;
    if (size < 4 || (!type && flags) || (type && !(flags & KIFU__TAIL) && (size % 4 || flags & KIFU__NESTED)))
        return fail_rows(reader, "it has a table of an impossible shape");
    vtables->memory = shapes->memory;
    build16(vtables, 4 + 2 * fields);
    build16(vtables, size);
    for (uint32_t i = 0; i < fields && reader->from->good; i++)
        build16(vtables, take_number(reader, UINT16_MAX));
    if (!reader->from->good || kifu__shape_add(shapes, at, type, flags))
        return reader->from->good;
    reader->out.result = KIFU_NO_MEMORY;
    return false;
}

// The shape that is named, whose vtable is in the segment then. NULL: there is none, or no memory.
static const kifu__shape *take_named(row_reader *reader)
{
    kifu__shapes *shapes = reader->shapes;
    const uint32_t number = take_number(reader, shapes->count);
    if (!reader->from->good || (number == shapes->count && !take_shape(reader)))
        return NULL;
    kifu__shape *shape = &shapes->all[number];
    const unsigned char *vtable = kifu__shape_vtable(shapes, shape);
    if (shape->run != shapes->run)
        shape->place = kifu__build(&reader->out, 0, vtable, kifu__load16(vtable), 4);
    shape->run = shapes->run;
    return reader->out.result ? NULL : shape;
}

static void put_vtable(const row_reader *reader, uint32_t position, const kifu__shape *shape)
{
    kifu__put32(reader->out.bytes + position, position - shape->place);
}

static bool take_tables(row_reader *reader, uint32_t start, uint32_t words)
{
    for (uint32_t left = take_number(reader, words - 1); left; left--) {
        const uint32_t distance = take_number(reader, words - 1);
        const kifu__shape *shape = take_named(reader);
        if (!shape)
            return false;
        if (!distance || shape->type)
            return fail_rows(reader, "a row has a table where none can be");
        put_vtable(reader, start + 4 * distance, shape);
    }
    return reader->from->good;
}

static kifu__mark take_mark(row_reader *reader)
{
    const uint32_t said =
        take_number(reader, UINT8_MAX << KIFU__FLAG_SHIFT | KIFU__ROW_HAS_PLAYER | KIFU__ROW_HAS_CAUSE);
    kifu__mark mark = {.player = -1, .flags = (uint8_t)(said >> KIFU__FLAG_SHIFT)};
    if (said & KIFU__ROW_HAS_CAUSE)
        mark.cause = (uint16_t)take_number(reader, UINT16_MAX);
    const unsigned char *player = said & KIFU__ROW_HAS_PLAYER ? kifu__parse_bytes(reader->from, 1) : NULL;
    if (player)
        mark.player = (int8_t)*player;
    return mark;
}

static bool take_row(row_reader *reader, const kifu__head *head, uint32_t slot)
{
    kifu__blob *out = &reader->out;
    const kifu__shape *named = take_named(reader);
    if (!named)
        return false;
    if (!named->type)
        return fail_rows(reader, "a row is of no type");
    const kifu__shape shape = *named; // Others may be added.
    const kifu__mark mark = take_mark(reader);
    uint32_t words = kifu__load16(kifu__shape_vtable(reader->shapes, &shape) + 2) / 4u;
    if (shape.flags & KIFU__TAIL)
        words = take_number(reader, KIFU__MOST_BUILT / 4);
    if (!words)
        return fail_rows(reader, "a row has no bytes");
    const unsigned char *bytes = kifu__parse_bytes(reader->from, 4 * (uint64_t)words - 4);
    const uint32_t start = bytes ? kifu__build(out, 0, NULL, 4, shape.flags & KIFU__WIDE ? 8 : 4) : 0;
    kifu__build(out, 0, bytes, bytes ? 4 * (uint64_t)words - 4 : 0, 4);
    if (!bytes || out->result)
        return false;
    const uint32_t place = head->offsets + 4 * slot;
    put_vtable(reader, start, &shape);
    kifu__put32(out->bytes + place, start - place);
    memcpy(out->bytes + head->marks + 4 * (size_t)slot, &mark, sizeof mark);
    out->bytes[head->types + slot] = shape.type;
    return !(shape.flags & KIFU__NESTED) || take_tables(reader, start, words);
}

// Room for what most rows become, so that the segment grows seldom.
static bool begin_segment(kifu__blob *out, const kifu__head *head, uint32_t count, uint32_t version, size_t left)
{
    const uint64_t some = 32 * (uint64_t)count + 256, all = left + 8 * (uint64_t)count;
    out->bytes =
        (unsigned char *)kifu__grow(out->memory, NULL, &out->capacity, head->size + (some < all ? some : all), 1);
    if (!out->bytes)
        return false;
    out->size = head->size;
    kifu__segment_begin(out->bytes, head, out->bytes, 0, version);
    kifu__put32(out->bytes + head->marks - 4, count);
    kifu__put32(out->bytes + head->offsets - 4, count);
    kifu__put32(out->bytes + head->types - 4, count);
    return true;
}

static kifu_result take_run(row_reader *reader)
{
    kifu__bytes *from = reader->from;
    const uint32_t count = kifu__parse_short_number(from), version = kifu__parse_short_number(from);
    const size_t left = (size_t)(from->end - from->at);
    if (count > left / 2) // A row has two bytes at least.
        fail_rows(reader, "it says that it has more rows than there is room for");
    if (!from->good)
        return KIFU_DAMAGED;
    if (count > KIFU__MOST_BUILT / 16)
        return KIFU_TOO_LARGE;
    const kifu__head head = kifu__segment_head(count, 0);
    if (!begin_segment(&reader->out, &head, count, version, left))
        return KIFU_NO_MEMORY;
    reader->shapes->run++;
    for (uint32_t slot = 0; slot < count; slot++) {
        if (!take_row(reader, &head, slot))
            return reader->out.result ? reader->out.result : KIFU_DAMAGED;
    }
    return KIFU_OK;
}

kifu_result kifu__rows_read(kifu__shapes *shapes, kifu__bytes *from, unsigned char **bytes, uint32_t *size,
                            const char **reason)
{
    const kifu__memory *memory = shapes->memory;
    row_reader reader = {shapes, from, {.memory = memory}, "its rows end too early"};
    const kifu_result result = take_run(&reader);
    *bytes = NULL;
    *reason = reader.reason;
    if (result) {
        kifu__free(memory, reader.out.bytes);
        return result;
    }
    // What was too much room is given back, if that can be.
    *bytes = (unsigned char *)memory->allocate(memory->context, reader.out.bytes, reader.out.size);
    *bytes = *bytes ? *bytes : reader.out.bytes;
    *size = reader.out.size;
    return KIFU_OK;
}

// --- Events that go --------------------------------------------------------------------------------------------------

void kifu__branch_lose(kifu_timeline *timeline, kifu__branch *branch, uint32_t count)
{
    if (kifu__has_handler(timeline, loses))
        timeline->dispatch->lose(timeline, branch, count);
    kifu__branch_cut(timeline, branch, count);
}

void kifu__read_cut(kifu__commits *commits, kifu__branch *branch, uint32_t count)
{
    kifu_timeline *timeline = commits->reader->timeline;
    if (count >= branch->end)
        return;
    kifu__branch *hashed = commits->way ? branch : kifu__branch_numbered(timeline, commits->game);
    if (hashed && kifu__leads_through(hashed, branch) && count < kifu__leaves(hashed, branch))
        kifu__forget_states(commits, count);
    kifu__branch_lose(timeline, branch, count);
}

// Whether another line has some of the events behind the place.
static kifu_result see_shared(kifu__commits *commits, bool *shared)
{
    const kifu__forks *forks = commits->line < commits->fork_count ? &commits->forks[commits->line] : NULL;
    *shared = commits->way && commits->line != commits->deepest;
    if (commits->way || !forks || !forks->count || forks->most <= commits->count)
        return KIFU_OK;
    if (!commits->find_last_fork(commits, commits->line)) // It may be deleted.
        return kifu__commit_failed(commits, KIFU_NO_MEMORY);
    *shared = forks->most > commits->count;
    return KIFU_OK;
}

// Whether events may go behind the place, and those that are there may go.
static kifu_result make_place(kifu__commits *commits)
{
    kifu__branch *branch = commits->branch;
    const uint32_t count = commits->count;
    bool shared;
    const kifu_result result = see_shared(commits, &shared);
    if (result)
        return result;
    if (commits->back && count > branch->followed)
        return kifu__parted(commits, branch->followed);
    if (count > branch->end || count < (commits->way ? commits->way[commits->line].from : branch->from))
        return kifu__bad_record(commits, "is behind the events of its line, or in front of them");
    if (count < branch->end && shared)
        return kifu__bad_record(commits, "replaces events that another line has");
    if (!commits->back) {
        kifu__read_cut(commits, branch, count);
        return KIFU_OK;
    }
    const kifu__branch_before *was = kifu__find_before(branch);
    if (was && count < was->from)
        return kifu__bad_record(commits, "replaces events for a second time");
    if (branch->followed < branch->end)
        return kifu__parted(commits, branch->followed);
    return commits->back->calls->cut_aside(commits->back, branch, count) ? KIFU_OK
                                                                         : kifu__commit_failed(commits, KIFU_NO_MEMORY);
}

static kifu_result read_cut(kifu__commits *commits)
{
    const kifu_result result = kifu__require_line(commits);
    return !result && commits->branch && commits->count < commits->until ? make_place(commits) : result;
}

// --- Events that come ------------------------------------------------------------------------------------------------

// Those from `slot` on. Events of today's rules go where those of a game that is played go; others, and so many that it
// pays, stay in a segment of their own, which gets the bytes.
static kifu_result add_segment(kifu__commits *commits, kifu__segment *segment, uint32_t slot, unsigned char **bytes)
{
    kifu_timeline *timeline = commits->reader->timeline;
    kifu__blob blob = {.memory = &timeline->memory};
    kifu_result result = KIFU_OK;
    if (!slot && (segment->rules_version != timeline->rules->rules_version || segment->count >= KIFU__MOST_SLOTS)) {
        if (segment->borrowed)
            *bytes = NULL;
        segment->borrowed = false;
        segment->capacity = segment->size;
        result = kifu__log_adopt(&timeline->log, segment);
        if (result)
            kifu__segment_free(segment, &timeline->memory);
        return result;
    }
    for (; slot < segment->count && !result; slot++) {
        const void *table;
        result = kifu__blob_of(timeline->rules, segment, slot, &blob);
        if (!result)
            result = kifu__log_append(&timeline->log, segment->types[slot], blob.bytes, blob.size, segment->marks[slot],
                                      &table);
    }
    kifu__free(&timeline->memory, blob.bytes);
    kifu__segment_free(segment, &timeline->memory);
    return result;
}

static kifu_result make_frame(kifu__commits *commits, kifu__bytes *body, kifu__frame *frame, unsigned char **bytes)
{
    const char *reason = "it is not whole";
    *frame = *commits->frame;
    *bytes = NULL;
    const kifu_result result = kifu__rows_read(&commits->shapes, body, bytes, &frame->size, &reason);
    frame->payload = *bytes;
    char why[100];
    snprintf(why, sizeof why, "is wrong: %s", reason);
    return result == KIFU_DAMAGED ? kifu__bad_record(commits, why) : kifu__commit_failed(commits, result);
}

static kifu_result take_events(kifu__commits *commits, const kifu__frame *frame, unsigned char **bytes)
{
    kifu__segment segment;
    uint32_t same = 0;
    kifu_result result = kifu__read_segment(commits->reader, frame, commits->count, false, &segment);
    if (result)
        return result;
    if (segment.count > commits->until - commits->count)
        kifu__segment_truncate(&segment, commits->until - commits->count);
    if (commits->back)
        result = commits->back->calls->find_same(commits, &segment, &same);
    commits->count += same;
    if (!result)
        result = make_place(commits);
    if (result) {
        kifu__segment_free(&segment, &commits->reader->timeline->memory);
        return result;
    }
    kifu__read_into(commits, commits->branch);
    result = kifu__commit_failed(commits, add_segment(commits, &segment, same, bytes));
    commits->count -= same;
    commits->branch->followed = commits->branch->end;
    return result;
}

static kifu_result read_event_rows(kifu__commits *commits, kifu__bytes *body)
{
    kifu__frame frame;
    unsigned char *bytes;
    kifu_result result = make_frame(commits, body, &frame, &bytes);
    result = result ? result : kifu__require_line(commits);
    const uint32_t count = result ? 0 : kifu__segment_parts(bytes).count, first = commits->count;
    if (!result && commits->count > KIFU_NONE - 1 - count)
        result = kifu__bad_record(commits, "has more events than a game can have");
    if (!result && commits->branch && commits->count < commits->until)
        result = kifu__or_leave_out(commits, commits->line, first, take_events(commits, &frame, &bytes));
    commits->count += count;
    kifu__free(&commits->reader->timeline->memory, bytes);
    if (result || commits->back)
        return result;
    commits->reader->used += frame.size;
    return kifu__report_read(commits->reader, commits->frame->offset);
}

// --- All of it -------------------------------------------------------------------------------------------------------

static kifu_result read_shapes(kifu__commits *commits)
{
    kifu__reversal *back = commits->back;
    if (!back || back->forgets_shapes)
        kifu__shapes_cut(&commits->shapes, 0);
    else {
        back->shapes = commits->shapes;
        kifu__shapes_cut(&back->shapes, back->shape_count); // Of this commit.
        back->forgets_shapes = true;
        commits->shapes = (kifu__shapes){.memory = back->shapes.memory};
    }
    return KIFU_OK;
}

static kifu_result read_rows_record(kifu__commits *commits, kifu__bytes *body)
{
    return commits->kind == KIFU__CUT      ? read_cut(commits)
           : commits->kind == KIFU__SHAPES ? read_shapes(commits)
                                           : read_event_rows(commits, body);
}

const kifu__row_calls kifu__row_functions = {.read = read_rows_record, .make = make_frame};
