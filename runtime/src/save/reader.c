// Every frame is verified, and taken into the log, the queues and the redo records of a new timeline. Nothing of the
// game is executed here.

#include "save/reader.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "save/action_frames.h"
#include "save/saved.h"
#include "wire/buffer.h"
#include "wire/schema.h"
#include "wire/table.h"

kifu__buffer kifu__buffer_of(const kifu__reader *reader, const kifu__frame *frame)
{
    const kifu__buffer buffer = {
        .bytes = frame->payload,
        .size = frame->size,
        .offset = frame->offset + KIFU__FRAME_HEAD,
        .error = reader->error,
    };
    return buffer;
}

// `result` of what was made of a frame: no memory, or a limit.
static kifu_result made(const kifu__reader *reader, const kifu__frame *frame, kifu_result result)
{
    return result ? kifu__not_loaded(reader->error, frame->offset, result) : KIFU_OK;
}

void kifu__add_words(const kifu__reader *reader, const char *before, uint64_t number, const char *behind)
{
    char *message = reader->error->message;
    const size_t used = strlen(message);
    snprintf(message + used, sizeof reader->error->message - used, "; %s%" PRIu64 "%s", before, number, behind);
}

// --- Header ----------------------------------------------------------------------------------------------------------

// Another version of the game may have another state, and rules that lead to another: its states and hashes say nothing
// to this one. Where the save has its schema, only the state counts in it: the fingerprint does not contain the names
// of an enum's values.
static bool is_comparable(const kifu__reader *reader)
{
    const kifu_rules *rules = reader->timeline->rules;
    kifu__schema schema;
    if (reader->header->rules_version != rules->rules_version)
        return false;
    if (reader->header->fingerprint == rules->fingerprint &&
        (!reader->schema_size ||
         (reader->schema_size == rules->bfbs_size && memcmp(reader->schema, rules->bfbs, rules->bfbs_size) == 0)))
        return true;
    if (!kifu__schema_open(&schema, reader->schema, reader->schema_size))
        return false;
    const uint32_t state = kifu__schema_struct(&schema, rules->state->name);
    return state && kifu__schema_has_layout(&schema, state, rules->state);
}

static kifu_result take_header(kifu__reader *reader, const kifu__frame *frame, const void *fields)
{
    const kifu_rules *rules = reader->timeline->rules;
    reader->header = (const kifu__save_header *)fields;
    reader->header_room = reader->room;
    reader->room = (kifu__blob){.memory = &reader->timeline->memory};
    reader->schema = (const unsigned char *)kifu__elements(&reader->header->schema);
    reader->schema_size = kifu__length(&reader->header->schema);
    const char *game = (const char *)kifu__elements(&reader->header->game);
    if (strcmp(game, rules->name) != 0)
        return kifu__error_at(reader->error, KIFU_OTHER_GAME, frame->offset,
                              "this is a save of the game '%.100s', not of '%.100s': choose another file", game,
                              rules->name);
    const uint32_t version = reader->header->rules_version;
    if (version > rules->rules_version)
        return kifu__error_at(reader->error, KIFU_NEWER_GAME, frame->offset,
                              "this save is of rules version %" PRIu32 " of %.100s, and this program has rules version "
                              "%" PRIu32 ": update the program",
                              version, game, rules->rules_version);
    reader->comparable = is_comparable(reader);
    return KIFU_OK;
}

// --- Events ----------------------------------------------------------------------------------------------------------

