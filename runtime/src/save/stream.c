// The stream of a game at its source: which commits it has made, and the last of them, for followers.

#include "save/stream.h"

#include <stddef.h>

#include "base/crc32c.h"
#include "save/saved.h"
#include "wire/buffer.h"

// --- The part --------------------------------------------------------------------------------------------------------

static void free_stream(kifu_timeline *timeline, kifu__part *part)
{
    kifu__source *source = (kifu__source *)(void *)part;
    if (source->shapes.memory)
        kifu__shapes_free(&source->shapes);
    kifu__free(&timeline->memory, source->kept);
    kifu__free(&timeline->memory, source->recent.bytes);
    kifu__free(&timeline->memory, source->each);
}

// Of more places, who is asked no more for what has changed would only remember and remember.
enum { MOST_KEPT = 1 << 20 };

// Room for one more place at which what waits has changed. False without memory.
static bool make_room_in_stream(kifu_timeline *timeline, kifu__source *source)
{
    kifu__place_kept *kept = (kifu__place_kept *)kifu__grow(&timeline->memory, source->kept, &source->kept_capacity,
                                                            (uint64_t)source->kept_count + 1, sizeof *kept);
    if (kept)
        source->kept = kept;
    return kept != NULL;
}

// What waits at a place of a branch has changed. Without memory, all of the game is told next time.
static void note_kept_of_stream(kifu_timeline *timeline, kifu__part *part, const kifu__branch *branch, uint32_t place)
{
    kifu__source *source = (kifu__source *)(void *)part;
    if (!source->recorded.begun || source->forgot)
        return;
    source->forgot = source->kept_count == MOST_KEPT || !make_room_in_stream(timeline, source);
    if (!source->forgot)
        source->kept[source->kept_count++] = (kifu__place_kept){branch->number, place};
}

static const kifu__part_table stream_table = {
    .size = sizeof(kifu__source), .order = KIFU__STREAM, .waits = note_kept_of_stream, .freed = free_stream};

kifu__source *kifu__source_of(const kifu_timeline *timeline)
{
    kifu__source *source = (kifu__source *)(void *)kifu__part_of(timeline, &stream_table);
    return source && source->recorded.begun ? source : NULL;
}

void kifu__renew_stream(kifu__source *source)
{
    kifu_stream_position *position = &source->recorded.position;
    *position = (kifu_stream_position){.commit = 1};
    (void)kifu__os_entropy(&position->stream, sizeof position->stream);
    position->stream |= 1; // Not 0, which is none.
    source->recent.size = source->recent_count = 0;
    source->before = 0;
}

kifu__source *kifu__begin_source(kifu_timeline *timeline)
{
    kifu__source *source = (kifu__source *)(void *)kifu__attach(timeline, &stream_table);
    if (!source || (!source->kept && !make_room_in_stream(timeline, source))) { // So the first undo needs no memory.
        (void)kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for the stream of a game");
        return NULL;
    }
    source->recent.memory = source->shapes.memory = &timeline->memory;
    source->recorded.shapes = &source->shapes;
    if (!source->recorded.begun)
        kifu__renew_stream(source);
    return source;
}

void kifu__end_source(kifu_timeline *timeline, kifu__source *source)
{
    const kifu__part part = source->part;
    kifu__plan plan = {.timeline = timeline};
    if (source->recorded.begun)
        kifu__plan_parts(&plan, KIFU__LOG_CLOSED);
    free_stream(timeline, &source->part);
    *source = (kifu__source){.part = part};
}

// --- The last commits ------------------------------------------------------------------------------------------------

uint32_t kifu__stream_checksum(uint32_t before, kifu__bytes records)
{
    return kifu__crc32c(before, records.at, (size_t)(records.end - records.at));
}

// As changes have it.
static void add_commit(kifu__blob *commits, kifu__bytes records, uint32_t checksum)
{
    const uint32_t size = (uint32_t)(records.end - records.at);
    kifu__add_number(commits, size);
    kifu__build(commits, 0, records.at, size, 1);
    kifu__build(commits, 0, &checksum, sizeof checksum, 1);
}

// Followers may ask for commits of so many bytes.
enum { RECENT_BYTES = 1 << 18 };

// The older half of them.
static void drop_older(kifu__source *source)
{
    uint32_t count = 0;
    while (count < source->recent_count && source->recent.size - source->each[count] > RECENT_BYTES / 2)
        count++;
    const uint32_t gone = count < source->recent_count ? source->each[count] : source->recent.size;
    source->before = kifu__load32(source->recent.bytes + gone - 4); // The oldest is among them: it begins at 0.
    source->recent_count -= count;
    source->recent.size -= gone;
    memmove(source->recent.bytes, source->recent.bytes + gone, source->recent.size);
    memmove(source->each, source->each + count, source->recent_count * sizeof *source->each);
    for (uint32_t i = 0; i < source->recent_count; i++)
        source->each[i] -= gone;
}

