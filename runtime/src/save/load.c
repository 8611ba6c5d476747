// Loading: every frame is verified and taken into the log, the queues and the redo records of a new timeline; only then
// does the first Do run (restore.c).

#include <kifu/save.h>

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "save/frame.h"
#include "base/os.h"
#include "save/packed.h"
#include "save/regroup.h"
#include "save/restore.h"
#include "save/save_tables.h"
#include "wire/table.h"
#include "core/timeline.h"
#include "save/upcast.h"

#define NO_END UINT64_MAX

typedef struct loader {
    kifu_timeline *timeline;
    kifu_error *error;
    kifu__upcaster upcaster;
    const kifu__save_header *header;
    kifu__blob header_room;
    const unsigned char *schema; // The .bfbs of the save; NULL when it has none.
    uint32_t schema_size;
    kifu__saved_states states;
    kifu__packed_sum packed;
    bool ended;
    uint64_t end; // Where reading ends, or NO_END: with the end frame, which must be the last.
    bool half;    // Up to there, the last input may not be whole.
} loader;

static kifu__buffer buffer_of(const loader *loader, const kifu__frame *frame)
{
    const kifu__buffer buffer = {
        .bytes = frame->payload,
        .size = frame->size,
        .offset = frame->offset + KIFU__FRAME_HEAD,
        .error = loader->error,
    };
    return buffer;
}

static kifu_result no_memory(const loader *loader, const kifu__frame *frame)
{
    return kifu__error_at(loader->error, KIFU_NO_MEMORY, frame->offset, "out of memory for a save to load");
}

// --- Header ----------------------------------------------------------------------------------------------------------

static kifu_result take_header(loader *loader, const kifu__frame *frame)
{
    const kifu_rules *rules = loader->timeline->rules;
    if (frame->kind != KIFU__FRAME_HEADER)
        return kifu__error_at(loader->error, KIFU_DAMAGED, frame->offset,
                              "the save's first frame is of kind %" PRIu32 ", not its header: get another copy of it",
                              frame->kind);
    kifu__buffer buffer = buffer_of(loader, frame);
    const void *fields;
    kifu_result result = kifu__payload_read(&buffer, &kifu__save_header_table, &loader->header_room, &fields);
    if (result)
        return result;
    loader->header = (const kifu__save_header *)fields;
    loader->schema = (const unsigned char *)kifu__elements(&loader->header->schema);
    loader->schema_size = kifu__length(&loader->header->schema);
    const char *game = (const char *)kifu__elements(&loader->header->game);
    if (strcmp(game, rules->name) != 0)
        return kifu__error_at(loader->error, KIFU_OTHER_GAME, frame->offset,
                              "this is a save of the game '%.100s', not of '%.100s': choose another file", game,
                              rules->name);
    // Another version of the game may have another state, and rules that lead to another.
    loader->states.comparable =
        loader->header->fingerprint == rules->fingerprint && loader->header->rules_version == rules->rules_version;
    return KIFU_OK;
}

// --- Events ----------------------------------------------------------------------------------------------------------

// What looks like damage in bytes whose checksum is right may be a value that this version does not have.
static kifu_result explain(const loader *loader, kifu_result result)
{
    kifu_error *error = loader->error;
    if (error && result == KIFU_DAMAGED && loader->header->fingerprint != loader->timeline->rules->fingerprint) {
        size_t used = strlen(error->message);
        snprintf(error->message + used, sizeof error->message - used,
                 "; the save was written by another version of the game (rules version %" PRIu32
                 "), which may know this",
                 loader->header->rules_version);
    }
    return result;
}