// Verifies a frame's segment of events, which follow (or, pending, wait behind) the `first` events of the log. On
// success `segment` is a part of the file, or owned where it had to be converted. What waits is always converted: parts
// that its events share would otherwise grow without limit when each event becomes a proposal of its own.
kifu_result kifu__read_segment(kifu__reader *reader, const kifu__frame *frame, uint32_t first, bool pending,
                               kifu__segment *segment)
{
    const kifu_rules *rules = reader->timeline->rules;
    kifu__buffer buffer = kifu__buffer_of(reader, frame);
    bool castable = true;
    kifu_result result =
        kifu__verify_segment(&buffer, rules, first, pending, reader->schema, reader->schema_size, segment, &castable);
    // What looks like damage in bytes whose checksum is right may be a value that this version does not have.
    if (result == KIFU_DAMAGED && reader->error && reader->header->fingerprint != rules->fingerprint)
        kifu__add_words(reader, "the save was written by another version of the game (rules version ",
                        reader->header->rules_version, "), which may know this");
    if (result)
        return result;
    const struct kifu__upcasting *upcasting = rules->upcasting;
    if (castable && !pending && !(upcasting && upcasting->is_needed(rules, segment)))
        return KIFU_OK;
    if (upcasting)
        upcasting->begin(&reader->upcaster, reader->timeline, segment, pending, &buffer);
    result = kifu__convert_segment(&buffer, rules, first, &reader->timeline->memory, segment);
    if (result == KIFU_NO_MEMORY || result == KIFU_TOO_LARGE)
        return kifu__error_at(reader->error, result, frame->offset,
                              "%s while the events at byte %" PRIu64 " were converted to this version of the game",
                              kifu_result_text(result), frame->offset);
    return result;
}

kifu_result kifu__drop_behind(kifu__reader *reader, const kifu__frame *frame)
{
    kifu_timeline *timeline = reader->timeline;
    const kifu__branch *branch = timeline->log.branch;
    if (branch->parent && timeline->executed < branch->from)
        return kifu__damaged(reader->error, frame->offset,
                             "the save replaces events that another line has, from number %" PRIu32
                             " on, at byte %" PRIu64,
                             timeline->executed, frame->offset);
    kifu__redo_drop(timeline);
    return KIFU_OK;
}

// New events end redo, as they do in a game that is played.
static kifu_result take_segment(kifu__reader *reader, const kifu__frame *frame)
{
    kifu_timeline *timeline = reader->timeline;
    kifu__segment segment;
    kifu_result result = kifu__drop_behind(reader, frame);
    if (result)
        return result;
    result = kifu__read_segment(reader, frame, timeline->executed, false, &segment);
    if (result)
        return result;
    result = segment.count ? kifu__log_adopt(&timeline->log, &segment) : KIFU_OK;
    if (result || !segment.count)
        kifu__segment_free(&segment, &reader->timeline->memory);
    timeline->executed = timeline->log.branch->end;
    return made(reader, frame, result);
}

// Into the queues. With `keys`, these are the causes.
static kifu_result queue_proposals(kifu_timeline *timeline, const kifu__segment *segment, const uint32_t *keys,
                                   kifu__queue *consequences, kifu__queue *inputs)
{
    kifu__blob blob = {.memory = &timeline->memory};
    kifu_result result = KIFU_OK;
    for (uint32_t slot = 0; slot < segment->count && !result; slot++) {
        result = kifu__blob_of(timeline->rules, segment, slot, &blob);
        if (result)
            break;
        kifu__mark mark = segment->marks[slot];
        bool consequence = mark.flags & KIFU__CONSEQUENCE;
        bool caused = consequence && mark.cause; // an input has no cause, whatever a save says
        const kifu__proposal head = {
            .size = blob.size,
            .cause = keys     ? keys[slot]
                     : caused ? timeline->executed - mark.cause
                              : KIFU_NONE,
            .ticket = ++timeline->last_ticket,
            .type = segment->types[slot],
            .player = mark.player,
            .flags = mark.flags & (uint8_t) ~(KIFU__CONSEQUENCE | (keys ? 0 : KIFU_RANDOM)),
        };
        if (!kifu__queue_push(consequence ? consequences : inputs, &timeline->memory, &head, blob.bytes))
            result = KIFU_NO_MEMORY;
    }
    kifu__free(&timeline->memory, blob.bytes);
    return result;
}

