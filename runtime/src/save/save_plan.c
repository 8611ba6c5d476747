#include "save/save_plan.h"

#include <stddef.h>

#include "save/regroup.h"
#include "save/save_tables.h"
#include "wire/table.h"

// The most bytes that the events of one pending segment may have.
#define MOST_PENDING (UINT64_C(1) << 30)

// The most checkpoints of one frame: one MiB.
enum { MOST_CHECKPOINTS = 65536 };

void kifu__plan_drop(kifu__save_plan *plan)
{
    const kifu__memory *memory = &plan->timeline->memory;
    for (uint32_t i = 0; i < plan->count; i++) {
        if (plan->pieces[i].owned)
            kifu__free(memory, plan->pieces[i].payload);
    }
    kifu__free(memory, plan->pieces);
    *plan = (kifu__save_plan){.timeline = plan->timeline};
}

kifu_result kifu__plan_add(kifu__save_plan *plan, uint32_t kind, unsigned char *payload, uint32_t size, bool owned)
{
    const kifu__memory *memory = &plan->timeline->memory;
    kifu__piece *pieces =
        (kifu__piece *)kifu__grow(memory, plan->pieces, &plan->capacity, (uint64_t)plan->count + 1, sizeof *pieces);
    if (!pieces) {
        if (owned)
            kifu__free(memory, payload);
        return KIFU_NO_MEMORY;
    }
    plan->pieces = pieces;
    pieces[plan->count++] = (kifu__piece){.kind = kind, .size = size, .payload = payload, .owned = owned};
    plan->size += kifu__frame_size(size);
    return KIFU_OK;
}

// Begins a payload with its table's struct.
static kifu__blob begin_payload(const kifu__save_plan *plan, const kifu__table *table, const void *fields)
{
    kifu__blob payload = {.memory = &plan->timeline->memory};
    kifu__build_root(&payload, NULL, table, fields, table->size);
    return payload;
}

static kifu_result add_payload(kifu__save_plan *plan, uint32_t kind, const kifu__table *table, kifu__blob *payload)
{
    kifu_result result = kifu__build_end(payload, NULL, table);
    if (result)
        kifu__free(payload->memory, payload->bytes);
    return result ? result : kifu__plan_add(plan, kind, payload->bytes, payload->size, true);
}

// Bytes start 8-aligned: what they hold (the .bfbs is a FlatBuffer) can be used in place. NULL: the field is absent.
static void add_bytes(kifu__blob *payload, size_t ref, const void *bytes, uint32_t size)
{
    if (bytes)
        kifu__build_vector(payload, (uint32_t)ref, bytes, size, size, 8);
}

static void add_strings(kifu__blob *payload, size_t ref, const char *const *texts, uint32_t count)
{
    if (!texts)
        return;
    const uint32_t first = kifu__build_vector(payload, (uint32_t)ref, NULL, count, (uint64_t)count * 4, 4);
    for (uint32_t i = 0; i < count && !payload->result; i++)
        kifu__build_string(payload, first + 4 * i, texts[i] ? texts[i] : "");
}

kifu_result kifu__plan_header(kifu__save_plan *plan, const kifu_save_options *options, int64_t saved_at)
{
    const kifu_rules *rules = plan->timeline->rules;
    const kifu__save_header header = {
        .fingerprint = rules->fingerprint,
        .saved_at = saved_at,
        .rules_version = rules->rules_version,
        .event_count = plan->timeline->executed,
    };
    kifu__blob payload = begin_payload(plan, &kifu__save_header_table, &header);
    kifu__build_string(&payload, offsetof(kifu__save_header, game), rules->name);
    kifu__build_string(&payload, offsetof(kifu__save_header, union_name), rules->union_name);
    kifu__build_string(&payload, offsetof(kifu__save_header, title), options->title);
    add_strings(&payload, offsetof(kifu__save_header, players), options->players, options->player_count);
    add_bytes(&payload, offsetof(kifu__save_header, thumbnail), options->thumbnail, options->thumbnail_size);
    if (!options->without_schema && !options->codec)
        add_bytes(&payload, offsetof(kifu__save_header, schema), rules->bfbs, rules->bfbs_size);
    kifu_result result = add_payload(plan, KIFU__FRAME_HEADER, &kifu__save_header_table, &payload);
    // Where it can be packed; the header cannot.
    if (!result && !options->without_schema && options->codec)
        result =
            kifu__plan_add(plan, KIFU__FRAME_SCHEMA, (unsigned char *)(uintptr_t)rules->bfbs, rules->bfbs_size, false);
    return result;
}