// Verifies a frame's segment of events, which follow (or, pending, wait behind) the `first` events of the log. On
// success `segment` is a part of the file, or owned where it had to be converted. What waits is always converted: parts
// that its events share would otherwise grow without limit when each event becomes a proposal of its own.
static kifu_result read_segment(loader *loader, const kifu__frame *frame, uint32_t first, bool pending,
                                kifu__segment *segment)
{
    const kifu_rules *rules = loader->timeline->rules;
    kifu__buffer buffer = buffer_of(loader, frame);
    bool castable = true;
    kifu_result result =
        kifu__verify_segment(&buffer, rules, first, pending, loader->schema, loader->schema_size, segment, &castable);
    if (result)
        return explain(loader, result);
    if (castable && !pending && !kifu__is_superseded(rules, segment))
        return KIFU_OK;
    if (rules->upcast)
        kifu__upcast_by(&loader->upcaster, loader->timeline, segment, pending, &buffer);
    result = kifu__convert_segment(&buffer, rules, first, &loader->timeline->memory, segment);
    if (result == KIFU_NO_MEMORY || result == KIFU_TOO_LARGE)
        return kifu__error_at(loader->error, result, frame->offset,
                              "%s while the events at byte %" PRIu64 " were brought to this version of the game",
                              kifu_result_text(result), frame->offset);
    return result;
}

static void drop_segment(loader *loader, const kifu__segment *segment)
{
    if (!segment->borrowed)
        kifu__free(&loader->timeline->memory, segment->bytes);
}

// New events end redo, as they do in a game that is played.
static kifu_result take_segment(loader *loader, const kifu__frame *frame)
{
    kifu_timeline *timeline = loader->timeline;
    kifu__drop_undone(timeline);
    kifu__segment segment;
    kifu_result result = read_segment(loader, frame, timeline->executed, false, &segment);
    if (result)
        return result;
    if (!segment.count) {
        drop_segment(loader, &segment);
        return KIFU_OK;
    }
    result = kifu__log_adopt(&timeline->log, &segment);
    if (result) {
        drop_segment(loader, &segment);
        return kifu__error_at(loader->error, result, frame->offset, "%s for the events of a save to load",
                              kifu_result_text(result));
    }
    timeline->executed = timeline->log.event_count;
    return KIFU_OK;
}

static kifu_result queue_proposals(kifu_timeline *timeline, const kifu__segment *segment, kifu__blob *blob)
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
            .cause = caused ? timeline->executed - mark.cause : KIFU_NONE,
            .ticket = ++timeline->last_ticket,
            .type = segment->types[slot],
            .player = mark.player,
            .flags = mark.flags & (KIFU_UNDOABLE | KIFU_CONTINUE_UNDO | KIFU_REVEALS | KIFU_UNLESS_RANDOM),
        };
        kifu__queue *queue = consequence ? &timeline->consequences : &timeline->inputs;
        if (!kifu__queue_push(queue, &timeline->memory, &head, blob->bytes))
            return KIFU_NO_MEMORY;
    }
    return KIFU_OK;
}

// What waits from here on, in place of what waited.
static kifu_result take_pending(loader *loader, const kifu__frame *frame)
{
    kifu_timeline *timeline = loader->timeline;
    kifu__queue_free(&timeline->consequences, &timeline->memory);
    kifu__queue_free(&timeline->inputs, &timeline->memory);
    kifu__segment segment;
    kifu_result result = read_segment(loader, frame, timeline->executed, true, &segment);
    if (result)
        return result;
    kifu__blob blob = {.memory = &timeline->memory};
    result = queue_proposals(timeline, &segment, &blob);
    kifu__free(&timeline->memory, blob.bytes);
    drop_segment(loader, &segment);
    if (result)
        return kifu__error_at(loader->error, result, frame->offset, "%s for the waiting events of a save to load",
                              kifu_result_text(result));
    return KIFU_OK;
}

// --- Undo, and the end
// -------------------------------------------------------------------------------------------------

static kifu_result take_rewind(loader *loader, const kifu__frame *frame)
{
    kifu_timeline *timeline = loader->timeline;
    kifu__buffer buffer = buffer_of(loader, frame);
    kifu__blob room = {.memory = &timeline->memory};
    const void *fields;
    kifu_result result = kifu__payload_read(&buffer, &kifu__save_rewind_table, &room, &fields);
    uint32_t count = result ? 0 : ((const kifu__save_rewind *)fields)->count;
    kifu__free(&timeline->memory, room.bytes);
    if (result)
        return result;
    if (count >= timeline->executed)
        return kifu__error_at(loader->error, KIFU_DAMAGED, frame->offset,
                              "the save takes back to %" PRIu32 " events where there are %" PRIu32
                              ": get another copy of it",
                              count, timeline->executed);
    if (!kifu__push_undone(timeline))
        return no_memory(loader, frame);
    timeline->executed = count;
    kifu__saved_states_rewind(&loader->states, count);
    return KIFU_OK;
}

