// Segments of a file: verified, and taken into branches and queues; with what waits where the game is, and at other
// places. And copies of segments.

#include "save/reader.h"

#include <inttypes.h>
#include <stdio.h>

#include "save/reversal.h"
#include "save/saved.h"
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
    return kifu__not_loaded(reader->error, frame->offset, result);
}

// --- The segments of a commit ----------------------------------------------------------------------------------------

static kifu_result next_segment(kifu__commits *commits, kifu__frame *frame)
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
    if (segment.count)
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
        result = next_segment(commits, &frame);
        if (result || !commits->branch || commits->count >= commits->until)
            continue;
        result = kifu__or_leave_out(commits, commits->line, first, take_segment_record(commits, &frame));
        reader->used += frame.size;
        if (!result)
            result = kifu__report_read(reader, commits->frame->offset);
    }
    return result;
}

static const char no_rows[] = "is of a log file or a packed save, and this is none";

// Whether the events are in segments in front of the commit: then the 0 that says so is read.
static bool are_in_segments(kifu__bytes *body)
{
    const bool are = body->at < body->end && !*body->at;
    body->at += are;
    return are;
}

kifu_result kifu__read_events_record(kifu__commits *commits, kifu__bytes *body)
{
    if (are_in_segments(body))
        return kifu__load_segments(commits, kifu__parse_number(body));
    return commits->rows ? commits->rows->read(commits, body) : kifu__bad_record(commits, no_rows);
}

// Makes a frame of those that wait: `*bytes` is new memory or NULL, also after a failure.
static kifu_result read_run(kifu__commits *commits, kifu__bytes *body, kifu__frame *frame, unsigned char **bytes)
{
    *bytes = NULL;
    if (are_in_segments(body))
        return next_segment(commits, frame);
    return commits->rows ? commits->rows->make(commits, body, frame, bytes) : kifu__bad_record(commits, no_rows);
}

// --- What waits ------------------------------------------------------------------------------------------------------

// What waits after `executed` events, if anything does.
static kifu_result take_waiting(kifu__commits *commits, kifu__bytes *body, uint32_t executed)
{
    kifu_timeline *timeline = commits->reader->timeline;
    kifu__frame frame;
    kifu__segment segment;
    unsigned char *bytes;
    if (body->at == body->end)
        return KIFU_OK;
    kifu_result result = read_run(commits, body, &frame, &bytes);
    timeline->executed = executed;
    if (!result)
        result = kifu__read_segment(commits->reader, &frame, executed, true, &segment);
    if (!result)
        result =
            kifu__queue_proposals(commits->reader, &frame, &segment, NULL, &timeline->consequences, &timeline->inputs);
    kifu__free(&timeline->memory, bytes);
    return result;
}

static kifu_result take_first_waiting(const kifu__commits *commits, kifu__queue *queue, uint32_t count)
{
    if (count > queue->count)
        return kifu__bad_record(commits, "takes more events than wait");
    while (count--)
        kifu__queue_pop(queue);
    return KIFU_OK;
}

kifu_result kifu__read_queue_record(kifu__commits *commits, kifu__bytes *body)
{
    kifu_timeline *timeline = commits->reader->timeline;
    if (commits->back) // A follower may have to take it back.
        commits->back->calls->hold_queues(commits->back);
    kifu_result result = take_first_waiting(commits, &timeline->inputs, commits->numbers[0]);
    if (!result)
        result = take_first_waiting(commits, &timeline->consequences, commits->numbers[1]);
    return result ? result : take_waiting(commits, body, commits->count);
}

static kifu_result take_actions_record(kifu__commits *commits, const unsigned char *bytes, uint32_t size)
{
    const kifu__turn_rules *turns = commits->reader->timeline->rules->turns;
    return turns && turns->frames ? turns->frames->take(commits, bytes, size) : KIFU_OK;
}

kifu_result kifu__read_actions_record(kifu__commits *commits, kifu__bytes *body)
{
    const uint32_t size = (uint32_t)(body->end - body->at);
    commits->reader->timeline->executed = commits->count;
    if (commits->back && !commits->back->calls->keep_actions(commits->back))
        return kifu__commit_failed(commits, KIFU_NO_MEMORY);
    return take_actions_record(commits, kifu__parse_bytes(body, size), size);
}

static void exchange_actions(kifu_timeline *timeline, kifu__queue *others)
{
    const kifu__turn_rules *turns = timeline->rules->turns;
    if (turns)
        turns->timed->exchange_actions(timeline, others);
}

