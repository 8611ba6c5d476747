// A log file with lines, for a timeline that keeps none. First it is found out which line is the current one in the
// end, and on what way the game came there. Then the file is read once more, and of it only what happened on this way:
// what was appended to other lines, or to a line of the way behind the place where the next one begins, means nothing.

#include "save/reader.h"

#include <inttypes.h>

#include "save/line_frames.h"

// A line that the file begins.
typedef struct log_line {
    uint32_t id, parent, from;
    bool deleted;
    kifu__frame frame; // That begins it. Line 0 has none.
} log_line;

typedef struct way {
    kifu__reader *reader;
    log_line *lines; // By number, ascending.
    uint32_t count, capacity;
    uint32_t next; // Numbers from there on were not given yet.
    uint32_t at;   // The line at which the file is.
    uint32_t *ids; // The way: of the current line, its parent, and so on.
    uint32_t left; // So many lines on it have not begun yet.
    uint32_t ids_room;
} way;

static kifu_result refuse(const way *way, const kifu__frame *frame, uint32_t line, const char *why)
{
    return kifu__damaged(way->reader->error, frame->offset, "line %" PRIu32 " of the log file, at byte %" PRIu64 ", %s",
                         line, frame->offset, why);
}

static kifu_result no_memory(const way *way, const kifu__frame *frame)
{
    return kifu__not_loaded(way->reader->error, frame->offset, KIFU_NO_MEMORY);
}

static kifu_result read_line(const way *way, const kifu__frame *frame, kifu__save_line *line)
{
    const kifu__buffer buffer = kifu__buffer_of(way->reader, frame);
    const void *read = NULL;
    kifu_result result = kifu__payload_read(&buffer, &kifu__save_line_table, &way->reader->room, &read);
    if (!result)
        *line = *(const kifu__save_line *)read;
    return result;
}

static kifu_result read_go(const way *way, const kifu__frame *frame, kifu__save_go *go)
{
    const kifu__buffer buffer = kifu__buffer_of(way->reader, frame);
    const void *read = NULL;
    kifu_result result = kifu__payload_read(&buffer, &kifu__save_go_table, &way->reader->room, &read);
    if (!result)
        *go = *(const kifu__save_go *)read;
    return result;
}

// --- Which lines there are -------------------------------------------------------------------------------------------