static kifu_result take_end(loader *loader, const kifu__frame *frame)
{
    kifu__buffer buffer = buffer_of(loader, frame);
    kifu__blob room = {.memory = &loader->timeline->memory};
    const void *fields;
    kifu_result result = kifu__payload_read(&buffer, &kifu__save_end_table, &room, &fields);
    kifu__free(&loader->timeline->memory, room.bytes);
    loader->ended = !result;
    return result;
}

// The first one counts: what is in the header, if anything.
static void take_schema(loader *loader, const kifu__frame *frame)
{
    if (!loader->schema) {
        loader->schema = frame->payload;
        loader->schema_size = frame->size;
    }
}

// --- The whole file --------------------------------------------------------------------------------------------------

static kifu_result take_packed(loader *loader, const kifu__frame *frame);

static kifu_result take_frame(loader *loader, const kifu__frame *frame)
{
    if (!loader->header)
        return take_header(loader, frame);
    switch (frame->kind) {
    case KIFU__FRAME_HEADER:
        return kifu__error_at(loader->error, KIFU_DAMAGED, frame->offset,
                              "the save has a second header at byte %" PRIu64 ": get another copy of it",
                              frame->offset);
    case KIFU__FRAME_SEGMENT:
        return take_segment(loader, frame);
    case KIFU__FRAME_SNAPSHOT:
        return kifu__take_snapshot(&loader->states, loader->timeline, frame, loader->error);
    case KIFU__FRAME_REWIND:
        return take_rewind(loader, frame);
    case KIFU__FRAME_PENDING:
        return take_pending(loader, frame);
    case KIFU__FRAME_CHECKPOINTS:
        return kifu__take_checkpoints(loader->timeline, frame, loader->error);
    case KIFU__FRAME_END:
        return take_end(loader, frame);
    case KIFU__FRAME_PACKED:
        return take_packed(loader, frame);
    case KIFU__FRAME_SCHEMA:
        take_schema(loader, frame);
        return KIFU_OK;
    default:
        return KIFU_OK; // Of a later Kifu, and not needed to play on.
    }
}

// What is inside is kept, for now, as the file is.
static kifu_result take_packed(loader *loader, const kifu__frame *frame)
{
    kifu_timeline *timeline = loader->timeline;
    kifu__blocks *blocks = &timeline->unpacked;
    void **items = (void **)kifu__grow(&timeline->memory, blocks->items, &blocks->capacity, (uint64_t)blocks->count + 1,
                                       sizeof *items);
    if (!items)
        return no_memory(loader, frame);
    blocks->items = items;
    kifu__frame inner;
    kifu_result result =
        kifu__packed_read(timeline->options.codec, &timeline->memory, frame, &loader->packed, &inner, loader->error);
    if (result)
        return result;
    items[blocks->count++] = (void *)(uintptr_t)inner.payload;
    result = take_frame(loader, &inner);
    if (result && loader->error) {
        size_t used = strlen(loader->error->message);
        snprintf(loader->error->message + used, sizeof loader->error->message - used,
                 "; this is in the packed frame at byte %" PRIu64 ", unpacked", frame->offset);
        loader->error->offset = frame->offset;
    }
    return result;
}

static kifu_result bytes_behind(uint64_t offset, kifu_error *error)
{
    return kifu__error_at(error, KIFU_DAMAGED, offset,
                          "the save ends at byte %" PRIu64 ", but more bytes follow: get another copy of it", offset);
}

