// The frames that only log files have: redo, and appends, whose brief segments become whole ones and are verified as
// any others.

#include "save/reader.h"

#include <inttypes.h>

#include "save/brief.h"
#include "save/saved.h"
#include "wire/buffer.h"

// --- Appends ---------------------------------------------------------------------------------------------------------

// The vtables stay in the payload, even if its fields were rebuilt elsewhere.
static kifu_result take_vtables(kifu__reader *reader, const kifu__frame *frame, const kifu__save_append *fields)
{
    enum { VTABLES = 3 }; // its id
    const uint32_t place = kifu__field_at(frame->payload, kifu__load32(frame->payload), VTABLES);
    if (!place)
        return KIFU_OK;
    reader->vtables = frame->payload + kifu__target(frame->payload, place) + 4;
    reader->vtables_size = kifu__length(&fields->vtables);
    if (reader->vtables_size <= KIFU__BRIEF_VTABLES && reader->vtables_size % 2 == 0)
        return KIFU_OK;
    return kifu__damaged(reader->error, frame->offset,
                         "the append at byte %" PRIu64 " has %" PRIu32 " bytes of vtables", frame->offset,
                         reader->vtables_size);
}

// The segment's frame: `whole`.
static kifu_result read_brief(kifu__reader *reader, const kifu__frame *frame, const kifu_ref *ref, kifu__frame *whole)
{
    kifu_result result = reader->vtables
                             ? kifu__unbrief(kifu__elements(ref), kifu__length(ref), reader->vtables,
                                             reader->vtables_size, reader->header->rules_version, &reader->brief_room)
                             : KIFU_DAMAGED;
    *whole =
        (kifu__frame){.offset = frame->offset, .size = reader->brief_room.size, .payload = reader->brief_room.bytes};
    if (result == KIFU_DAMAGED)
        return kifu__damaged(reader->error, frame->offset, "the append at byte %" PRIu64 " has no whole segment",
                             frame->offset);
    return result ? kifu__not_loaded(reader->error, frame->offset, result) : KIFU_OK;
}

// Events of today's rules go where those of a game that is played go; others stay in a segment of their own.
static kifu_result add_events(kifu__reader *reader, kifu__segment *segment)
{
    kifu_timeline *timeline = reader->timeline;
    kifu__blob blob = {.memory = &timeline->memory};
    kifu_result result = KIFU_OK;
    if (segment->rules_version != timeline->rules->rules_version) {
        if (segment->borrowed) // It becomes the log's.
            reader->brief_room = (kifu__blob){.memory = &timeline->memory};
        segment->borrowed = false;
        segment->capacity = segment->size;
        result = kifu__log_adopt(&timeline->log, segment);
        if (result)
            kifu__segment_free(segment, &timeline->memory);
        return result;
    }
    for (uint32_t slot = 0; slot < segment->count && !result; slot++) {
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

static kifu_result take_events(kifu__reader *reader, const kifu__frame *frame, const kifu_ref *events)
{
    kifu_timeline *timeline = reader->timeline;
    kifu__frame whole;
    kifu__segment segment;
    kifu_result result = read_brief(reader, frame, events, &whole);
    if (result)
        return result;
    result = kifu__drop_behind(reader, frame);
    if (result)
        return result;
    result = kifu__read_segment(reader, &whole, timeline->executed, false, &segment);
    if (result)
        return result;
    result = add_events(reader, &segment);
    timeline->executed = timeline->log.branch->end;
    return result ? kifu__not_loaded(reader->error, frame->offset, result) : KIFU_OK;
}

static kifu_result take_first(kifu__reader *reader, const kifu__frame *frame, kifu__queue *queue, uint32_t count)
{
    if (count > queue->count)
        return kifu__damaged(reader->error, frame->offset,
                             "the append at byte %" PRIu64 " takes %" PRIu32 " events from where %" PRIu32 " wait",
                             frame->offset, count, queue->count);
    while (count--)
        kifu__queue_pop(queue);
    return KIFU_OK;
}

static kifu_result take_waiting(kifu__reader *reader, const kifu__frame *frame, const kifu_ref *waiting)
{
    kifu_timeline *timeline = reader->timeline;
    kifu__frame whole;
    kifu_result result = read_brief(reader, frame, waiting, &whole);
    return result ? result : kifu__read_proposals(reader, &whole, NULL, &timeline->consequences, &timeline->inputs);
}

static kifu_result take_append(kifu__reader *reader, const kifu__frame *frame, const void *read)
{
    kifu_timeline *timeline = reader->timeline;
    const kifu__save_append *fields = (const kifu__save_append *)read;
    kifu_result result = take_vtables(reader, frame, fields);
    if (!result)
        result = take_first(reader, frame, &timeline->inputs, fields->inputs_gone);
    if (!result)
        result = take_first(reader, frame, &timeline->consequences, fields->consequences_gone);
    if (!result && kifu__length(&fields->events))
        result = take_events(reader, frame, &fields->events);
    if (!result && kifu__length(&fields->waiting))
        result = take_waiting(reader, frame, &fields->waiting);
    if (!result)
        result = kifu__read_checkpoints(reader, frame, &fields->checkpoints);
    const kifu__saved_snapshot snapshot = {
        .offset = frame->offset, .hash = fields->hash, .event_count = timeline->executed};
    return result ? result : kifu__remember_snapshot(reader, &snapshot);
}

// Other appends need its vtables.
kifu_result kifu__skip_append(kifu__reader *reader, const kifu__frame *frame)
{
    const kifu__buffer buffer = kifu__buffer_of(reader, frame);
    const void *fields = NULL;
    const kifu_result result = kifu__payload_read(&buffer, &kifu__save_append_table, &reader->room, &fields);
    return result ? result : take_vtables(reader, frame, (const kifu__save_append *)fields);
}

// --- Redo ------------------------------------------------------------------------------------------------------------

// What was kept there may be another than what waits now, so the frames behind this one say it.
static kifu_result take_go(kifu__reader *reader, const kifu__frame *frame, const void *read)
{
    kifu_timeline *timeline = reader->timeline;
    const kifu__save_go *go = (const kifu__save_go *)read;
    if (kifu__hears(timeline, branches)) // It keeps lines.
        return kifu__give_frame(reader, frame);
    if (go->line)
        return kifu__error_at(reader->error, KIFU_NEWER_FORMAT, frame->offset,
                              "the save goes to another line of the game at byte %" PRIu64
                              ": load it with kifu_options.keep_variations = kifu_keep_variations",
                              frame->offset);
    if (go->count < timeline->executed || go->count > timeline->log.branch->end)
        return kifu__damaged(reader->error, frame->offset,
                             "a redo in the save goes from %" PRIu32 " to %" PRIu32 " events; there are %" PRIu32,
                             timeline->executed, go->count, timeline->log.branch->end);
    kifu__arrive(timeline, go->count);
    return KIFU_OK;
}

// --- Both ------------------------------------------------------------------------------------------------------------

kifu_result kifu__read_log_frame(kifu__reader *reader, const kifu__frame *frame)
{
    const bool redo = frame->kind == KIFU__FRAME_GO;
    const kifu__buffer buffer = kifu__buffer_of(reader, frame);
    const void *fields = NULL;
    kifu_result result =
        kifu__payload_read(&buffer, redo ? &kifu__save_go_table : &kifu__save_append_table, &reader->room, &fields);
    if (result)
        return result;
    return redo ? take_go(reader, frame, fields) : take_append(reader, frame, fields);
}
