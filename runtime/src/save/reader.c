// Every frame is verified, and taken into the log, the queues and the redo records of a new timeline. Nothing of the
// game is executed here.

#include "save/reader.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "save/regroup.h"
#include "wire/schema.h"
#include "wire/table.h"

static kifu__buffer buffer_of(const kifu__reader *reader, const kifu__frame *frame)
{
    const kifu__buffer buffer = {
        .bytes = frame->payload,
        .size = frame->size,
        .offset = frame->offset + KIFU__FRAME_HEAD,
        .error = reader->error,
    };
    return buffer;
}

static kifu_result no_memory(const kifu__reader *reader, const kifu__frame *frame)
{
    return kifu__error_at(reader->error, KIFU_NO_MEMORY, frame->offset, "out of memory for a save to load");
}

// --- Header ----------------------------------------------------------------------------------------------------------

// Another version of the game may have another state, and rules that lead to another: its states and hashes say nothing
// to this one. Where the save has its schema, only the state counts in it.
static bool is_comparable(const kifu__reader *reader)
{
    const kifu_rules *rules = reader->timeline->rules;
    kifu__schema schema;
    if (reader->header->rules_version != rules->rules_version)
        return false;
    if (reader->header->fingerprint == rules->fingerprint)
        return true;
    if (!kifu__schema_open(&schema, reader->schema, reader->schema_size))
        return false;
    const uint32_t state = kifu__schema_struct(&schema, rules->state->name);
    return state && kifu__schema_has_layout(&schema, state, rules->state);
}

static kifu_result take_header(kifu__reader *reader, const kifu__frame *frame)
{
    const kifu_rules *rules = reader->timeline->rules;
    if (frame->kind != KIFU__FRAME_HEADER)
        return kifu__error_at(reader->error, KIFU_DAMAGED, frame->offset,
                              "the save's first frame is of kind %" PRIu32 ", not its header: get another copy of it",
                              frame->kind);
    kifu__buffer buffer = buffer_of(reader, frame);
    const void *fields;
    kifu_result result = kifu__payload_read(&buffer, &kifu__save_header_table, &reader->header_room, &fields);
    if (result)
        return result;
    reader->header = (const kifu__save_header *)fields;
    reader->schema = (const unsigned char *)kifu__elements(&reader->header->schema);
    reader->schema_size = kifu__length(&reader->header->schema);
    const char *game = (const char *)kifu__elements(&reader->header->game);
    if (strcmp(game, rules->name) != 0)
        return kifu__error_at(reader->error, KIFU_OTHER_GAME, frame->offset,
                              "this is a save of the game '%.100s', not of '%.100s': choose another file", game,
                              rules->name);
    reader->states.comparable = is_comparable(reader);
    return KIFU_OK;
}

// --- Events ----------------------------------------------------------------------------------------------------------

// What looks like damage in bytes whose checksum is right may be a value that this version does not have.
static kifu_result explain(const kifu__reader *reader, kifu_result result)
{
    kifu_error *error = reader->error;
    if (error && result == KIFU_DAMAGED && reader->header->fingerprint != reader->timeline->rules->fingerprint) {
        size_t used = strlen(error->message);
        snprintf(error->message + used, sizeof error->message - used,
                 "; the save was written by another version of the game (rules version %" PRIu32
                 "), which may know this",
                 reader->header->rules_version);
    }
    return result;
}

// Verifies a frame's segment of events, which follow (or, pending, wait behind) the `first` events of the log. On
// success `segment` is a part of the file, or owned where it had to be converted. What waits is always converted: parts
// that its events share would otherwise grow without limit when each event becomes a proposal of its own.
static kifu_result read_segment(kifu__reader *reader, const kifu__frame *frame, uint32_t first, bool pending,
                                kifu__segment *segment)
{
    const kifu_rules *rules = reader->timeline->rules;
    kifu__buffer buffer = buffer_of(reader, frame);
    bool castable = true;
    kifu_result result =
        kifu__verify_segment(&buffer, rules, first, pending, reader->schema, reader->schema_size, segment, &castable);
    if (result)
        return explain(reader, result);
    const struct kifu__upcasting *upcasting = rules->upcasting;
    if (castable && !pending && !(upcasting && upcasting->is_needed(rules, segment)))
        return KIFU_OK;
    if (upcasting)
        upcasting->begin(&reader->upcaster, reader->timeline, segment, pending, &buffer);
    result = kifu__convert_segment(&buffer, rules, first, &reader->timeline->memory, segment);
    if (result == KIFU_NO_MEMORY || result == KIFU_TOO_LARGE)
        return kifu__error_at(reader->error, result, frame->offset,
                              "%s while the events at byte %" PRIu64 " were brought to this version of the game",
                              kifu_result_text(result), frame->offset);
    return result;
}