static kifu_result take_frames(loader *loader, const kifu__file *file)
{
    kifu_result result = KIFU_OK;
    uint64_t offset = KIFU__FILE_HEAD;
    while (!result && !loader->ended && offset != loader->end) {
        kifu__frame frame;
        if (offset == file->size)
            return kifu__error_at(loader->error, KIFU_DAMAGED, offset,
                                  "the save was cut off at byte %" PRIu64
                                  ", where one more frame should be: get a whole copy of it, or load what is there "
                                  "with kifu_options.recover",
                                  offset);
        result = kifu__read_frame(file->bytes, file->size, &offset, &frame, loader->error);
        if (!result)
            result = take_frame(loader, &frame);
    }
    if (!result && loader->ended && offset != file->size && loader->end == NO_END)
        result = bytes_behind(offset, loader->error);
    return result;
}

// --- A file that was cut off, or is damaged --------------------------------------------------------------------------

// Finds out how far the file is to be read: up to its end, else to behind the last good snapshot, for of what follows
// it a part may be missing; else as far as its frames are good. Where it is whole, `why` stays KIFU_OK.
static void find_end(loader *loader, const kifu__file *file, kifu_recovery *recovery)
{
    uint64_t offset = KIFU__FILE_HEAD, snapshot = 0;
    kifu_error *why = &recovery->why;
    bool ended = false, good = true;
    while (good && !ended && offset < file->size) {
        kifu__frame frame;
        good = !kifu__read_frame(file->bytes, file->size, &offset, &frame, why);
        if (good && frame.kind == KIFU__FRAME_SNAPSHOT)
            snapshot = offset;
        ended = good && frame.kind == KIFU__FRAME_END;
    }
    if (ended && offset < file->size)
        bytes_behind(offset, why);
    else if (!ended && good)
        kifu__error_at(why, KIFU_DAMAGED, offset, "the save was cut off at byte %" PRIu64, offset);
    if (!ended && snapshot)
        offset = snapshot;
    loader->end = offset;
    loader->half = !ended && !snapshot;
    recovery->dropped = file->size - offset;
}

// Says in `why` what the caller is to know.
static void describe(kifu_recovery *recovery, uint64_t end, bool half)
{
    const kifu_error reason = recovery->why;
    const char *input = half ? ", and the last input there, of which some may be missing, was dropped" : "";
    if (recovery->dropped)
        kifu__error_at(&recovery->why, KIFU_DAMAGED, end,
                       "the last %" PRIu64 " bytes of the save, from byte %" PRIu64 " on, were dropped: %.250s%s",
                       recovery->dropped, end, reason.message, input);
    else if (half)
        kifu__error_at(&recovery->why, KIFU_DAMAGED, end, "%.250s%s", reason.message, input);
    else
        kifu__error_at(&recovery->why, KIFU_DAMAGED, end,
                       "the save is a log file that was not closed; all that was written to it is there");
}

// There is no snapshot, so nobody knows whether the last input has all that followed from it, and what waited. Drops
// it. False when nothing is left.
static bool keep_whole_inputs(kifu_timeline *timeline)
{
    bool is_input = false;
    while (timeline->executed && !is_input) {
        kifu_event event;
        kifu_event_at(timeline, timeline->executed - 1, &event);
        timeline->executed--;
        is_input = event.cause == KIFU_NONE;
    }
    kifu__queue_free(&timeline->consequences, &timeline->memory);
    kifu__queue_free(&timeline->inputs, &timeline->memory);
    kifu__drop_undone(timeline);
    return timeline->executed > 0;
}

// All that can be used of the file.
static kifu_result recover_frames(loader *loader, const kifu__file *file, kifu_recovery *recovery)
{
    *recovery = (kifu_recovery){.dropped = 0};
    find_end(loader, file, recovery);
    kifu_result result = take_frames(loader, file);
    if (!result && (!loader->header || (loader->half && !keep_whole_inputs(loader->timeline)))) {
        if (loader->error)
            *loader->error = recovery->why;
        result = recovery->why.result;
    }
    if (result)
        *recovery = (kifu_recovery){.dropped = 0};
    else if (recovery->why.result)
        describe(recovery, loader->end, loader->half);
    return result;
}