// NULL: there is no such line.
static log_line *find_line(const way *way, uint32_t id)
{
    uint32_t low = 0, high = way->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (way->lines[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < way->count && way->lines[low].id == id ? &way->lines[low] : NULL;
}

static kifu_result add_line(way *way, const kifu__frame *frame, const kifu__save_line *line)
{
    const log_line added = {.id = line->id, .parent = line->parent, .from = line->from, .frame = *frame};
    const bool first = line->id == line->parent;
    if (first ? way->next != 1 : !find_line(way, line->parent))
        return refuse(way, frame, line->id, "branches off from events that are not there");
    log_line *lines = (log_line *)kifu__grow(&way->reader->timeline->memory, way->lines, &way->capacity,
                                             (uint64_t)way->count + 1, sizeof *lines);
    if (!lines)
        return no_memory(way, frame);
    way->lines = lines;
    way->count = first ? 0 : way->count; // The first line has another number than 0.
    lines[way->count++] = added;
    way->next = way->at = line->id;
    way->next++;
    return KIFU_OK;
}

static kifu_result see_line(way *way, const kifu__frame *frame)
{
    kifu__save_line line;
    kifu_result result = read_line(way, frame, &line);
    if (result)
        return result;
    if (!(line.flags & KIFU__LOGGED_LINE))
        return KIFU_OK;
    if (line.id == KIFU_NONE || line.next == KIFU_NONE || line.parent > line.id)
        return refuse(way, frame, line.id, "has a number that it cannot have");
    if (line.id >= way->next)
        result = add_line(way, frame, &line);
    log_line *known = find_line(way, line.id);
    if (known)
        known->deleted |= (line.flags & KIFU__DELETED_LINE) != 0;
    way->next = line.next > way->next ? line.next : way->next;
    return result;
}

static kifu_result see_frame(way *way, const kifu__frame *frame)
{
    kifu__save_go go;
    if (frame->kind == KIFU__FRAME_LINE)
        return see_line(way, frame);
    if (frame->kind != KIFU__FRAME_GO)
        return KIFU_OK;
    const kifu_result result = read_go(way, frame, &go);
    way->at = result ? way->at : go.line;
    return result;
}

// --- The way ---------------------------------------------------------------------------------------------------------

static kifu_result find_way(way *way, const kifu__frame *last)
{
    const kifu__memory *memory = &way->reader->timeline->memory;
    for (uint32_t id = way->at;;) {
        const log_line *line = find_line(way, id);
        if (!line || line->deleted)
            return refuse(way, last, id, "is needed for the current one, and is not there");
        uint32_t *ids = (uint32_t *)kifu__grow(memory, way->ids, &way->ids_room, (uint64_t)way->left + 1, sizeof *ids);
        if (!ids)
            return no_memory(way, last);
        way->ids = ids;
        ids[way->left++] = id;
        if (line->parent == id)
            break;
        id = line->parent;
    }
    way->left--; // The first line is there from the beginning.
    return KIFU_OK;
}

// Those that keep notes want to know the way; and how many lines are left out.
static kifu_result tell_way(way *way)
{
    kifu__reader *reader = way->reader;
    kifu_timeline *timeline = reader->timeline;
    kifu_result result = KIFU_OK;
    for (uint32_t i = 0; i <= way->left && !result && kifu__has_saved(timeline); i++) {
        const kifu__frame *frame = &find_line(way, way->ids[i])->frame;
        if (frame->payload)
            result = kifu__give_frame(reader, frame);
    }
    if (reader->left_out)
        reader->left_out->lines = 0;
    for (uint32_t i = 0; i < way->count && reader->left_out; i++) {
        log_line *line = &way->lines[i];
        line->deleted |= line->parent != line->id && find_line(way, line->parent)->deleted;
        reader->left_out->lines += !line->deleted;
    }
    return result;
}

// --- What happened on it ---------------------------------------------------------------------------------------------

// So many events are executed, of those that are there.
static kifu_result go_to(const way *way, const kifu__frame *frame, uint32_t line, uint32_t count)
{
    kifu__reader *reader = way->reader;
    kifu_timeline *timeline = reader->timeline;
    if (count < timeline->log.begin || count > timeline->log.branch->end)
        return refuse(way, frame, line, "has not so many events");
    if (!kifu__leave_place(timeline, count))
        return no_memory(way, frame);
    kifu__forget_snapshots(reader);
    kifu__arrive(timeline, count);
    return KIFU_OK;
}

static uint32_t line_of(const way *way)
{
    return way->ids[way->left];
}

// A line begins. If it is the next one on the way, all behind goes.
static kifu_result take_line(way *way, const kifu__frame *frame)
{
    kifu_timeline *timeline = way->reader->timeline;
    kifu__save_line line;
    kifu_result result = read_line(way, frame, &line);
    if (result || !(line.flags & KIFU__LOGGED_LINE))
        return result;
    const bool fresh = line.id >= way->next;
    way->next = fresh ? line.id + 1 : way->next;
    way->next = line.next > way->next ? line.next : way->next;
    if (fresh)
        way->at = line.id;
    if (!fresh || !way->left || line.id != way->ids[way->left - 1])
        return KIFU_OK;
    result = go_to(way, frame, line.id, line.from);
    if (!result)
        kifu__redo_drop(timeline);
    way->left--;
    return result;
}

static kifu_result take_frame(way *way, const kifu__frame *frame)
{
    kifu__reader *reader = way->reader;
    kifu__save_go go;
    const bool here = way->at == line_of(way);
    kifu_result result = kifu__tell_read(reader, frame->offset);
    if (result)
        return result;
    switch (frame->kind) {
    case KIFU__FRAME_LINE:
        return take_line(way, frame);
    case KIFU__FRAME_GO:
        result = read_go(way, frame, &go);
        way->at = result ? way->at : go.line;
        if (result || way->at != line_of(way))
            return result;
        if (!here) // What waits by its place is told again.
            kifu__free_kept(&reader->timeline->log.branch->kept, &reader->timeline->memory);
        return go_to(way, frame, go.line, go.count);
    case KIFU__FRAME_SEGMENT:
    case KIFU__FRAME_SNAPSHOT:
    case KIFU__FRAME_REWIND:
    case KIFU__FRAME_PENDING:
    case KIFU__FRAME_CHECKPOINTS:
    case KIFU__FRAME_PACKED:
    case KIFU__FRAME_PROPOSALS:
        return here ? kifu__take_frame(reader, frame) : KIFU_OK;
    case KIFU__FRAME_APPEND:
        return here ? kifu__take_frame(reader, frame) : kifu__skip_append(reader, frame);
    default:
        return kifu__take_frame(reader, frame);
    }
}

// --- The file --------------------------------------------------------------------------------------------------------

// Its checksums are right: they were verified when its end was found.
static kifu_result each_frame(way *way, kifu_result (*take)(struct way *way, const kifu__frame *frame),
                              kifu__frame *last)
{
    kifu__reader *reader = way->reader;
    const kifu__file *file = &reader->loaded->file;
    kifu_result result = KIFU_OK;
    for (uint64_t offset = KIFU__FILE_HEAD; offset < reader->end && !reader->ended && !result;) {
        result = kifu__read_frame(file->bytes, file->size, &offset, last, reader->error);
        if (!result)
            result = take(way, last);
    }
    return result;
}

kifu_result kifu__read_way(kifu__reader *reader)
{
    const kifu__memory *memory = &reader->timeline->memory;
    way way = {.reader = reader, .next = 1};
    kifu__frame last = {.offset = 0};
    kifu_result result = add_line(&way, &(kifu__frame){.kind = KIFU__FRAME_LINE}, &(kifu__save_line){.id = 0});
    if (!result)
        result = each_frame(&way, see_frame, &last);
    if (!result)
        result = find_way(&way, &last);
    if (!result)
        result = tell_way(&way);
    way.next = 1;
    way.at = result ? 0 : line_of(&way);
    if (!result)
        result = each_frame(&way, take_frame, &last);
    if (!result && (way.left || way.at != line_of(&way)))
        result = refuse(&way, &last, way.at, "is not on the way to the current one");
    kifu__free(memory, way.lines);
    kifu__free(memory, way.ids);
    return result;
}