static void drop_segment(kifu__reader *reader, const kifu__segment *segment)
{
    if (!segment->borrowed)
        kifu__free(&reader->timeline->memory, segment->bytes);
}

// New events end redo, as they do in a game that is played.
static kifu_result take_segment(kifu__reader *reader, const kifu__frame *frame)
{
    kifu_timeline *timeline = reader->timeline;
    kifu__redo_drop(timeline);
    kifu__segment segment;
    kifu_result result = read_segment(reader, frame, timeline->executed, false, &segment);
    if (result)
        return result;
    if (!segment.count) {
        drop_segment(reader, &segment);
        return KIFU_OK;
    }
    result = kifu__log_adopt(&timeline->log, &segment);
    if (result) {
        drop_segment(reader, &segment);
        return kifu__error_at(reader->error, result, frame->offset, "%s for the events of a save to load",
                              kifu_result_text(result));
    }
    timeline->executed = timeline->log.event_count;
    return KIFU_OK;
}

// Into the timeline's queues, or, with `keys`, which are their causes, into `own`.
static kifu_result queue_proposals(kifu_timeline *timeline, const kifu__segment *segment, kifu__blob *blob,
                                   const uint32_t *keys, kifu__queue *own)
{
    for (uint32_t slot = 0; slot < segment->count; slot++) {
        kifu_result result = kifu__blob_of(timeline->rules, segment, slot, blob);
        if (result)
            return result;
        kifu__mark mark = segment->marks[slot];
        bool consequence = mark.flags & KIFU__CONSEQUENCE;
        bool caused = consequence && mark.cause; // an input has no cause, whatever a save says
        const kifu__proposal head = {
            .size = blob->size,
            .cause = keys     ? keys[slot]
                     : caused ? timeline->executed - mark.cause
                              : KIFU_NONE,
            .ticket = ++timeline->last_ticket,
            .type = segment->types[slot],
            .player = mark.player,
            .flags = mark.flags & (KIFU_UNDOABLE | KIFU_CONTINUE_UNDO | KIFU_REVEALS | KIFU_UNLESS_RANDOM),
        };
        kifu__queue *queue = keys ? own : consequence ? &timeline->consequences : &timeline->inputs;
        if (!kifu__queue_push(queue, &timeline->memory, &head, blob->bytes))
            return KIFU_NO_MEMORY;
    }
    return KIFU_OK;
}

// What waits from here on, in place of what waited.
static kifu_result take_pending(kifu__reader *reader, const kifu__frame *frame)
{
    kifu_timeline *timeline = reader->timeline;
    kifu__queue_free(&timeline->consequences, &timeline->memory);
    kifu__queue_free(&timeline->inputs, &timeline->memory);
    kifu__segment segment;
    kifu_result result = read_segment(reader, frame, timeline->executed, true, &segment);
    if (result)
        return result;
    kifu__blob blob = {.memory = &timeline->memory};
    result = queue_proposals(timeline, &segment, &blob, NULL, NULL);
    kifu__free(&timeline->memory, blob.bytes);
    drop_segment(reader, &segment);
    if (result)
        return kifu__error_at(reader->error, result, frame->offset, "%s for the waiting events of a save to load",
                              kifu_result_text(result));
    return KIFU_OK;
}

static kifu_result set_actions(kifu__reader *reader, const kifu__frame *frame, const kifu__frame *events,
                               const kifu_ref *keys)
{
    kifu_timeline *timeline = reader->timeline;
    kifu__blob blob = {.memory = &timeline->memory};
    kifu__queue actions = {0};
    kifu__segment segment = {.borrowed = true};
    kifu_result result = events->size ? read_segment(reader, events, timeline->executed, true, &segment) : KIFU_OK;
    if (!result && segment.count != kifu__length(keys))
        result = kifu__error_at(reader->error, KIFU_DAMAGED, frame->offset,
                                "the save has %" PRIu32 " actions of %" PRIu32 " actors at byte %" PRIu64
                                ": get another copy of it",
                                segment.count, kifu__length(keys), frame->offset);
    else if (!result) {
        result = queue_proposals(timeline, &segment, &blob, (const uint32_t *)kifu__elements(keys), &actions);
        if (!result && !timeline->rules->turns->timed->set_actions(timeline, &actions))
            result = KIFU_NO_MEMORY;
        if (result)
            kifu__error_at(reader->error, result, frame->offset, "%s for the actions of a save to load",
                           kifu_result_text(result));
    }
    drop_segment(reader, &segment);
    kifu__queue_free(&actions, &timeline->memory);
    kifu__free(&timeline->memory, blob.bytes);
    return result;
}