// --- The state -------------------------------------------------------------------------------------------------------

// The file is of no more use when no segment is a part of it, nor is what was unpacked and is no segment. Segments come
// in the order in which they were unpacked.
static void release_unused(kifu_timeline *timeline)
{
    const kifu__memory *memory = &timeline->memory;
    kifu__blocks *blocks = &timeline->unpacked;
    uint32_t next = 0, kept = 0;
    bool needs_file = false;
    for (uint32_t i = 0; i < timeline->log.segment_count; i++) {
        const kifu__segment *segment = &timeline->log.segments[i];
        if (!segment->borrowed)
            continue;
        if ((uintptr_t)segment->bytes - (uintptr_t)timeline->file.bytes < timeline->file.size) {
            needs_file = true;
            continue;
        }
        while (blocks->items[next] != segment->bytes)
            kifu__free(memory, blocks->items[next++]);
        blocks->items[kept++] = blocks->items[next++];
    }
    while (next < blocks->count)
        kifu__free(memory, blocks->items[next++]);
    blocks->count = kept;
    if (!needs_file)
        kifu__os_release(&timeline->file, memory);
}

static kifu_result restore(loader *loader)
{
    kifu_timeline *timeline = loader->timeline;
    kifu_result result = kifu__log_regroup(&timeline->log);
    if (result)
        return kifu__error(loader->error, result, "out of memory for a save to load");
    result = kifu__restore_state(&loader->states, timeline, loader->error);
    if (result)
        return result;
    kifu__find_input(timeline);
    kifu__listeners_jump(timeline); // those that `prepare` has added
    result = kifu__show_anew(timeline, KIFU_OK);
    if (result && loader->error)
        *loader->error = timeline->error;
    return result;
}

static kifu__memory memory_of(const kifu_options *options)
{
    return options ? kifu__memory_of(options->allocate, options->allocate_context) : kifu__memory_of(NULL, NULL);
}

// The file's bytes pass to the timeline, or are released.
static kifu_result load(const kifu_rules *rules, kifu__file *file, const kifu_options *options,
                        kifu_timeline **timeline, kifu_error *error)
{
    kifu_result result = kifu_create(rules, options, timeline, error);
    if (result) {
        kifu__memory memory = memory_of(options);
        kifu__os_release(file, &memory);
        return result;
    }
    (*timeline)->file = *file;
    loader loader = {
        .timeline = *timeline, .error = error, .header_room = {.memory = &(*timeline)->memory}, .end = NO_END};
    result = kifu__read_file_header(file->bytes, file->size, error);
    if (!result && options && options->recover)
        result = recover_frames(&loader, file, options->recover);
    else if (!result)
        result = take_frames(&loader, file);
    if (!result)
        result = restore(&loader);
    kifu__free(&(*timeline)->memory, loader.header_room.bytes);
    kifu__saved_states_free(&loader.states, &(*timeline)->memory);
    kifu__upcaster_close(&loader.upcaster);
    if (result) {
        kifu_destroy(*timeline);
        *timeline = NULL;
    } else
        release_unused(*timeline);
    return result;
}

kifu_result kifu_load(const kifu_rules *rules, const char *path, const kifu_options *options, kifu_timeline **timeline,
                      kifu_error *error)
{
    kifu__memory memory = memory_of(options);
    kifu__file file;
    *timeline = NULL;
    kifu_result result = kifu__os_map(path, &memory, &file, error);
    return result ? result : load(rules, &file, options, timeline, error);
}

kifu_result kifu_load_from_memory(const kifu_rules *rules, const void *bytes, size_t size, const kifu_options *options,
                                  kifu_timeline **timeline, kifu_error *error)
{
    kifu__memory memory = memory_of(options);
    *timeline = NULL;
    kifu__file file = {.bytes = (unsigned char *)kifu__new(&memory, size), .size = size};
    if (!file.bytes)
        return kifu__error(error, KIFU_NO_MEMORY, "out of memory for a save of %zu bytes", size);
    if (size)
        memcpy(file.bytes, bytes, size);
    return load(rules, &file, options, timeline, error);
}