// Takes what waits, a frame's segment, into the queues. `keys` NULL, or one for each proposal.
kifu_result kifu__read_proposals(kifu__reader *reader, const kifu__frame *frame, const kifu_ref *keys,
                                 kifu__queue *consequences, kifu__queue *inputs)
{
    kifu_timeline *timeline = reader->timeline;
    const uint32_t *all = keys ? (const uint32_t *)kifu__elements(keys) : NULL;
    kifu__segment segment;
    kifu_result result = kifu__read_segment(reader, frame, timeline->executed, true, &segment);
    if (result)
        return result;
    if (keys && segment.count != kifu__length(keys))
        result = kifu__damaged(reader->error, frame->offset,
                               "the save sets %" PRIu32 " actions for %" PRIu32 " actors at byte %" PRIu64,
                               segment.count, kifu__length(keys), frame->offset);
    else
        result = made(reader, frame, queue_proposals(timeline, &segment, all, consequences, inputs));
    kifu__segment_free(&segment, &reader->timeline->memory);
    return result;
}

// What waits from here on, in place of what waited.
static kifu_result take_pending(kifu__reader *reader, const kifu__frame *frame)
{
    kifu_timeline *timeline = reader->timeline;
    kifu__queue_cut(&timeline->consequences, 0, 0); // The memory stays: it may wait there again.
    kifu__queue_cut(&timeline->inputs, 0, 0);
    return kifu__read_proposals(reader, frame, NULL, &timeline->consequences, &timeline->inputs);
}

static kifu_result take_actions(kifu__reader *reader, const kifu__frame *frame)
{
    const kifu__turn_rules *turns = reader->timeline->rules->turns;
    return turns && turns->frames ? turns->frames->take(reader, frame) : KIFU_OK;
}

// They ascend, and no event is missing behind them.
kifu_result kifu__read_checkpoints(kifu__reader *reader, const kifu__frame *frame, const kifu_ref *ref)
{
    kifu_timeline *timeline = reader->timeline;
    const kifu__save_checkpoint *all = (const kifu__save_checkpoint *)kifu__elements(ref);
    for (uint32_t i = 0; i < kifu__length(ref); i++) {
        const kifu__branch *branch = timeline->log.branch;
        const uint32_t known = branch->checkpoint_count, events = all[i].event_count;
        const uint32_t last = known ? branch->checkpoints[known - 1].event_count : branch->from;
        if (events <= last || events > branch->end)
            return kifu__damaged(reader->error, frame->offset,
                                 "the save has a checkpoint after %" PRIu32 " events behind one after %" PRIu32
                                 ", and the log has %" PRIu32,
                                 events, last, branch->end);
        if (!kifu__add_checkpoint(timeline, events, all[i].hash))
            return made(reader, frame, KIFU_NO_MEMORY);
    }
    return KIFU_OK;
}

static kifu_result take_checkpoints(kifu__reader *reader, const kifu__frame *frame, const void *fields)
{
    return kifu__read_checkpoints(reader, frame, &((const kifu__save_checkpoints *)fields)->checkpoints);
}

// --- Undo, and the end -----------------------------------------------------------------------------------------------

// Its snapshots are forgotten: what a segment takes the place of has none, and what a redo brings back needs none.
static kifu_result take_rewind(kifu__reader *reader, const kifu__frame *frame, const void *fields)
{
    kifu_timeline *timeline = reader->timeline;
    const uint32_t count = ((const kifu__save_rewind *)fields)->count;
    if (count == timeline->executed || count > timeline->log.branch->end || count < timeline->transactions.floor)
        return kifu__damaged(reader->error, frame->offset,
                             "a rewind in the save goes from %" PRIu32 " to %" PRIu32 " events; there are %" PRIu32,
                             timeline->executed, count, timeline->log.branch->end);
    if (!kifu__put_away(timeline))
        return made(reader, frame, KIFU_NO_MEMORY);
    timeline->executed = count;
    kifu__drop_kept(timeline, count);
    kifu__forget_snapshots(reader);
    return KIFU_OK;
}