// Puts it there as the timeline would put away what waits; what waits where the game is stays as it lies.
static kifu_result keep_waiting(kifu__commits *commits, kifu__bytes *body, uint32_t place, const unsigned char *actions,
                                uint32_t size)
{
    kifu_timeline *timeline = commits->reader->timeline;
    const kifu__memory *memory = &timeline->memory;
    const kifu__queue consequences = timeline->consequences, inputs = timeline->inputs;
    kifu__queue set = {.count = 0};
    timeline->consequences = timeline->inputs = (kifu__queue){.count = 0};
    exchange_actions(timeline, &set);
    kifu_result result = take_waiting(commits, body, place);
    timeline->executed = place;
    if (!result && size)
        result = take_actions_record(commits, actions, size);
    if (!result && !kifu__store_kept(timeline))
        result = kifu__commit_failed(commits, KIFU_NO_MEMORY);
    kifu__queue_free(&timeline->consequences, memory);
    kifu__queue_free(&timeline->inputs, memory);
    timeline->consequences = consequences;
    timeline->inputs = inputs;
    exchange_actions(timeline, &set);
    kifu__queue_free(&set, memory);
    return result;
}

kifu_result kifu__read_kept_record(kifu__commits *commits, kifu__bytes *body)
{
    uint32_t until;
    const uint32_t line = commits->numbers[0], place = commits->numbers[1], size = commits->numbers[2];
    const unsigned char *actions = kifu__parse_bytes(body, size);
    kifu__branch *branch = kifu__find_read(commits, line, &until);
    if (!body->good)
        return KIFU_OK;
    const bool there = branch && place <= branch->end && (!branch->parent || place > branch->from);
    if (!there && !commits->way && !kifu__is_lost(commits, line))
        return kifu__bad_record(commits, "is of a place that is not there");
    if (!there || place > until) {
        kifu__frame frame;
        unsigned char *bytes = NULL;
        const kifu_result result = body->at < body->end ? read_run(commits, body, &frame, &bytes) : KIFU_OK;
        kifu__free(&commits->reader->timeline->memory, bytes);
        return result;
    }
    if (commits->back && !commits->back->calls->kept_aside(commits->back, branch, place))
        return kifu__commit_failed(commits, KIFU_NO_MEMORY);
    kifu__read_into(commits, branch);
    return kifu__or_leave_out(commits, line, place, keep_waiting(commits, body, place, actions, size));
}

// --- Copies ----------------------------------------------------------------------------------------------------------

// A copy begins with about as much room as the events have now, and grows while events are added: measuring them first
// would mean to convert each event twice.

// Bytes of body for each free slot of a segment that goes on: what most events need.
enum { MORE_PER_SLOT = 24 };

// Bytes of a segment's events, about. (Where Kifu wrote it. They may be more or less.)
static uint32_t body_of_segment(const kifu__log *log, const kifu__segment *segment)
{
    const uint32_t head = kifu__segment_head(segment->count, log->rules->vtables_size).size;
    return segment->size > head ? segment->size - head : 0;
}

// Copies its events from `slot` on into a new segment. KIFU_TOO_LARGE when that needs more than `more` bytes beyond
// `body`: what shares parts among events, as another writer may, grows.
static kifu_result copy_all(const kifu__log *log, const kifu__segment *from, uint32_t slot, uint32_t slots,
                            uint64_t body, uint64_t more, kifu__segment *copy)
{
    const kifu__buffer buffer = {.bytes = from->bytes, .size = from->size};
    const kifu_result result = kifu__segment_new(&log->memory, log->rules, from->rules_version, slots, body, copy);
    if (result)
        return result;
    const uint64_t most = copy->capacity + more < INT32_MAX ? copy->capacity + more : INT32_MAX;
    return kifu__add_events(&buffer, log->rules, from, slot, false, most, &log->memory, copy);
}

kifu_result kifu__copy_events(const kifu__log *log, const kifu__segment *segment, uint32_t slot, kifu__segment *copy)
{
    const uint32_t count = segment->count - slot;
    const uint64_t body = count ? (uint64_t)body_of_segment(log, segment) * count / segment->count : 0;
    return copy_all(log, segment, slot, count, body, INT32_MAX, copy);
}

// It is built anew: what another writer made may have its parts in an order that does not bear appending or undo.
bool kifu__log_regroup(kifu__log *log, uint32_t *borrowed)
{
    kifu__branch *branch = log->branch;
    kifu__segment *last = branch->segment_count ? &branch->segments[branch->segment_count - 1] : NULL, copy;
    uint32_t slots = KIFU__FIRST_SLOTS;
    if (!last || !last->borrowed || last->rules_version != log->rules->rules_version)
        return true;
    while (slots <= last->count)
        slots *= 2;
    if (slots > KIFU__MOST_SLOTS)
        return true;
    const uint64_t body = body_of_segment(log, last) + MORE_PER_SLOT * (uint64_t)(slots - last->count);
    const kifu_result result = copy_all(log, last, 0, slots, body, 2 * (uint64_t)last->size, &copy);
    if (result)
        return result == KIFU_TOO_LARGE; // Then it stays as it is.
    copy.first = last->first;
    *last = copy;
    --*borrowed;
    kifu__log_close_gap(log, branch, 0, 0);
    return true;
}
