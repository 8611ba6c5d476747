// Saving: first a plan of all frames, with those payloads that are not in memory already; then the plan is written.

#include "save_impl.h"

#include <stddef.h>
#include <stdio.h>

#include "frame.h"
#include "os.h"
#include "save_schema.h"
#include "table.h"
#include "timeline_impl.h"

// The most bytes that the events of one pending segment may have.
#define MOST_PENDING (UINT64_C(1) << 30)

// The most checkpoints of one frame: one MiB.
enum { MOST_CHECKPOINTS = 65536 };

typedef struct piece {
    uint32_t kind;
    uint32_t size;
    unsigned char *payload;
    bool owned; // By the plan; else a part of the log.
} piece;

typedef struct save_plan {
    kifu_timeline *timeline;
    piece *pieces;
    uint32_t count;
    uint32_t capacity;
    uint64_t size; // Of the whole file.
} save_plan;

static void drop_plan(save_plan *plan)
{
    const kifu__memory *memory = &plan->timeline->memory;
    for (uint32_t i = 0; i < plan->count; i++) {
        if (plan->pieces[i].owned)
            kifu__free(memory, plan->pieces[i].payload);
    }
    kifu__free(memory, plan->pieces);
}

// An owned payload is freed even when it cannot be added.
static kifu_result add(save_plan *plan, uint32_t kind, unsigned char *payload, uint32_t size, bool owned)
{
    const kifu__memory *memory = &plan->timeline->memory;
    piece *pieces =
        (piece *)kifu__grow(memory, plan->pieces, &plan->capacity, (uint64_t)plan->count + 1, sizeof *pieces);
    if (!pieces) {
        if (owned)
            kifu__free(memory, payload);
        return KIFU_NO_MEMORY;
    }
    plan->pieces = pieces;
    pieces[plan->count++] = (piece){.kind = kind, .size = size, .payload = payload, .owned = owned};
    plan->size += kifu__frame_size(size);
    return KIFU_OK;
}

static kifu_result add_payload(save_plan *plan, uint32_t kind, kifu__payload *payload)
{
    kifu_result result = kifu__payload_end(payload);
    return result ? result : add(plan, kind, payload->bytes, payload->size, true);
}

static kifu_result add_header(save_plan *plan, const kifu_save_options *options, int64_t saved_at)
{
    const kifu_rules *rules = plan->timeline->rules;
    const kifu__save_header header = {
        .fingerprint = rules->fingerprint,
        .saved_at = saved_at,
        .rules_version = rules->rules_version,
        .event_count = plan->timeline->executed,
    };
    kifu__payload payload;
    kifu__payload_begin(&payload, &plan->timeline->memory, &kifu__save_header_table, &header);
    kifu__payload_string(&payload, offsetof(kifu__save_header, game), rules->name);
    kifu__payload_string(&payload, offsetof(kifu__save_header, union_name), rules->union_name);
    kifu__payload_string(&payload, offsetof(kifu__save_header, title), options->title);
    kifu__payload_strings(&payload, offsetof(kifu__save_header, players), options->players, options->player_count);
    kifu__payload_bytes(&payload, offsetof(kifu__save_header, thumbnail), options->thumbnail, options->thumbnail_size);
    if (!options->without_schema)
        kifu__payload_bytes(&payload, offsetof(kifu__save_header, schema), rules->bfbs, rules->bfbs_size);
    return add_payload(plan, KIFU__FRAME_HEADER, &payload);
}

// A loaded segment of which a part was undone still says what it was loaded with: its rest is made anew.
static kifu_result add_rest_of_segment(save_plan *plan, const kifu__segment *segment)
{
    const kifu__memory *memory = &plan->timeline->memory;
    const kifu__buffer buffer = {.bytes = segment->bytes, .size = segment->size};
    kifu__segment rest;
    kifu_result result = kifu__convert_segment(&buffer, plan->timeline->rules, segment->first, memory, &rest);
    if (result)
        return result;
    kifu__segment_truncate(&rest, segment->count);
    return add(plan, KIFU__FRAME_SEGMENT, rest.bytes, rest.size, true);
}

