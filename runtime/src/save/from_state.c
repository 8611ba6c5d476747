// A game that begins from a state, in saves: the frame with the state, and with the events before it that timers need.
//
// This is an option (`kifu_options.from_state`), so a plain program does not link it. The frame stands in front of all
// others, behind the header and its schema.

#include <kifu/forget.h>

#include <inttypes.h>
#include <stddef.h>

#include "history/root.h"
#include "save/saved.h"
#include "wire/buffer.h"

// --- Writing ---------------------------------------------------------------------------------------------------------

// All in one segment, which stays as it is if there are none.
static kifu_result join_timed(const kifu_timeline *timeline, const kifu__timed_events *timed, kifu__segment *joined)
{
    const kifu__memory *memory = &timeline->memory;
    const kifu_rules *rules = timeline->rules;
    kifu__blob blob = {.memory = memory};
    kifu_result result = KIFU_OK;
    if (timed->count)
        result = kifu__segment_new(memory, rules, rules->rules_version, timed->count, 0, joined);
    for (uint32_t i = 0; i < timed->count && !result; i++) {
        const kifu__segment *segment = &timed->segments[i];
        const kifu__mark mark = {.player = segment->marks[0].player, .flags = segment->marks[0].flags};
        result = kifu__blob_of(rules, segment, 0, &blob);
        if (!result)
            result = kifu__segment_add(joined, memory, rules, segment->types[0], blob.bytes, blob.size, mark,
                                       KIFU__MOST_BUILT);
    }
    kifu__free(memory, blob.bytes);
    return result;
}

static void add_timed(kifu__blob *payload, const kifu__timed_events *timed, const kifu__segment *joined)
{
    if (!timed->count)
        return;
    kifu__build_vector(payload, offsetof(kifu__save_root, timed), joined->bytes, joined->size, joined->size, 8);
    const uint32_t first = kifu__build_vector(payload, offsetof(kifu__save_root, timed_events), NULL, timed->count,
                                              4 * (uint64_t)timed->count, 4);
    for (uint32_t i = 0; i < timed->count && !payload->result; i++)
        kifu__put32((unsigned char *)kifu__built(payload, first + 4 * i), timed->segments[i].first);
}

static void plan_root(kifu__plan *plan)
{
    kifu_timeline *timeline = plan->timeline;
    const uint32_t size = timeline->rules->state_size;
    kifu__save_root root = {
        .event_count = timeline->log.begin,
        .hash = kifu__hash_state(timeline->origin, size),
        .state = {1},
    };
    kifu__timed_events timed;
    kifu__segment joined = {.bytes = NULL};
    kifu_result result = kifu__take_timed(timeline, timeline->origin, timeline->log.begin, &timed);
    if (!result)
        result = join_timed(timeline, &timed, &joined);
    kifu__plan_fail(plan, result);
    if (!plan->result) {
        root.timed = root.timed_events = (kifu_ref){timed.count != 0};
        kifu__blob payload = kifu__payload_begin(plan, &kifu__save_root_table, &root);
        kifu__build_vector(&payload, offsetof(kifu__save_root, state), timeline->origin, size, size, 8);
        add_timed(&payload, &timed, &joined);
        if (kifu__payload_end(plan, &payload))
            kifu__plan_add(plan, KIFU__FRAME_ROOT, payload.bytes, payload.size, true);
    }
    if (joined.bytes)
        kifu__segment_free(&joined, &timeline->memory);
    kifu__free_timed(timeline, &timed);
}

// --- Reading: the timed events ---------------------------------------------------------------------------------------

static kifu_result damaged_root(const kifu__reader *reader, const kifu__frame *frame, const char *what)
{
    return kifu__damaged(reader->error, frame->offset, "the state with which the save begins, at byte %" PRIu64 ", %s",
                         frame->offset, what);
}

// Each in a segment of its own, which does not lie in the file: in front of all others.
static kifu_result part_timed(kifu__reader *reader, const kifu__frame *frame, const kifu__segment *segment,
                              const kifu_ref *numbers)
{
    kifu_timeline *timeline = reader->timeline;
    const kifu__turn_rules *turns = timeline->rules->turns;
    kifu__timed_events timed = {.count = 0};
    if (segment->count != kifu__length(numbers))
        return damaged_root(reader, frame, "has events without a number");
    timed.segments = (kifu__segment *)kifu__grow(&timeline->memory, NULL, &timed.capacity, (uint64_t)segment->count + 1,
                                                 sizeof *timed.segments);
    kifu_result result = kifu__not_loaded(reader->error, frame->offset, timed.segments ? KIFU_OK : KIFU_NO_MEMORY);
    for (uint32_t slot = 0, last = 0; slot < segment->count && !result; slot++) {
        const uint32_t number = kifu__load32((const unsigned char *)kifu__elements(numbers) + 4 * (size_t)slot);
        if (number >= timeline->log.begin || (slot && number <= last) || !turns || !turns->timers ||
            segment->types[slot] != turns->schedule || segment->marks[slot].cause)
            result = damaged_root(reader, frame, "has an event before it to which no timer can refer");
        else
            result = kifu__not_loaded(reader->error, frame->offset,
                                      kifu__single_event(timeline, segment, slot, &timed.segments[slot]));
        timed.count += !result;
        timed.segments[slot].first = last = number;
    }
    if (result)
        kifu__free_timed(timeline, &timed);
    else
        kifu__put_in_front(timeline, &timed, 0);
    return result;
}