// A loaded segment of which a part was undone still says what it was loaded with: its rest is made anew.
static kifu_result add_rest_of_segment(kifu__save_plan *plan, const kifu__segment *segment)
{
    const kifu__memory *memory = &plan->timeline->memory;
    const kifu__buffer buffer = {.bytes = segment->bytes, .size = segment->size};
    kifu__segment rest;
    kifu_result result = kifu__convert_segment(&buffer, plan->timeline->rules, segment->first, memory, &rest);
    if (result)
        return result;
    kifu__segment_truncate(&rest, segment->count);
    return kifu__plan_add(plan, KIFU__FRAME_SEGMENT, rest.bytes, rest.size, true);
}

static kifu_result add_segments(kifu__save_plan *plan)
{
    const kifu__log *log = &plan->timeline->log;
    kifu_result result = KIFU_OK;
    for (uint32_t i = 0; i < log->segment_count && !result; i++) {
        const kifu__segment *segment = &log->segments[i];
        if (!segment->count)
            continue;
        if (segment->count == segment->offsets[-1]) // the vector's length
            result = kifu__plan_add(plan, KIFU__FRAME_SEGMENT, segment->bytes, segment->size, false);
        else
            result = add_rest_of_segment(plan, segment);
    }
    return result;
}

static kifu_result add_checkpoints_frame(kifu__save_plan *plan, const kifu__checkpoint *checkpoints, uint32_t count)
{
    const kifu__save_checkpoints fields = {0};
    kifu__blob payload = begin_payload(plan, &kifu__save_checkpoints_table, &fields);
    const uint32_t first = kifu__build_vector(&payload, offsetof(kifu__save_checkpoints, checkpoints), NULL, count,
                                              (uint64_t)count * sizeof(kifu__save_checkpoint), 8);
    for (uint32_t i = 0; !payload.result && i < count; i++) {
        kifu__save_checkpoint *saved = (kifu__save_checkpoint *)kifu__built(&payload, first) + i;
        saved->hash = checkpoints[i].hash;
        saved->event_count = checkpoints[i].event_count;
    }
    return add_payload(plan, KIFU__FRAME_CHECKPOINTS, &kifu__save_checkpoints_table, &payload);
}

// Those of more than `events` events, of what redo can bring back as well.
static kifu_result add_checkpoints(kifu__save_plan *plan, uint32_t events)
{
    const kifu_timeline *timeline = plan->timeline;
    kifu_result result = KIFU_OK;
    uint32_t first = timeline->checkpoint_count;
    while (first && timeline->checkpoints[first - 1].event_count > events)
        first--;
    for (uint32_t i = first; i < timeline->checkpoint_count && !result; i += MOST_CHECKPOINTS) {
        uint32_t left = timeline->checkpoint_count - i;
        result =
            add_checkpoints_frame(plan, timeline->checkpoints + i, left < MOST_CHECKPOINTS ? left : MOST_CHECKPOINTS);
    }
    return result;
}

static kifu_result add_copy(kifu__save_plan *plan, const kifu__segment *segment, uint32_t slot, uint32_t count)
{
    kifu__segment copy;
    kifu_result result = kifu__copy_events(&plan->timeline->log, segment, slot, count, &copy);
    return result ? result : kifu__plan_add(plan, KIFU__FRAME_SEGMENT, copy.bytes, copy.size, true);
}

