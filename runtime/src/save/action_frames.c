// Actions that are set for actors, in saves. The rules of games with actors name this, so others do not link it.

#include "save/action_frames.h"

#include <stddef.h>

#include "save/waiting.h"
#include "wire/table.h"

// --- Writing ---------------------------------------------------------------------------------------------------------

// Adds it, unless the file says so. `none`: nothing is set, which is to be said only where something was.
static void say(kifu__plan *plan, unsigned char *bytes, uint32_t size, bool none, kifu__said *said)
{
    const uint32_t behind = KIFU__LINK + KIFU__LINK_SIZE; // In front of that is where it lies in the file.
    if (none ? !said->bytes
             : said->bytes && size == said->size && !memcmp(bytes + behind, said->bytes + behind, size - behind)) {
        kifu__free(&plan->timeline->memory, bytes);
        return;
    }
    kifu__plan_add(plan, KIFU__FRAME_PROPOSALS, bytes, size, true);
    *said = (kifu__said){.bytes = none ? NULL : bytes, .size = size};
}

static void plan_actions(kifu__plan *plan, kifu__written *written, const kifu__kept *kept)
{
    static const kifu__queue none = {.count = 0};
    static const kifu__save_proposals fields = {.vtable_ = 0};
    kifu_timeline *timeline = plan->timeline;
    const kifu_rules *rules = timeline->rules;
    const kifu__queue actions = rules->turns->timed->actions(timeline, kept);
    const kifu__row row = {&actions, kifu__queue_first(&actions)};
    kifu__segment segment;
    if ((!actions.count && !written->actions.bytes) ||
        !kifu__seal_waiting(plan, (kifu__row){&none, NULL}, row, 0, &segment))
        return;
    kifu__blob payload = kifu__payload_begin(plan, &kifu__save_proposals_table, &fields);
    kifu__build_string(&payload, offsetof(kifu__save_proposals, part), "actions");
    if (segment.count) {
        uint32_t key = kifu__build_vector(&payload, offsetof(kifu__save_proposals, keys), NULL, segment.count,
                                          segment.count * 4ULL, 4);
        for (kifu__proposal *at = row.first; at && !payload.result;) {
            if (!kifu__check_proposal(rules->types[at->type].table, kifu__proposal_blob(at), NULL)) {
                memcpy(kifu__built(&payload, key), &at->cause, 4);
                key += 4;
            }
            at = kifu__queue_next(&actions, at);
        }
        kifu__build_vector(&payload, offsetof(kifu__save_proposals, events), segment.bytes, segment.size, segment.size,
                           8);
    }
    kifu__free(&timeline->memory, segment.bytes);
    if (kifu__payload_end(plan, &kifu__save_proposals_table, &payload))
        say(plan, payload.bytes, payload.size, !segment.count, &written->actions);
}

// --- Reading ---------------------------------------------------------------------------------------------------------

// What is set for actors from here on, in place of what was. The parts of later versions mean nothing to this one.
static kifu_result take_actions(kifu__reader *reader, const kifu__frame *frame)
{
    kifu_timeline *timeline = reader->timeline;
    const kifu__buffer buffer = kifu__buffer_of(reader, frame);
    const void *read = NULL;
    kifu_result result = kifu__payload_read(&buffer, &kifu__save_proposals_table, &reader->room, &read);
    const kifu__save_proposals *fields = (const kifu__save_proposals *)read;
    if (result || strcmp((const char *)kifu__elements(&fields->part), "actions") != 0)
        return result;
    const uint32_t size = kifu__length(&fields->events);
    unsigned char *bytes = (unsigned char *)kifu__new(&timeline->memory, size + 1); // aligned, as a payload is
    if (!bytes)
        return kifu__not_loaded(reader->error, frame->offset, KIFU_NO_MEMORY);
    kifu__frame events = *frame;
    events.payload = bytes;
    events.size = size;
    kifu__queue actions = {0};
    if (size)
        memcpy(bytes, kifu__elements(&fields->events), size);
    if (size || kifu__length(&fields->keys))
        result = kifu__read_proposals(reader, &events, &fields->keys, &actions, &actions);
    if (!result && !timeline->rules->turns->timed->set_actions(timeline, &actions))
        result = kifu__not_loaded(reader->error, frame->offset, KIFU_NO_MEMORY);
    kifu__queue_free(&actions, &timeline->memory);
    kifu__free(&timeline->memory, bytes);
    return result;
}

const struct kifu__action_frames kifu__action_frames = {.plan = plan_actions, .take = take_actions};
