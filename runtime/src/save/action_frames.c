// Actions that are set for actors, in saves. The rules of games with actors name this, so others do not link it.

#include "save/saved.h"

#include <inttypes.h>
#include <stddef.h>

#include "wire/table.h"

// --- Writing ---------------------------------------------------------------------------------------------------------

static void add_keys(kifu__blob *payload, const kifu_rules *rules, kifu__row row, uint32_t count)
{
    uint32_t key = kifu__build_vector(payload, offsetof(kifu__save_proposals, keys), NULL, count, count * 4ULL, 4);
    for (kifu__proposal *at = row.first; at && !payload->result; at = kifu__queue_next(row.queue, at)) {
        if (kifu__check_proposal(rules->types[at->type].table, kifu__proposal_blob(at), NULL))
            continue;
        memcpy(kifu__built(payload, key), &at->cause, 4);
        key += 4;
    }
}

static kifu__blob make_actions(kifu__plan *plan, const kifu__kept *kept, uint64_t *recorded)
{
    kifu_timeline *timeline = plan->timeline;
    const kifu_rules *rules = timeline->rules;
    const kifu__queue actions = rules->turns->timed->actions(timeline, kept);
    const kifu__row row = kifu__row_of(&actions);
    kifu__segment segment;
    const kifu__blob none = {.memory = &timeline->memory};
    kifu__blob payload = none;
    if ((!actions.count && !*recorded) || !kifu__seal_waiting(plan, (kifu__row){.first = NULL}, row, 0, &segment))
        return payload;
    const kifu__save_proposals fields = {.part = {1}, .keys = {segment.count != 0}, .events = {segment.count != 0}};
    kifu__build_short(&payload, &kifu__save_proposals_table, &fields);
    kifu__build_string(&payload, offsetof(kifu__save_proposals, part), "actions");
    if (segment.count) {
        add_keys(&payload, rules, row, segment.count);
        kifu__build_vector(&payload, offsetof(kifu__save_proposals, events), segment.bytes, segment.size, segment.size,
                           8);
    }
    kifu__free(&timeline->memory, segment.bytes);
    const uint32_t size = payload.size;
    kifu__build(&payload, 0, NULL, 0, 8); // The hash wants whole words.
    if (!kifu__payload_end(plan, &payload))
        return none;
    // That nothing is set is to be said only where something was.
    const uint64_t hash = segment.count ? kifu__hash_state(payload.bytes, payload.size) | 1 : 0;
    if (hash == *recorded) {
        kifu__free(&timeline->memory, payload.bytes);
        return none;
    }
    *recorded = hash;
    payload.size = size;
    return payload;
}

// --- Reading ---------------------------------------------------------------------------------------------------------

static kifu_result read_actions(kifu__reader *reader, const kifu__frame *frame, const kifu_ref *keys,
                                kifu__queue *actions)
{
    kifu__segment segment;
    const kifu_result result = kifu__read_segment(reader, frame, reader->timeline->executed, true, &segment);
    if (result)
        return result;
    if (segment.count == kifu__length(keys))
        return kifu__queue_proposals(reader, frame, &segment, (const uint32_t *)kifu__elements(keys), actions, actions);
    kifu__segment_free(&segment, &reader->timeline->memory);
    return kifu__damaged(reader->error, frame->offset,
                         "the save sets %" PRIu32 " actions for %" PRIu32 " actors at byte %" PRIu64, segment.count,
                         kifu__length(keys), frame->offset);
}

// What is set for actors from here on, in place of what was. The parts of later versions mean nothing to this one.
static kifu_result take_action_frame(kifu__reader *reader, const kifu__frame *frame, const kifu__save_proposals *fields)
{
    kifu_timeline *timeline = reader->timeline;
    kifu_result result = KIFU_OK;
    if (strcmp((const char *)kifu__elements(&fields->part), "actions") != 0)
        return result;
    const uint32_t size = kifu__length(&fields->events);
    unsigned char *bytes;
    const kifu__frame events = kifu__copy_inner(reader, frame, kifu__elements(&fields->events), size, &bytes);
    kifu__queue actions = {0};
    if (!bytes)
        return KIFU_NO_MEMORY;
    if (size || kifu__length(&fields->keys))
        result = read_actions(reader, &events, &fields->keys, &actions);
    if (!result && !timeline->rules->turns->timed->set_actions(timeline, &actions))
        result = kifu__not_loaded(reader->error, frame->offset, KIFU_NO_MEMORY);
    kifu__queue_free(&actions, &timeline->memory);
    kifu__free(&timeline->memory, bytes);
    return result;
}

static kifu_result take_action_record(kifu__commits *commits, const unsigned char *bytes, uint32_t size)
{
    kifu__reader *reader = commits->reader;
    const kifu_timeline *timeline = reader->timeline;
    kifu__blob room = {.memory = &timeline->memory};
    const void *fields = NULL;
    unsigned char *own;
    const kifu__frame frame = kifu__copy_inner(reader, commits->frame, bytes, size, &own);
    if (!own)
        return KIFU_NO_MEMORY;
    const kifu__buffer buffer = kifu__buffer_of(&frame, reader->error);
    kifu_result result = kifu__payload_read(&buffer, &kifu__save_proposals_table, &room, &fields);
    if (!result)
        result = take_action_frame(reader, &frame, (const kifu__save_proposals *)fields);
    kifu__free(&timeline->memory, room.bytes);
    kifu__free(&timeline->memory, own);
    return result;
}

const struct kifu__action_frames kifu__action_frames = {.make = make_actions, .take = take_action_record};