static const char try_recovery[] =
    "get a whole copy of it, or load what is there with kifu_load_options.recover = kifu_recover";

static kifu_result refuse_log(const kifu__reader *reader, uint64_t offset)
{
    return kifu__error_at(reader->error, KIFU_DAMAGED, offset, "the save is a log file that was not closed: %s",
                          try_recovery);
}

kifu_result kifu__refuse_old_log(kifu_error *error, uint64_t offset)
{
    return kifu__error_at(
        error, KIFU_UNSUPPORTED, offset,
        "the save is a log file of a program with Kifu 0.2 or before that was not closed: load and save "
        "it there, or convert it with the command `kifu json` of that version");
}

static kifu_result take_end(kifu__reader *reader, const kifu__frame *frame, const void *fields)
{
    (void)frame, (void)fields;
    reader->ended = true;
    return KIFU_OK;
}

// The first one counts: what is in the header, if anything.
static kifu_result take_schema(kifu__reader *reader, const kifu__frame *frame)
{
    if (!reader->schema) {
        reader->schema = frame->payload;
        reader->schema_size = frame->size;
        reader->comparable = is_comparable(reader);
    }
    return KIFU_OK;
}

// --- The whole file --------------------------------------------------------------------------------------------------

// Verifies the frame's table.
static kifu_result take_table(kifu__reader *reader, const kifu__frame *frame, const kifu__table *table,
                              kifu_result (*take)(kifu__reader *reader, const kifu__frame *frame, const void *fields))
{
    const kifu__buffer buffer = kifu__buffer_of(reader, frame);
    const void *fields = NULL;
    kifu_result result = kifu__payload_read(&buffer, table, &reader->room, &fields);
    return result ? result : take(reader, frame, fields);
}

kifu_result kifu__leave_frame(kifu__reader *reader, const kifu__frame *frame)
{
    kifu_left_out *left_out = reader->left_out;
    if (left_out && frame->kind == KIFU__FRAME_LINE)
        left_out->lines++;
    if (left_out && frame->kind == KIFU__FRAME_NOTES)
        left_out->notes++;
    if (frame->kind != KIFU__FRAME_ROOT)
        return KIFU_OK;
    return kifu__error_at(reader->error, KIFU_NEWER_FORMAT, frame->offset,
                          "the save begins from a state, which this program does not read: set "
                          "kifu_options.from_state = kifu_begin_from_state, or use a newer version of the game");
}

// Also in front of commits.
static bool is_of_head(uint32_t kind)
{
    return kind == KIFU__FRAME_HEADER || kind == KIFU__FRAME_SCHEMA || kind == KIFU__FRAME_ROOT;
}