kifu_result kifu__plan_events(kifu__save_plan *plan, uint32_t first)
{
    const kifu__log *log = &plan->timeline->log;
    kifu_result result = KIFU_OK;
    if (first == log->event_count) {
        static const kifu__segment none = {.count = 0};
        return add_copy(plan, &none, 0, 0);
    }
    for (uint32_t event = first; event < log->event_count && !result;) {
        const kifu__segment *segment = kifu__log_segment_of(log, event);
        uint32_t slot = event - segment->first;
        result = add_copy(plan, segment, slot, segment->count - slot);
        event = segment->first + segment->count;
    }
    return result ? result : add_checkpoints(plan, first);
}

// --- What waits ------------------------------------------------------------------------------------------------------

// Whether a proposal can be in a save. What breaks its schema cannot; it would be refused when its turn came.
static bool is_sound(const kifu_rules *rules, kifu__proposal *proposal)
{
    return !kifu__check_proposal(rules->types[proposal->type].table, kifu__proposal_blob(proposal), NULL);
}

// Adds how many of the queue's proposals can be in a save, and the most bytes that they need there.
static void measure(const kifu_rules *rules, const kifu__queue *queue, uint32_t *count, uint64_t *body)
{
    for (kifu__proposal *at = kifu__queue_first(queue); at; at = kifu__queue_next(queue, at)) {
        if (!is_sound(rules, at))
            continue;
        *count += 1;
        *body += 16 + (uint64_t)at->size + kifu__seal_room(rules->types[at->type].table, kifu__proposal_blob(at));
    }
}

static void seal_queue(kifu__segment *segment, const kifu_rules *rules, const kifu__queue *queue, uint8_t flag,
                       uint32_t executed)
{
    for (kifu__proposal *at = kifu__queue_first(queue); at; at = kifu__queue_next(queue, at)) {
        if (!is_sound(rules, at))
            continue;
        uint32_t distance = at->cause == KIFU_NONE ? 0 : executed - at->cause;
        const kifu__mark mark = {
            .cause = distance > UINT16_MAX ? 0 : (uint16_t)distance,
            .player = at->player,
            .flags = at->flags | flag,
        };
        const void *table;
        kifu__segment_append(segment, rules, at->type, kifu__proposal_blob(at), at->size, mark, &table);
    }
}

kifu_result kifu__plan_waiting(kifu_timeline *timeline, const kifu__queue *consequences, const kifu__queue *inputs,
                               uint32_t executed, unsigned char **payload, uint32_t *size)
{
    const kifu_rules *rules = timeline->rules;
    uint32_t count = 0;
    uint64_t body = 0;
    *payload = NULL;
    *size = 0;
    measure(rules, consequences, &count, &body);
    measure(rules, inputs, &count, &body);
    if (!count)
        return KIFU_OK;
    if (body > MOST_PENDING)
        return KIFU_TOO_LARGE;
    kifu__segment segment;
    kifu_result result = kifu__segment_new(&timeline->memory, rules, count, (uint32_t)body, &segment);
    if (result)
        return result;
    seal_queue(&segment, rules, consequences, KIFU__CONSEQUENCE, executed);
    seal_queue(&segment, rules, inputs, 0, executed);
    *payload = segment.bytes;
    *size = segment.size;
    return KIFU_OK;
}

static kifu_result add_pending(kifu__save_plan *plan, const kifu__queue *consequences, const kifu__queue *inputs,
                               uint32_t executed)
{
    unsigned char *payload;
    uint32_t size;
    kifu_result result = kifu__plan_waiting(plan->timeline, consequences, inputs, executed, &payload, &size);
    return result || !payload ? result : kifu__plan_add(plan, KIFU__FRAME_PENDING, payload, size, true);
}

kifu_result kifu__plan_rewind(kifu__save_plan *plan, uint32_t count)
{
    const kifu__save_rewind rewind = {.count = count};
    kifu__blob payload = begin_payload(plan, &kifu__save_rewind_table, &rewind);
    return add_payload(plan, KIFU__FRAME_REWIND, &kifu__save_rewind_table, &payload);
}