// What is set for actors from here on, in place of what was. The parts of later versions mean nothing to this one.
static kifu_result take_proposals(kifu__reader *reader, const kifu__frame *frame)
{
    const kifu__memory *memory = &reader->timeline->memory;
    const kifu__turn_rules *turns = reader->timeline->rules->turns;
    const kifu__buffer buffer = buffer_of(reader, frame);
    kifu__blob room = {.memory = memory};
    const void *read;
    kifu_result result = kifu__payload_read(&buffer, &kifu__save_proposals_table, &room, &read);
    const kifu__save_proposals *fields = (const kifu__save_proposals *)read;
    if (!result && turns && turns->actors && !strcmp((const char *)kifu__elements(&fields->part), "actions")) {
        const uint32_t size = kifu__length(&fields->events);
        unsigned char *bytes = (unsigned char *)kifu__new(memory, size ? size : 1); // aligned, as a payload is
        const kifu__frame events = {.offset = frame->offset, .size = size, .payload = bytes};
        if (bytes && size)
            memcpy(bytes, kifu__elements(&fields->events), size);
        result = bytes ? set_actions(reader, frame, &events, &fields->keys) : no_memory(reader, frame);
        kifu__free(memory, bytes);
    }
    kifu__free(memory, room.bytes);
    return result;
}

// --- Undo, and the end -----------------------------------------------------------------------------------------------

static kifu_result take_rewind(kifu__reader *reader, const kifu__frame *frame)
{
    kifu_timeline *timeline = reader->timeline;
    kifu__buffer buffer = buffer_of(reader, frame);
    kifu__blob room = {.memory = &timeline->memory};
    const void *fields;
    kifu_result result = kifu__payload_read(&buffer, &kifu__save_rewind_table, &room, &fields);
    uint32_t count = result ? 0 : ((const kifu__save_rewind *)fields)->count;
    kifu__free(&timeline->memory, room.bytes);
    if (result)
        return result;
    if (count >= timeline->executed)
        return kifu__error_at(reader->error, KIFU_DAMAGED, frame->offset,
                              "the save takes back to %" PRIu32 " events where there are %" PRIu32
                              ": get another copy of it",
                              count, timeline->executed);
    if (!kifu__redo_push(timeline))
        return no_memory(reader, frame);
    timeline->executed = count;
    kifu__saved_states_rewind(&reader->states, count);
    return KIFU_OK;
}

static kifu_result take_end(kifu__reader *reader, const kifu__frame *frame)
{
    kifu__buffer buffer = buffer_of(reader, frame);
    kifu__blob room = {.memory = &reader->timeline->memory};
    const void *fields;
    kifu_result result = kifu__payload_read(&buffer, &kifu__save_end_table, &room, &fields);
    kifu__free(&reader->timeline->memory, room.bytes);
    reader->ended = !result;
    return result;
}

// The first one counts: what is in the header, if anything.
static void take_schema(kifu__reader *reader, const kifu__frame *frame)
{
    if (!reader->schema) {
        reader->schema = frame->payload;
        reader->schema_size = frame->size;
        reader->states.comparable = is_comparable(reader);
    }
}

// --- The whole file --------------------------------------------------------------------------------------------------

static kifu_result take_packed(kifu__reader *reader, const kifu__frame *frame);

static kifu_result take_frame(kifu__reader *reader, const kifu__frame *frame)
{
    if (!reader->header)
        return take_header(reader, frame);
    switch (frame->kind) {
    case KIFU__FRAME_HEADER:
        return kifu__error_at(reader->error, KIFU_DAMAGED, frame->offset,
                              "the save has a second header at byte %" PRIu64 ": get another copy of it",
                              frame->offset);
    case KIFU__FRAME_SEGMENT:
        return take_segment(reader, frame);
    case KIFU__FRAME_SNAPSHOT:
        return kifu__take_snapshot(&reader->states, reader->timeline, frame, reader->error);
    case KIFU__FRAME_REWIND:
        return take_rewind(reader, frame);
    case KIFU__FRAME_PENDING:
        return take_pending(reader, frame);
    case KIFU__FRAME_PROPOSALS:
        return take_proposals(reader, frame);
    case KIFU__FRAME_CHECKPOINTS:
        return kifu__take_checkpoints(reader->timeline, frame, reader->error);
    case KIFU__FRAME_END:
        return take_end(reader, frame);
    case KIFU__FRAME_PACKED:
        return take_packed(reader, frame);
    case KIFU__FRAME_SCHEMA:
        take_schema(reader, frame);
        return KIFU_OK;
    default:
        return KIFU_OK; // Of a later Kifu, and not needed to play on.
    }
}