static kifu_result add_segments(save_plan *plan)
{
    const kifu__log *log = &plan->timeline->log;
    kifu_result result = KIFU_OK;
    for (uint32_t i = 0; i < log->segment_count && !result; i++) {
        const kifu__segment *segment = &log->segments[i];
        if (!segment->count)
            continue;
        if (segment->count == segment->offsets[-1]) // the vector's length
            result = add(plan, KIFU__FRAME_SEGMENT, segment->bytes, segment->size, false);
        else
            result = add_rest_of_segment(plan, segment);
    }
    return result;
}

static kifu_result add_checkpoints_frame(save_plan *plan, const kifu__checkpoint *checkpoints, uint32_t count)
{
    const kifu__save_checkpoints fields = {0};
    kifu__payload payload;
    kifu__payload_begin(&payload, &plan->timeline->memory, &kifu__save_checkpoints_table, &fields);
    kifu__save_checkpoint *saved = (kifu__save_checkpoint *)kifu__payload_structs(
        &payload, offsetof(kifu__save_checkpoints, checkpoints), count, sizeof *saved);
    for (uint32_t i = 0; saved && i < count; i++) {
        saved[i].hash = checkpoints[i].hash;
        saved[i].event_count = checkpoints[i].event_count;
    }
    return add_payload(plan, KIFU__FRAME_CHECKPOINTS, &payload);
}