// Without memory, it is as if none were remembered.
static void remember_commit(const kifu_timeline *timeline, kifu__source *source, kifu__bytes records)
{
    const uint32_t begin = source->recent.size, checksum = source->recorded.position.checksum;
    uint32_t *each = (uint32_t *)kifu__grow(&timeline->memory, source->each, &source->recent_capacity,
                                            (uint64_t)source->recent_count + 1, sizeof *each);
    if (each) {
        source->each = each;
        add_commit(&source->recent, records, checksum);
    }
    if (!each || source->recent.result) {
        source->recent.size = source->recent_count = 0;
        source->recent.result = KIFU_OK;
        source->before = checksum;
        return;
    }
    each[source->recent_count++] = begin;
    if (source->recent.size > RECENT_BYTES)
        drop_older(source);
}

// --- To say something ------------------------------------------------------------------------------------------------

void kifu__say(kifu__plan *plan, kifu__source *source, kifu__saying *saying, bool with_state)
{
    saying->source = source;
    saying->stream = source->recorded;
    saying->shape_count = source->shapes.count;
    plan->anew = !source->recorded.begun || source->forgot || source->hashes != plan->timeline->tree.hashes ||
                 source->root != plan->timeline->log.begin; // It has a past that is forgotten.
    if (!plan->anew)
        kifu__plan_commit_of(plan, &saying->stream, source->kept, source->kept_count, with_state);
}

void kifu__say_all(kifu__plan *plan, kifu__source *source, kifu__saying *saying, bool with_state)
{
    const kifu_timeline *timeline = plan->timeline;
    *saying = (kifu__saying){.source = source,
                             .shapes = {.memory = &timeline->memory},
                             .stream = {.shapes = &saying->shapes,
                                        .line = timeline->log.first.number,
                                        .executed = timeline->log.begin,
                                        .position = source->recorded.position}};
    plan->all = true;
    kifu__plan_commit_of(plan, &saying->stream, NULL, 0, with_state);
}

static void said_it(kifu__plan *plan, kifu__saying *saying)
{
    kifu_timeline *timeline = plan->timeline;
    kifu__source *source = saying->source;
    kifu__stream *recorded = &source->recorded;
    const bool all = saying->stream.shapes != &source->shapes;
    *recorded = saying->stream;
    if (all) {
        kifu__shapes_free(&source->shapes);
        source->shapes = saying->shapes;
        recorded->new_shapes = source->followed; // They have others.
    } else {
        const kifu__piece *commit = &plan->pieces[plan->count - 1];
        const kifu__bytes records = kifu__records_in(commit->payload, commit->size);
        recorded->position.commit++;
        recorded->position.checksum = kifu__stream_checksum(recorded->position.checksum, records);
        recorded->new_shapes = false;
        if (!recorded->position.commit) // After 2^32 of them.
            kifu__renew_stream(source);
        else if (source->followed)
            remember_commit(timeline, source, records);
    }
    recorded->shapes = &source->shapes;
    source->kept_count = 0;
    source->forgot = false;
    source->hashes = timeline->tree.hashes;
    source->root = timeline->log.begin;
    kifu__game_is_recorded(timeline);
    kifu__plan_parts(plan, KIFU__LOG_WRITTEN);
}

void kifu__end_saying(kifu__plan *plan, kifu__saying *saying, bool good)
{
    kifu__source *source = saying->source;
    if (good && !plan->result && plan->count) {
        said_it(plan, saying);
        return;
    }
    if (saying->stream.shapes != &source->shapes)
        kifu__shapes_free(saying->stream.shapes);
    else // What was told of shapes was not.
        kifu__shapes_cut(&source->shapes, source->recorded.new_shapes ? 0 : saying->shape_count);
}

// --- To followers ----------------------------------------------------------------------------------------------------

// By the whole game that a follower gets. `*size`: of all, as a commit.
static kifu_result say_whole(kifu_timeline *timeline, kifu__source *source, uint64_t *size)
{
    kifu__plan plan = {.timeline = timeline};
    kifu__saying saying;
    kifu__say_all(&plan, source, &saying, false);
    kifu__end_saying(&plan, &saying, true);
    *size = plan.size;
    const kifu_result result = plan.result;
    kifu__plan_drop(&plan);
    return result;
}

kifu_result kifu__say_to_followers(kifu_timeline *timeline, kifu__source *source)
{
    uint64_t size;
    kifu__plan plan = {.timeline = timeline};
    kifu__saying saying;
    kifu__say(&plan, source, &saying, false);
    const bool anew = plan.anew;
    const kifu_result result = plan.result;
    kifu__end_saying(&plan, &saying, true);
    kifu__plan_drop(&plan);
    if (result || !anew)
        return result;
    if (source->recorded.begun) // Else it has a new number.
        kifu__renew_stream(source);
    return say_whole(timeline, source, &size);
}

// --- After a restart -------------------------------------------------------------------------------------------------