static kifu_result unpack(kifu__reader *reader, const kifu__frame *frame, kifu__frame *inner)
{
    const kifu__memory *memory = &reader->timeline->memory;
    const kifu_codec *codec = reader->codec;
    const kifu__buffer buffer = buffer_of(reader, frame);
    kifu__blob room = {.memory = memory};
    const void *read;
    kifu_result result = kifu__payload_read(&buffer, &kifu__save_packed_table, &room, &read);
    const kifu__save_packed *fields = (const kifu__save_packed *)read;
    const char *name = result ? "" : (const char *)kifu__elements(&fields->codec);
    if (!result && (!codec || strcmp(codec->name, name) != 0))
        result =
            kifu__error_at(reader->error, KIFU_NO_CODEC, frame->offset,
                           "the save is packed by the codec '%.60s', and kifu_load_options.codec is %s%.60s%s: give "
                           "kifu_load that codec%s",
                           name, codec ? "'" : "", codec ? codec->name : "NULL", codec ? "'" : "",
                           strcmp(name, "zstd") == 0 ? ", which is kifu_zstd() of kifu/zstd.h" : "");
    if (!result)
        result = codec->packing->unpack(codec, memory, frame, fields, &reader->packed, inner, reader->error);
    kifu__free(memory, room.bytes);
    return result;
}

// What is in it stays in memory of its own, as the file does, until the load is done.
static kifu_result take_packed(kifu__reader *reader, const kifu__frame *frame)
{
    kifu_timeline *timeline = reader->timeline;
    kifu__loaded *loaded = reader->loaded;
    void **blocks = (void **)kifu__grow(&timeline->memory, loaded->blocks, &loaded->capacity,
                                        (uint64_t)loaded->count + 1, sizeof *blocks);
    if (!blocks)
        return no_memory(reader, frame);
    loaded->blocks = blocks;
    kifu__frame inner;
    kifu_result result = unpack(reader, frame, &inner);
    if (result)
        return result;
    blocks[loaded->count++] = (void *)(uintptr_t)inner.payload;
    result = take_frame(reader, &inner);
    if (result && reader->error) {
        size_t used = strlen(reader->error->message);
        snprintf(reader->error->message + used, sizeof reader->error->message - used,
                 "; this is in the packed frame at byte %" PRIu64 ", unpacked", frame->offset);
        reader->error->offset = frame->offset;
    }
    return result;
}

kifu_result kifu__bytes_behind(uint64_t offset, kifu_error *error)
{
    return kifu__error_at(error, KIFU_DAMAGED, offset,
                          "the save ends at byte %" PRIu64 ", but more bytes follow: get another copy of it", offset);
}

kifu_result kifu__read_frames(kifu__reader *reader)
{
    const kifu__file *file = &reader->loaded->file;
    kifu_result result = KIFU_OK;
    uint64_t offset = KIFU__FILE_HEAD;
    while (!result && !reader->ended && offset != reader->end) {
        kifu__frame frame;
        if (offset == file->size)
            return kifu__error_at(reader->error, KIFU_DAMAGED, offset,
                                  "the save was cut off at byte %" PRIu64
                                  ", where one more frame should be: get a whole copy of it, or load what is there "
                                  "with kifu_load_options.recover = kifu_recover",
                                  offset);
        result = kifu__read_frame(file->bytes, file->size, &offset, &frame, reader->error);
        if (!result)
            result = take_frame(reader, &frame);
    }
    if (!result && reader->ended && offset != file->size && reader->end == KIFU__NO_END)
        result = kifu__bytes_behind(offset, reader->error);
    return result;
}

void kifu__reader_close(kifu__reader *reader)
{
    kifu_timeline *timeline = reader->timeline;
    kifu__free(&timeline->memory, reader->header_room.bytes);
    kifu__saved_states_free(&reader->states, &timeline->memory);
    if (timeline->rules->upcasting)
        timeline->rules->upcasting->end(&reader->upcaster);
}
