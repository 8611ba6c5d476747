// Segments of a file: verified, and taken into branches and queues.

#include "save/reader.h"

#include <inttypes.h>
#include <stdio.h>

#include "wire/buffer.h"
#include "wire/table.h"

void kifu__add_words(const kifu__reader *reader, const char *before, uint64_t number, const char *behind)
{
    char *message = reader->error->message;
    const size_t used = strlen(message);
    snprintf(message + used, sizeof reader->error->message - used, "; %s%" PRIu64 "%s", before, number, behind);
}

// Says how far it is: the file is read, and segments that were read are taken.
enum { READ_TELL_AFTER = 1 << 18 };

kifu_result kifu__report_read(kifu__reader *reader, uint64_t offset)
{
    const uint64_t size = reader->loaded->file.size;
    reader->read = offset > reader->read ? offset : reader->read;
    const uint64_t work = (reader->read + reader->used) / 2 + reader->unpacked;
    if (work - reader->told < READ_TELL_AFTER)
        return KIFU_OK;
    reader->told = work;
    const uint64_t done = reader->read + (reader->used < size ? reader->used : size);
    return kifu__tick(reader->timeline, done * KIFU__HALF / (2 * size), 2 * KIFU__HALF);
}

// --- Events ----------------------------------------------------------------------------------------------------------

// What waits is always converted: parts that its events share would otherwise grow without limit when each event
// becomes a proposal of its own.
kifu_result kifu__read_segment(kifu__reader *reader, const kifu__frame *frame, uint32_t first, bool pending,
                               kifu__segment *segment)
{
    const kifu_rules *rules = reader->timeline->rules;
    kifu__buffer buffer = kifu__buffer_of(frame, reader->error);
    buffer.newer = reader->left_out ? &reader->left_out->newer : NULL;
    bool castable = true;
    kifu_result result =
        kifu__verify_segment(&buffer, rules, first, pending, reader->schema, reader->schema_size, segment, &castable);
    // What looks like damage in bytes whose checksum is right may be a value that this version does not have.
    if (result == KIFU_DAMAGED && reader->header->fingerprint != rules->fingerprint)
        kifu__add_words(reader, "the save was written by another version of the game (rules version ",
                        reader->header->rules_version, "), which may know this");
    if (result)
        return result;
    const struct kifu__upcasting *upcasting = rules->upcasting;
    if (castable && !pending && !(upcasting && upcasting->is_needed(rules, segment)))
        return KIFU_OK;
    if (upcasting)
        upcasting->begin(&reader->upcaster, reader->timeline, segment, pending, &buffer);
    const kifu__segment as_read = *segment;
    result = kifu__convert_segment(&buffer, rules, &as_read, &reader->timeline->memory, segment);
    if (result == KIFU_NO_MEMORY || result == KIFU_TOO_LARGE)
        return kifu__error_at(reader->error, result, frame->offset,
                              "%s while the events at byte %" PRIu64 " were converted to this version of the game",
                              kifu_result_text(result), frame->offset);
    return result;
}

kifu_result kifu__queue_proposals(kifu__reader *reader, const kifu__frame *frame, const kifu__segment *segment,
                                  const uint32_t *keys, kifu__queue *consequences, kifu__queue *inputs)
{
    kifu_timeline *timeline = reader->timeline;
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
    kifu__segment_free(segment, &timeline->memory);
    return result ? kifu__not_loaded(reader->error, frame->offset, result) : KIFU_OK;
}

// --- The segments of a commit ----------------------------------------------------------------------------------------

kifu_result kifu__next_segment(kifu__commits *commits, kifu__frame *frame)
{
    kifu__reader *reader = commits->reader;
    if (reader->segment_taken == reader->segment_count)
        return kifu__bad_record(commits, "is of a segment that is not there");
    *frame = reader->segments[reader->segment_taken++];
    return KIFU_OK;
}

kifu_result kifu__or_leave_out(kifu__commits *commits, uint32_t line, uint32_t first, kifu_result result)
{
    const bool unknown = result == KIFU_UNKNOWN_EVENT || result == KIFU_FAILED;
    if (!unknown || commits->begun < 2 || !commits->lose || commits->is_log || commits->back)
        return result;
    return commits->lose(commits, line, first, commits->reader->error);
}

// Takes it into the branch, behind the events that this has.
static KIFU__APART kifu_result take_segment_record(kifu__commits *commits, const kifu__frame *frame)
{
    kifu__reader *reader = commits->reader;
    kifu_timeline *timeline = reader->timeline;
    kifu__branch *branch = commits->branch;
    kifu__segment segment;
    if (commits->count != branch->end)
        return kifu__bad_record(commits, "does not come behind the events of its line");
    kifu__read_into(commits, branch);
    kifu_result result = kifu__read_segment(reader, frame, commits->count, false, &segment);
    if (result)
        return result;
    if (segment.count > KIFU_NONE - 1 - commits->count)
        result = kifu__bad_record(commits, "has more events than a game can have");
    else if (segment.count)
        result = kifu__commit_failed(commits, kifu__log_adopt(&timeline->log, &segment));
    reader->borrowed += segment.borrowed && segment.count && !result;
    if (result || !segment.count)
        kifu__segment_free(&segment, &timeline->memory);
    commits->count = branch->end;
    return result;
}

kifu_result kifu__load_segments(kifu__commits *commits, uint32_t count)
{
    kifu__reader *reader = commits->reader;
    const uint32_t first = commits->count;
    kifu_result result = kifu__require_line(commits);
    while (count-- && !result) {
        kifu__frame frame;
        result = kifu__next_segment(commits, &frame);
        if (result || !commits->branch || commits->count >= commits->until)
            continue;
        result = kifu__or_leave_out(commits, commits->line, first, take_segment_record(commits, &frame));
        reader->used += frame.size;
        if (!result)
            result = kifu__report_read(reader, commits->frame->offset);
    }
    return result;
}