// What redo can bring back: each undo again, oldest first, with what waited before it.
static kifu_result add_undone(kifu__save_plan *plan)
{
    const kifu_timeline *timeline = plan->timeline;
    kifu_result result = KIFU_OK;
    for (uint32_t i = 0; i < timeline->undone_count && !result; i++) {
        const kifu__undone *undone = &timeline->undone[i];
        bool last = i + 1 == timeline->undone_count;
        result = add_pending(plan, &undone->consequences, &undone->inputs, undone->executed);
        if (!result)
            result = kifu__plan_rewind(plan, last ? timeline->executed : undone[1].executed);
    }
    return result;
}

// A model outside the state is not in the state's bytes: nothing could begin from them.
kifu_result kifu__plan_snapshot(kifu__save_plan *plan, bool with_state)
{
    const kifu_timeline *timeline = plan->timeline;
    const kifu__save_snapshot snapshot = {
        .event_count = timeline->executed,
        .hash = kifu_state_hash(timeline),
    };
    kifu__blob payload = begin_payload(plan, &kifu__save_snapshot_table, &snapshot);
    if (with_state && !timeline->options.reset)
        add_bytes(&payload, offsetof(kifu__save_snapshot, state), timeline->core.state, timeline->rules->state_size);
    return add_payload(plan, KIFU__FRAME_SNAPSHOT, &kifu__save_snapshot_table, &payload);
}

kifu_result kifu__plan_end(kifu__save_plan *plan)
{
    const kifu__save_end end = {0};
    kifu__blob payload = begin_payload(plan, &kifu__save_end_table, &end);
    return add_payload(plan, KIFU__FRAME_END, &kifu__save_end_table, &payload);
}

// --- The whole -------------------------------------------------------------------------------------------------------

kifu_result kifu__plan_past(kifu__save_plan *plan)
{
    kifu_result result = add_segments(plan);
    if (!result)
        result = add_checkpoints(plan, 0);
    return result ? result : add_undone(plan);
}

kifu_result kifu__plan_game(kifu__save_plan *plan)
{
    const kifu_timeline *timeline = plan->timeline;
    kifu_result result = kifu__plan_past(plan);
    return result ? result : add_pending(plan, &timeline->consequences, &timeline->inputs, timeline->executed);
}

static kifu_result run(kifu__save_plan *plan, kifu_result (*work)(kifu__save_plan *plan, void *context), void *context)
{
    kifu_result result = work(plan, context);
    if (!result && plan->size > SIZE_MAX - KIFU__FILE_HEAD)
        result = KIFU_TOO_LARGE;
    if (result)
        kifu__error(&plan->timeline->error, result, "%s while a save was put together; nothing was written",
                    kifu_result_text(result));
    return result;
}

// A plan has parts of the log, and what else it needs it has copied: so the present needs to be there only meanwhile.
kifu_result kifu__plan_in_present(kifu__save_plan *plan, kifu_result (*work)(kifu__save_plan *plan, void *context),
                                  void *context)
{
    kifu_timeline *timeline = plan->timeline;
    if (!timeline->sought)
        return run(plan, work, context);
    uint32_t shown = timeline->executed;
    kifu_result result = kifu__seek_quietly(timeline, KIFU_PRESENT);
    if (result)
        return result;
    result = run(plan, work, context);
    kifu_error error = timeline->error;
    kifu_result back = kifu__seek_quietly(timeline, shown);
    if (result)
        timeline->error = error;
    return result ? result : back;
}

uint32_t kifu__plan_version(const kifu__save_plan *plan)
{
    for (uint32_t i = 0; i < plan->count; i++) {
        if (plan->pieces[i].kind == KIFU__FRAME_PACKED)
            return KIFU__FORMAT_VERSION;
    }
    return KIFU__PLAIN_VERSION;
}

kifu_result kifu__plan_write(const kifu__save_plan *plan, kifu__sink *sink)
{
    kifu_result result = KIFU_OK;
    for (uint32_t i = 0; i < plan->count && !result; i++) {
        const kifu__piece *piece = &plan->pieces[i];
        result = kifu__write_frame(sink, piece->kind, piece->payload, piece->size);
    }
    return result ? result : kifu__flush(sink);
}