static kifu_result read_timed_frame(kifu__reader *reader, const kifu__frame *frame, const kifu__save_root *fields)
{
    const kifu__memory *memory = &reader->timeline->memory;
    const uint32_t size = kifu__length(&fields->timed);
    if (!size)
        return kifu__length(&fields->timed_events) ? damaged_root(reader, frame, "has numbers without events")
                                                   : KIFU_OK;
    unsigned char *bytes;
    const kifu__frame inner = kifu__copy_inner(reader, frame, kifu__elements(&fields->timed), size, &bytes);
    if (!bytes)
        return KIFU_NO_MEMORY;
    kifu__segment segment;
    kifu_result result = kifu__read_segment(reader, &inner, reader->timeline->log.begin, false, &segment);
    if (!result) {
        result = part_timed(reader, frame, &segment, &fields->timed_events);
        kifu__segment_free(&segment, memory);
    }
    kifu__free(memory, bytes);
    return result;
}

// --- Reading: the state ----------------------------------------------------------------------------------------------

static kifu_result read_state(kifu__reader *reader, const kifu__frame *frame, const kifu__save_root *fields,
                              unsigned char *state)
{
    const kifu_rules *rules = reader->timeline->rules;
    const uint32_t size = kifu__length(&fields->state);
    if (!reader->comparable && (reader->header->fingerprint != rules->fingerprint || reader->schema_size))
        return kifu__carry_state(reader, frame, fields, state);
    if (size != rules->state_size)
        return damaged_root(reader, frame, "has another size than the game's");
    memcpy(state, kifu__elements(&fields->state), size);
    if (kifu__hash_state(state, size) != fields->hash)
        return damaged_root(reader, frame, "has another hash than it must have");
    const bool holds = kifu__state_holds(rules, state, 0, size);
    return holds ? KIFU_OK : damaged_root(reader, frame, "has a value that it cannot have");
}

static kifu_result take_root(kifu__reader *reader, const kifu__frame *frame, const kifu__save_root *fields)
{
    kifu_timeline *timeline = reader->timeline;
    const bool first = !timeline->log.branch->end && !reader->segment_count && !reader->commits.begun;
    if (!first || !fields->event_count || fields->event_count > KIFU_NONE - 2 * KIFU__MOST_SLOTS)
        return damaged_root(reader, frame, "is in a wrong place");
    if (timeline->options.reset)
        return kifu__error_at(reader->error, KIFU_MISUSE, frame->offset,
                              "the save begins from a state, and this game keeps its model outside the state");
    const size_t size = kifu__state_room(timeline->rules);
    unsigned char *state = (unsigned char *)kifu__new(&timeline->memory, size);
    if (!state)
        return kifu__not_loaded(reader->error, frame->offset, KIFU_NO_MEMORY);
    memset(state, 0, size);
    const kifu_result result = read_state(reader, frame, fields, state);
    if (result) {
        kifu__free(&timeline->memory, state);
        return result;
    }
    kifu__begin_at_root(timeline, fields->event_count, state);
    return read_timed_frame(reader, frame, fields);
}

static kifu_result take_root_frame(kifu__reader *reader, const kifu__frame *frame)
{
    const kifu__buffer buffer = kifu__buffer_of(frame, reader->error);
    kifu__blob room = {.memory = &reader->timeline->memory};
    const void *fields = NULL;
    kifu_result result = kifu__payload_read(&buffer, &kifu__save_root_table, &room, &fields);
    if (!result)
        result = take_root(reader, frame, (const kifu__save_root *)fields);
    kifu__free(room.memory, room.bytes);
    return result;
}

// --- The part --------------------------------------------------------------------------------------------------------

static const kifu__saved saved = {.kinds = 1 << KIFU__ROOT, .plan_root = plan_root, .take_root = take_root_frame};
static const kifu__part_table from_state_table = {
    .size = sizeof(kifu__part), .order = KIFU__FROM_STATE, .saved = &saved};

kifu_result kifu_begin_from_state(kifu_timeline *timeline)
{
    if (!kifu__attach(timeline, &from_state_table))
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for saves that begin from a state");
    return KIFU_OK;
}