// Those of what redo can bring back as well.
static kifu_result add_checkpoints(save_plan *plan)
{
    const kifu_timeline *timeline = plan->timeline;
    kifu_result result = KIFU_OK;
    for (uint32_t i = 0; i < timeline->checkpoint_count && !result; i += MOST_CHECKPOINTS) {
        uint32_t left = timeline->checkpoint_count - i;
        result =
            add_checkpoints_frame(plan, timeline->checkpoints + i, left < MOST_CHECKPOINTS ? left : MOST_CHECKPOINTS);
    }
    return result;
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

// Proposals that wait, or waited before an undo, when `executed` events were executed. None: no frame.
static kifu_result add_pending(save_plan *plan, const kifu__queue *consequences, const kifu__queue *inputs,
                               uint32_t executed)
{
    const kifu_rules *rules = plan->timeline->rules;
    uint32_t count = 0;
    uint64_t body = 0;
    measure(rules, consequences, &count, &body);
    measure(rules, inputs, &count, &body);
    if (!count)
        return KIFU_OK;
    if (body > MOST_PENDING)
        return KIFU_TOO_LARGE;
    kifu__segment segment;
    kifu_result result = kifu__segment_new(&plan->timeline->memory, rules, count, (uint32_t)body, &segment);
    if (result)
        return result;
    seal_queue(&segment, rules, consequences, KIFU__CONSEQUENCE, executed);
    seal_queue(&segment, rules, inputs, 0, executed);
    return add(plan, KIFU__FRAME_PENDING, segment.bytes, segment.size, true);
}

// What redo can bring back: each undo again, oldest first, with what waited before it.
static kifu_result add_undone(save_plan *plan)
{
    const kifu_timeline *timeline = plan->timeline;
    kifu_result result = KIFU_OK;
    for (uint32_t i = 0; i < timeline->undone_count && !result; i++) {
        const kifu__undone *undone = &timeline->undone[i];
        bool last = i + 1 == timeline->undone_count;
        const kifu__save_rewind rewind = {.count = last ? timeline->executed : undone[1].executed};
        kifu__payload payload;
        result = add_pending(plan, &undone->consequences, &undone->inputs, undone->executed);
        if (result)
            break;
        kifu__payload_begin(&payload, &timeline->memory, &kifu__save_rewind_table, &rewind);
        result = add_payload(plan, KIFU__FRAME_REWIND, &payload);
    }
    return result;
}

// A model outside the state is not in the state's bytes: nothing could begin from them.
static kifu_result add_snapshot(save_plan *plan, const kifu_save_options *options)
{
    const kifu_timeline *timeline = plan->timeline;
    const kifu__save_snapshot snapshot = {
        .event_count = timeline->executed,
        .hash = kifu_state_hash(timeline),
    };
    kifu__payload payload;
    kifu__payload_begin(&payload, &timeline->memory, &kifu__save_snapshot_table, &snapshot);
    if (!options->without_snapshot && !timeline->options.reset)
        kifu__payload_bytes(&payload, offsetof(kifu__save_snapshot, state), timeline->core.state,
                            timeline->rules->state_size);
    return add_payload(plan, KIFU__FRAME_SNAPSHOT, &payload);
}

static kifu_result add_end(save_plan *plan)
{
    const kifu__save_end end = {0};
    kifu__payload payload;
    kifu__payload_begin(&payload, &plan->timeline->memory, &kifu__save_end_table, &end);
    return add_payload(plan, KIFU__FRAME_END, &payload);
}

static kifu_result plan_of_now(save_plan *plan, kifu_timeline *timeline, const kifu_save_options *options,
                               int64_t saved_at)
{
    static const kifu_save_options defaults = {0};
    *plan = (save_plan){.timeline = timeline, .size = KIFU__FILE_HEAD};
    options = options ? options : &defaults;
    kifu_result result = add_header(plan, options, saved_at);
    if (!result)
        result = add_segments(plan);
    if (!result)
        result = add_checkpoints(plan);
    if (!result)
        result = add_undone(plan);
    if (!result)
        result = add_pending(plan, &timeline->consequences, &timeline->inputs, timeline->executed);
    if (!result)
        result = add_snapshot(plan, options);
    if (!result)
        result = add_end(plan);
    if (!result && plan->size > SIZE_MAX)
        result = KIFU_TOO_LARGE;
    if (result) {
        drop_plan(plan);
        kifu__error(&timeline->error, result, "%s while a save was put together; nothing was written",
                    kifu_result_text(result));
    }
    return result;
}

// A plan has parts of the log, and what else it needs it has copied: so the present needs to be there only meanwhile.
static kifu_result make_plan(save_plan *plan, kifu_timeline *timeline, const kifu_save_options *options,
                             int64_t saved_at)
{
    if (!timeline->sought)
        return plan_of_now(plan, timeline, options, saved_at);
    uint32_t shown = timeline->executed;
    kifu_result result = kifu__seek_quietly(timeline, KIFU_PRESENT);
    if (result)
        return result;
    result = plan_of_now(plan, timeline, options, saved_at);
    kifu_error error = timeline->error;
    kifu_result back = kifu__seek_quietly(timeline, shown);
    if (result)
        timeline->error = error;
    else if (back)
        drop_plan(plan);
    return result ? result : back;
}

static kifu_result write_plan(const save_plan *plan, kifu__sink *sink)
{
    kifu_result result = kifu__write_file_header(sink);
    for (uint32_t i = 0; i < plan->count && !result; i++) {
        const piece *piece = &plan->pieces[i];
        result = kifu__write_frame(sink, piece->kind, piece->payload, piece->size);
    }
    return result ? result : kifu__flush(sink);
}

// --- To a file -------------------------------------------------------------------------------------------------------

static kifu_result write_to_file(void *context, const void *bytes, size_t size, kifu_error *error)
{
    return kifu__os_replace_write((kifu__replacement *)context, bytes, size, error);
}

static kifu_result save_file(kifu_timeline *timeline, const char *path, const kifu_save_options *options,
                             int64_t saved_at)
{
    save_plan plan;
    kifu_result result = make_plan(&plan, timeline, options, saved_at);
    if (result)
        return result;
    kifu__replacement replacement;
    result = kifu__os_replace_begin(path, &timeline->memory, &replacement, &timeline->error);
    if (!result) {
        kifu__sink sink = {.write = write_to_file, .context = &replacement, .error = &timeline->error};
        result = write_plan(&plan, &sink);
        if (result)
            kifu__os_replace_abandon(&replacement);
        else
            result = kifu__os_replace_commit(&replacement, &timeline->error);
    }
    drop_plan(&plan);
    return result;
}

// "folder/" becomes "folder/2026_11_21_10_20_30.kifu", or the first of "…_2.kifu", "…_3.kifu", … that is free.
static char *name_save(const kifu__memory *memory, const char *folder, int64_t saved_at)
{
    char time[20];
    size_t length = strlen(folder);
    size_t room = sizeof time + sizeof "_4294967295.kifu";
    char *name = (char *)kifu__new(memory, length + room);
    if (!name)
        return NULL;
    kifu__os_local_time(saved_at, time);
    memcpy(name, folder, length);
    snprintf(name + length, room, "%s.kifu", time);
    for (unsigned number = 2; kifu__os_exists(name); number++)
        snprintf(name + length, room, "%s_%u.kifu", time, number);
    return name;
}

kifu_result kifu__save_at(kifu_timeline *timeline, const char *path, const kifu_save_options *options, int64_t saved_at)
{
    size_t length = strlen(path);
    if (!length)
        return kifu__error(&timeline->error, KIFU_IO,
                           "the path of the save is empty: give a file, or a folder with its '/'");
    if (path[length - 1] != '/')
        return save_file(timeline, path, options, saved_at);
    char *name = name_save(&timeline->memory, path, saved_at);
    if (!name)
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for the name of a save in '%.300s'", path);
    kifu_result result = save_file(timeline, name, options, saved_at);
    kifu__free(&timeline->memory, name);
    return result;
}

static kifu_result require_savable(kifu_timeline *timeline, const char *call)
{
    kifu_result result = kifu__require_idle(timeline, call);
    if (!result && timeline->transaction_count)
        result =
            kifu__error(&timeline->error, KIFU_MISUSE,
                        "%s was called inside a transaction: commit or roll back first; nothing was written", call);
    return result;
}

kifu_result kifu_save(kifu_timeline *timeline, const char *path, const kifu_save_options *options)
{
    kifu_result result = require_savable(timeline, "kifu_save");
    return result ? result : kifu__save_at(timeline, path, options, kifu__os_now());
}

// --- To memory -------------------------------------------------------------------------------------------------------

static kifu_result write_to_memory(void *context, const void *bytes, size_t size, kifu_error *error)
{
    (void)error;
    unsigned char **end = (unsigned char **)context;
    memcpy(*end, bytes, size);
    *end += size;
    return KIFU_OK;
}

kifu_result kifu__save_to_memory_at(kifu_timeline *timeline, const kifu_save_options *options, int64_t saved_at,
                                    unsigned char **bytes, size_t *size)
{
    save_plan plan;
    kifu_result result = make_plan(&plan, timeline, options, saved_at);
    if (result)
        return result;
    unsigned char *end = (unsigned char *)kifu__new(&timeline->memory, (size_t)plan.size);
    if (end) {
        *bytes = end;
        *size = (size_t)plan.size;
        kifu__sink sink = {.write = write_to_memory, .context = &end, .error = &timeline->error};
        result = write_plan(&plan, &sink);
    } else {
        result =
            kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for a save of %zu bytes", (size_t)plan.size);
    }
    drop_plan(&plan);
    return result;
}

kifu_result kifu_save_to_memory(kifu_timeline *timeline, const kifu_save_options *options, unsigned char **bytes,
                                size_t *size)
{
    *bytes = NULL;
    *size = 0;
    kifu_result result = require_savable(timeline, "kifu_save_to_memory");
    return result ? result : kifu__save_to_memory_at(timeline, options, kifu__os_now(), bytes, size);
}

void kifu_free_bytes(kifu_timeline *timeline, unsigned char *bytes)
{
    kifu__free(&timeline->memory, bytes);
}