bool kifu__is_as_loaded(const kifu_timeline *timeline)
{
    const kifu__branch *branch = timeline->log.branch;
    return kifu__is_stamped(timeline) && branch->unchanged == KIFU_NONE && branch->file_end == branch->end &&
           timeline->consequences.recorded == timeline->consequences.tail &&
           timeline->inputs.recorded == timeline->inputs.tail;
}

kifu_result kifu__said_before(kifu_timeline *timeline, kifu__source *source, const kifu_stream_position *position,
                              uint64_t *size)
{
    const kifu_result result = say_whole(timeline, source, size);
    if (result)
        return result;
    source->recorded.position = *position;
    source->recorded.new_shapes = true; // Those of the file were not kept.
    return KIFU_OK;
}

// --- In a log file ---------------------------------------------------------------------------------------------------

// The position behind a commit of a log file, after that of the one before it.
static void follow_position(kifu_stream_position *position, kifu__bytes records)
{
    kifu__bytes rest = records, body;
    uint32_t kind;
    if (kifu__next_record(&rest, &kind, &body) && kind == KIFU__POSITION) {
        const unsigned char *stream = kifu__parse_bytes(&body, 8);
        const uint32_t commit = kifu__parse_number(&body);
        const unsigned char *checksum = kifu__parse_bytes(&body, 4);
        if (checksum)
            *position = (kifu_stream_position){kifu__load64(stream), commit, kifu__load32(checksum)};
        return;
    }
    position->commit++;
    position->checksum = kifu__stream_checksum(position->checksum, records);
}

// The next frame, and the position behind it.
static bool next_commit_frame(const kifu__file *file, kifu__chain *chain, kifu__frame *frame,
                              kifu_stream_position *position)
{
    if (kifu__next_frame(chain, file->bytes, file->size, frame, NULL))
        return false;
    if (frame->kind == KIFU__FRAME_COMMIT)
        follow_position(position, kifu__records_in(frame->payload, frame->size));
    return true;
}

kifu_result kifu__find_commits(kifu_timeline *timeline, const char *path, const kifu_stream_position *since,
                               kifu__blob *commits, bool *found)
{
    kifu__file file;
    uint64_t size;
    kifu__chain chain = {.offset = KIFU__FILE_HEAD};
    kifu_stream_position position = {.stream = 0};
    kifu_result result = kifu__os_read(path, UINT64_MAX, &timeline->memory, &file, &size, &timeline->error);
    *found = false;
    if (result)
        return result;
    for (kifu__frame frame = {0}; next_commit_frame(&file, &chain, &frame, &position);) {
        const kifu__bytes records = kifu__records_in(frame.payload, frame.size);
        if (*found && frame.kind == KIFU__FRAME_COMMIT)
            add_commit(commits, records, position.checksum);
        *found = *found || !memcmp(&position, since, sizeof position);
    }
    kifu__os_release(&file, &timeline->memory);
    return commits->result ? kifu__error(&timeline->error, commits->result, "%s for the changes of a game",
                                         kifu_result_text(commits->result))
                           : KIFU_OK;
}

// But for what changes each time, which it takes over.
static bool is_same_header(const kifu__frame *frame, const kifu__piece *header)
{
    const uint32_t fields = kifu__load32(header->payload);
    if (frame->kind != KIFU__FRAME_HEADER || frame->size != header->size || kifu__load32(frame->payload) != fields)
        return false;
    const uint32_t places[] = {fields + offsetof(kifu__save_header, event_count),
                               fields + offsetof(kifu__save_header, saved_at), KIFU__LINK};
    const uint32_t sizes[] = {sizeof((kifu__save_header *)0)->event_count, sizeof((kifu__save_header *)0)->saved_at,
                              KIFU__LINK_SIZE};
    for (int i = 0; i < 3; i++)
        memcpy(header->payload + places[i], frame->payload + places[i], sizes[i]);
    return !memcmp(header->payload, frame->payload, frame->size);
}

kifu_result kifu__find_stream(kifu_timeline *timeline, const char *path, const kifu__piece *header,
                              kifu_stream_position *position, uint64_t *size, uint32_t *heads)
{
    kifu__file file;
    kifu__chain chain = {.offset = KIFU__FILE_HEAD};
    *position = (kifu_stream_position){.stream = 0};
    kifu_result result = kifu__os_read(path, UINT64_MAX, &timeline->memory, &file, size, &timeline->error);
    if (result)
        return result == KIFU_NOT_FOUND ? KIFU_OK : result;
    bool good = !kifu__read_file_header(file.bytes, file.size, NULL);
    kifu__frame frame = {0};
    while (good && chain.offset < file.size)
        good = next_commit_frame(&file, &chain, &frame, position) &&
               (!header || frame.offset != KIFU__FILE_HEAD || is_same_header(&frame, header));
    if (!good)
        position->stream = 0;
    *heads = chain.heads;
    kifu__os_release(&file, &timeline->memory);
    return KIFU_OK;
}
