// The frames of a save. What a file says so far is compared with what there is, and the difference becomes frames; a
// snapshot behind them says that they belong together, since recovery uses nothing behind the last one.
//
// Any difference can be said by the kinds of frames that there are. Where events are gone: a rewind to before them, and
// a segment, perhaps an empty one, that takes the place of what was undone. After a redo: the same events, once more.
// So nothing in a file is ever changed in place.

#include "save/writer.h"

#include "history/seek.h"

#include <stddef.h>

#include "save/regroup.h"
#include "save/packing.h"
#include "save/save_tables.h"
#include "wire/buffer.h"
#include "wire/table.h"

// The most bytes that the events of one pending segment may have.
#define MOST_PENDING (UINT64_C(1) << 30)

// The most checkpoints of one frame: one MiB.
enum { MOST_CHECKPOINTS = 65536 };

// Begins a payload with its table's struct.
static kifu__blob begin_payload(const kifu__plan *plan, const kifu__table *table, const void *fields)
{
    kifu__blob payload = {.memory = &plan->timeline->memory};
    kifu__build_root(&payload, NULL, table, fields, table->size);
    return payload;
}

static kifu_result add_payload(kifu__plan *plan, uint32_t kind, const kifu__table *table, kifu__blob *payload)
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

static kifu_result add_header(kifu__plan *plan, const kifu_save_options *options, int64_t saved_at)
{
    const kifu_rules *rules = plan->timeline->rules;
    const kifu__save_header header = {
        .fingerprint = rules->fingerprint,
        .saved_at = saved_at,
        .rules_version = rules->rules_version,
        .event_count = kifu_event_count(plan->timeline),
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

kifu_result kifu__plan_header(kifu__plan *plan, const kifu_save_options *options, int64_t saved_at)
{
    kifu_result result = add_header(plan, options, saved_at);
    return result ? kifu__plan_fail(plan, result) : KIFU_OK;
}

// --- What happened ---------------------------------------------------------------------------------------------------

static kifu_result add_copy(kifu__plan *plan, const kifu__segment *segment, uint32_t slot, uint32_t count)
{
    kifu__segment copy;
    kifu_result result = kifu__copy_events(&plan->timeline->log, segment, slot, count, &copy);
    return result ? result : kifu__plan_add(plan, KIFU__FRAME_SEGMENT, copy.bytes, copy.size, true);
}

// The events from number `first` on. Where there are none, an empty segment: they are gone that the file has there.
// What is appended needs no room for more; a new file has the segments as they are in memory, but for one of which
// events are gone: it was loaded, and its bytes cannot be changed.
static kifu_result add_events(kifu__plan *plan, uint32_t first, bool new_file)
{
    const kifu__log *log = &plan->timeline->log;
    if (first == log->event_count) {
        static const kifu__segment none = {.count = 0};
        return add_copy(plan, &none, 0, 0);
    }
    kifu_result result = KIFU_OK;
    for (uint32_t event = first; event < log->event_count && !result;) {
        const kifu__segment *segment = kifu__log_segment_of(log, event);
        const uint32_t slot = event - segment->first;
        if (new_file && segment->count == segment->offsets[-1]) // the vector's length
            result = kifu__plan_add(plan, KIFU__FRAME_SEGMENT, segment->bytes, segment->size, false);
        else
            result = add_copy(plan, segment, slot, segment->count - slot);
        event = segment->first + segment->count;
    }
    return result;
}

static kifu_result add_checkpoints_frame(kifu__plan *plan, const kifu__checkpoint *checkpoints, uint32_t count)
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
static kifu_result add_checkpoints(kifu__plan *plan, uint32_t events)
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

// --- What waits ------------------------------------------------------------------------------------------------------

// Whether a proposal can be in a save. What breaks its schema cannot; it would be refused when its turn came.
static bool is_sound(const kifu_rules *rules, kifu__proposal *proposal)
{
    return !kifu__check_proposal(rules->types[proposal->type].table, kifu__proposal_blob(proposal), NULL);
}

static uint32_t count_sound(const kifu_rules *rules, const kifu__queue *queue)
{
    uint32_t count = 0;
    for (kifu__proposal *at = kifu__queue_first(queue); at; at = kifu__queue_next(queue, at))
        count += is_sound(rules, at);
    return count;
}

static kifu_result seal_queue(kifu__segment *segment, const kifu_timeline *timeline, const kifu__queue *queue,
                              uint8_t flag, uint32_t executed)
{
    const kifu_rules *rules = timeline->rules;
    kifu_result result = KIFU_OK;
    for (kifu__proposal *at = kifu__queue_first(queue); at && !result; at = kifu__queue_next(queue, at)) {
        if (!is_sound(rules, at))
            continue;
        const bool caused = flag == KIFU__CONSEQUENCE && at->cause != KIFU_NONE;
        const uint32_t distance = caused ? executed - at->cause : 0;
        const kifu__mark mark = {
            .cause = distance > UINT16_MAX ? 0 : (uint16_t)distance,
            .player = at->player,
            .flags = at->flags | flag,
        };
        result = kifu__segment_add(segment, &timeline->memory, rules, at->type, kifu__proposal_blob(at), at->size, mark,
                                   MOST_PENDING);
    }
    return result;
}

// `*payload` is the caller's, or NULL when nothing waits, or waited before an undo, after `executed` events.
static kifu_result seal_waiting(kifu_timeline *timeline, const kifu__queue *consequences, const kifu__queue *inputs,
                                uint32_t executed, unsigned char **payload, uint32_t *size)
{
    const kifu_rules *rules = timeline->rules;
    const kifu__memory *memory = &timeline->memory;
    const uint32_t count = count_sound(rules, consequences) + count_sound(rules, inputs);
    *payload = NULL;
    *size = 0;
    if (!count)
        return KIFU_OK;
    kifu__segment segment;
    kifu_result result = kifu__segment_new(memory, rules, rules->rules_version, count, 16 * (uint64_t)count, &segment);
    if (result)
        return result;
    result = seal_queue(&segment, timeline, consequences, KIFU__CONSEQUENCE, executed);
    if (!result)
        result = seal_queue(&segment, timeline, inputs, 0, executed);
    if (result) {
        kifu__free(memory, segment.bytes);
        return result;
    }
    *payload = segment.bytes;
    *size = segment.size;
    return KIFU_OK;
}

// Where nothing waits any more that does in the file, the segment is empty.
static kifu_result add_waiting(kifu__plan *plan, kifu__written *written, const kifu__queue *consequences,
                               const kifu__queue *inputs, uint32_t executed)
{
    kifu_timeline *timeline = plan->timeline;
    unsigned char *payload;
    uint32_t size;
    if (!consequences->count && !inputs->count && !written->pending)
        return KIFU_OK;
    kifu_result result = seal_waiting(timeline, consequences, inputs, executed, &payload, &size);
    if (result)
        return result;
    const bool same_causes = !consequences->count || executed == written->pending_at;
    if (payload && written->pending && same_causes && size == written->pending_size &&
        !memcmp(payload, written->pending, size)) {
        kifu__free(&timeline->memory, payload);
        return KIFU_OK;
    }
    kifu__segment none = {.bytes = payload, .size = size};
    if (!payload && !written->pending)
        return KIFU_OK;
    if (!payload && kifu__segment_new(&timeline->memory, timeline->rules, timeline->rules->rules_version, 0, 0, &none))
        return KIFU_NO_MEMORY;
    result = kifu__plan_add(plan, KIFU__FRAME_PENDING, none.bytes, none.size, true);
    written->pending = result ? NULL : payload;
    written->pending_size = size;
    written->pending_at = executed;
    return result;
}

static kifu_result seal_actions(const kifu__plan *plan, const kifu__queue *actions, kifu__blob *payload)
{
    static const kifu__queue none = {.count = 0};
    const kifu__save_proposals fields = {.vtable_ = 0};
    kifu_timeline *timeline = plan->timeline;
    unsigned char *events;
    uint32_t size;
    *payload = (kifu__blob){.bytes = NULL};
    kifu_result result = seal_waiting(timeline, &none, actions, 0, &events, &size);
    if (result)
        return result;
    *payload = begin_payload(plan, &kifu__save_proposals_table, &fields);
    kifu__build_string(payload, offsetof(kifu__save_proposals, part), "actions");
    if (events) {
        const uint32_t count = kifu__segment_parts(events).count;
        uint32_t key = kifu__build_vector(payload, offsetof(kifu__save_proposals, keys), NULL, count, count * 4ULL, 4);
        for (kifu__proposal *at = kifu__queue_first(actions); at && !payload->result;) {
            if (is_sound(timeline->rules, at)) {
                memcpy(kifu__built(payload, key), &at->cause, 4);
                key += 4;
            }
            at = kifu__queue_next(actions, at);
        }
        add_bytes(payload, offsetof(kifu__save_proposals, events), events, size);
    }
    kifu__free(&timeline->memory, events);
    return kifu__build_end(payload, NULL, &kifu__save_proposals_table);
}

// The actions that are set, or were before an undo, where those are not what the file says.
static kifu_result add_actions(kifu__plan *plan, kifu__written *written, const kifu__blob *kept)
{
    kifu_timeline *timeline = plan->timeline;
    const kifu__turn_rules *turns = timeline->rules->turns;
    const kifu__queue actions = turns && turns->actors ? turns->timed->actions(timeline, kept) : (kifu__queue){0};
    if (!actions.count && !written->actions)
        return KIFU_OK;
    kifu__blob payload;
    kifu_result result = seal_actions(plan, &actions, &payload);
    if (result) {
        kifu__free(&timeline->memory, payload.bytes);
        return result;
    }
    if (written->actions && payload.size == written->actions_size &&
        !memcmp(payload.bytes, written->actions, payload.size)) {
        kifu__free(&timeline->memory, payload.bytes);
        return KIFU_OK;
    }
    result = kifu__plan_add(plan, KIFU__FRAME_PROPOSALS, payload.bytes, payload.size, true);
    written->actions = result || !actions.count ? NULL : payload.bytes;
    written->actions_size = payload.size;
    return result;
}

// --- What changed ----------------------------------------------------------------------------------------------------

static kifu_result add_rewind(kifu__plan *plan, kifu__written *written, uint32_t count)
{
    const kifu__save_rewind rewind = {.count = count};
    kifu__blob payload = begin_payload(plan, &kifu__save_rewind_table, &rewind);
    written->executed = count;
    written->pending = written->actions = NULL;
    return add_payload(plan, KIFU__FRAME_REWIND, &kifu__save_rewind_table, &payload);
}

// The events of which the log has others than the file, in place of those.
static kifu_result add_log(kifu__plan *plan, kifu__written *written)
{
    const kifu__log *log = &plan->timeline->log;
    const uint32_t same = log->unchanged < log->event_count ? log->unchanged : log->event_count;
    kifu_result result = KIFU_OK;
    if (same < written->executed)
        result = add_rewind(plan, written, same);
    if (!result)
        result = add_events(plan, written->executed, !written->begun);
    if (!result)
        result = add_checkpoints(plan, written->executed);
    written->events = written->executed = log->event_count;
    written->undone = 0;
    return result;
}

// What redo can bring back: each undo again, oldest first, with what waited before it.
static kifu_result add_undone(kifu__plan *plan, kifu__written *written, uint32_t executed)
{
    const kifu_timeline *timeline = plan->timeline;
    kifu_result result = KIFU_OK;
    for (; written->undone < timeline->redo.count && !result; written->undone++) {
        const kifu__kept *undone = &timeline->redo.items[written->undone];
        const bool last = written->undone + 1 == timeline->redo.count;
        result = add_waiting(plan, written, &undone->consequences, &undone->inputs, undone->at.executed);
        if (!result)
            result = add_actions(plan, written, &undone->parts);
        if (!result)
            result = add_rewind(plan, written, last ? executed : undone[1].at.executed);
    }
    return result;
}

static kifu_result add_changes(kifu__plan *plan, kifu__written *written)
{
    const kifu_timeline *timeline = plan->timeline;
    const uint32_t executed = kifu_event_count(timeline), events = timeline->log.event_count;
    // Where the first undo began that the file does not have.
    const bool more = written->undone < timeline->redo.count;
    const uint32_t then = more ? timeline->redo.items[written->undone].at.executed : executed;
    kifu_result result = KIFU_OK;
    // The last: a redo that could not execute the log again may have left less executed than was before.
    if (events != written->events || timeline->log.unchanged < events || then != written->executed)
        result = add_log(plan, written);
    if (!result)
        result = add_undone(plan, written, executed);
    if (!result)
        result = add_waiting(plan, written, &timeline->consequences, &timeline->inputs, executed);
    if (!result)
        result = add_actions(plan, written, NULL);
    written->begun = true;
    return result;
}

kifu_result kifu__plan_changes(kifu__plan *plan, kifu__written *written)
{
    kifu_result result = add_changes(plan, written);
    return result ? kifu__plan_fail(plan, result) : KIFU_OK;
}

// --- The state, and the end ------------------------------------------------------------------------------------------

// A model outside the state is not in the state's bytes: nothing could begin from them.
static kifu_result add_snapshot(kifu__plan *plan, bool with_state)
{
    const kifu_timeline *timeline = plan->timeline;
    const kifu__save_snapshot snapshot = {
        .event_count = timeline->executed,
        .hash = kifu_state_hash(timeline),
    };
    kifu__blob payload = begin_payload(plan, &kifu__save_snapshot_table, &snapshot);
    if (with_state && !timeline->options.reset)
        add_bytes(&payload, offsetof(kifu__save_snapshot, state), timeline->core.state, timeline->rules->state_size);
    kifu_result result = add_payload(plan, KIFU__FRAME_SNAPSHOT, &kifu__save_snapshot_table, &payload);
    return result ? kifu__plan_fail(plan, result) : KIFU_OK;
}

kifu_result kifu__plan_snapshot(kifu__plan *plan, bool with_state)
{
    kifu_timeline *timeline = plan->timeline;
    if (!timeline->sought)
        return add_snapshot(plan, with_state);
    const uint32_t shown = timeline->executed;
    kifu_result result = kifu__seek_quietly(timeline, KIFU_PRESENT);
    if (result)
        return result;
    result = add_snapshot(plan, with_state);
    const kifu_error error = timeline->error;
    kifu_result back = kifu__seek_quietly(timeline, shown);
    if (result)
        timeline->error = error;
    return result ? result : back;
}

static kifu_result add_end(kifu__plan *plan)
{
    const kifu__save_end end = {0};
    kifu__blob payload = begin_payload(plan, &kifu__save_end_table, &end);
    kifu_result result = add_payload(plan, KIFU__FRAME_END, &kifu__save_end_table, &payload);
    return result ? kifu__plan_fail(plan, result) : KIFU_OK;
}

kifu_result kifu__plan_rest(kifu__plan *plan, bool with_state, const kifu_codec *codec)
{
    kifu__written nothing = {0};
    kifu_result result = kifu__require_packing(codec, &plan->timeline->error);
    if (!result)
        result = kifu__plan_changes(plan, &nothing);
    if (!result)
        result = kifu__plan_snapshot(plan, with_state);
    if (!result)
        result = add_end(plan);
    if (result || !codec)
        return result;
    result = codec->packing->pack(plan, codec);
    return result ? kifu__plan_fail(plan, result) : KIFU_OK;
}