kifu_result kifu__take_frame(kifu__reader *reader, const kifu__frame *frame)
{
    if (!reader->header && frame->kind != KIFU__FRAME_HEADER)
        return kifu__no_header(frame, reader->error);
    if (reader->header && frame->kind == KIFU__FRAME_HEADER)
        return kifu__damaged(reader->error, frame->offset, "the save has a second header at byte %" PRIu64,
                             frame->offset);
    const bool commit = frame->kind == KIFU__FRAME_COMMIT,
               known = (frame->kind & ~(uint32_t)KIFU__OF_LINE) < KIFU__FRAME_COMMIT;
    if ((commit && reader->whole) || (known && reader->commits.begun))
        return kifu__damaged(reader->error, frame->offset,
                             "the frame at byte %" PRIu64
                             " is of a save of another kind: it has commits and whole frames",
                             frame->offset);
    reader->whole |= known && !is_of_head(frame->kind);
    switch (frame->kind) {
    case KIFU__FRAME_HEADER:
        return take_table(reader, frame, &kifu__save_header_table, take_header);
    case KIFU__FRAME_SEGMENT:
        return take_segment(reader, frame);
    case KIFU__FRAME_SNAPSHOT:
        return take_table(reader, frame, &kifu__save_snapshot_table, kifu__take_snapshot);
    case KIFU__FRAME_REWIND:
        return take_table(reader, frame, &kifu__save_rewind_table, take_rewind);
    case KIFU__FRAME_PENDING:
        return take_pending(reader, frame);
    case KIFU__FRAME_END:
        return take_table(reader, frame, &kifu__save_end_table, take_end);
    case KIFU__FRAME_CHECKPOINTS:
        return take_table(reader, frame, &kifu__save_checkpoints_table, take_checkpoints);
    case KIFU__FRAME_PACKED:
        return kifu__take_packed(reader, frame);
    case KIFU__FRAME_SCHEMA:
        return take_schema(reader, frame);
    case KIFU__FRAME_PROPOSALS:
        return take_actions(reader, frame);
    case KIFU__FRAME_OLD_GO:
    case KIFU__FRAME_OLD_APPEND:
        return kifu__refuse_old_log(reader->error, frame->offset);
    case KIFU__FRAME_COMMIT:
        // A log file has no end, so only a recovery reads it.
        return reader->log_frame ? reader->log_frame(reader, frame) : refuse_log(reader, frame->offset);
    default: // A part's, or of a later Kifu, and not needed to play on.
        return kifu__give_frame(reader, frame);
    }
}

kifu_result kifu__bytes_behind(uint64_t offset, kifu_error *error)
{
    return kifu__damaged(error, offset, "the save ends at byte %" PRIu64 ", but more bytes follow", offset);
}

// Says how far it is after so many bytes, read and unpacked.
enum { TELL_AFTER = 1 << 18 };

kifu_result kifu__tell_read(kifu__reader *reader, uint64_t offset)
{
    const uint64_t work = offset + reader->unpacked;
    if (work - reader->told < TELL_AFTER)
        return KIFU_OK;
    reader->told = work;
    return kifu__tick(reader->timeline, offset * KIFU__HALF / reader->loaded->file.size, 2 * KIFU__HALF);
}

// Whether all frames from `offset` on are whole, and none is an end. Then the rules of a whole save mean nothing.
static bool is_open_log(const kifu__reader *reader, uint64_t offset)
{
    const kifu__file *file = &reader->loaded->file;
    kifu__frame frame = {.kind = 0};
    while (offset < file->size && frame.kind != KIFU__FRAME_END) {
        if (kifu__read_frame(file->bytes, file->size, &offset, &frame, NULL))
            return false;
    }
    return frame.kind != KIFU__FRAME_END;
}

kifu_result kifu__read_frames(kifu__reader *reader)
{
    const kifu__file *file = &reader->loaded->file;
    kifu_result result = KIFU_OK;
    uint64_t offset = KIFU__FILE_HEAD;
    kifu__chain chain = {0};
    while (!result && !reader->ended && offset != reader->end) {
        kifu__frame frame;
        if (offset == file->size)
            return kifu__error_at(reader->error, KIFU_DAMAGED, offset,
                                  "the save was cut off at byte %" PRIu64 ", where one more frame should be: %s",
                                  offset, try_recovery);
        result = kifu__read_frame(file->bytes, file->size, &offset, &frame, reader->error);
        if (!result)
            result = kifu__follow_chain(&chain, &frame, reader->error);
        if (!result && (result = kifu__take_frame(reader, &frame)) == KIFU_DAMAGED && !reader->log_frame &&
            is_open_log(reader, offset))
            result = refuse_log(reader, reader->error ? reader->error->offset : offset);
        if (!result)
            result = kifu__tell_read(reader, offset);
    }
    if (!result && reader->ended && offset != file->size && reader->end == KIFU__NO_END)
        result = kifu__bytes_behind(offset, reader->error);
    return result;
}
