// Lines, in log files. Going to a line is what kifu_go_to does, but that nothing is executed.

#include <inttypes.h>

#include "core/stand.h"
#include "save/line_frames.h"
#include "save/reader.h"
#include "wire/table.h"

static kifu_result refuse(const kifu__reader *reader, const kifu__frame *frame, uint32_t line, const char *why)
{
    return kifu__damaged(reader->error, frame->offset, "line %" PRIu32 " of the log file, at byte %" PRIu64 ", %s",
                         line, frame->offset, why);
}

static kifu_result no_memory(const kifu__reader *reader, const kifu__frame *frame)
{
    return kifu__not_loaded(reader->error, frame->offset, KIFU_NO_MEMORY);
}

// The events of the current line that lie in the file become the timeline's own: only those of the line where it ends
// may need the file.
static kifu_result own_events(kifu__reader *reader, const kifu__frame *frame)
{
    kifu__branch *branch = reader->timeline->log.branch;
    for (uint32_t i = 0; i < branch->segment_count; i++) {
        const kifu_result result = kifu__own_segment(reader, frame, &branch->segments[i]);
        if (result)
            return result;
    }
    kifu__log_close_gap(&reader->timeline->log, branch, 0, 0);
    return KIFU_OK;
}

// --- Going -----------------------------------------------------------------------------------------------------------

static bool is_line(const kifu__lines *lines, uint32_t id)
{
    return id < lines->count && !lines->items[id].deleted;
}

// Whether it and all its ancestors are there.
static bool has_way(const kifu__lines *lines, uint32_t id)
{
    while (is_line(lines, id) && lines->items[id].parent != id)
        id = lines->items[id].parent;
    return is_line(lines, id);
}

kifu_result kifu__require_shared(const kifu__reader *reader, const kifu__frame *frame)
{
    const kifu__lines *lines = kifu__lines_of(reader->timeline);
    const uint32_t current = lines->current, cut = reader->timeline->log.branch->unchanged;
    bool good = cut >= lines->items[current].from || lines->items[current].parent == current;
    for (uint32_t id = current + 1; id < lines->count && good && cut != KIFU_NONE; id++) {
        const kifu__line *line = &lines->items[id];
        good = line->deleted || line->parent != current || line->from <= cut;
    }
    return good ? KIFU_OK : refuse(reader, frame, current, "replaces events that another line has");
}

static kifu_result go(kifu__reader *reader, const kifu__frame *frame, uint32_t to, uint32_t count)
{
    kifu_timeline *timeline = reader->timeline;
    kifu__lines *lines = kifu__lines_of(timeline);
    const uint32_t old = lines->current, left = timeline->executed;
    if (!has_way(lines, to) || count < timeline->log.begin || count > kifu__line_end(&lines->items[to]))
        return refuse(reader, frame, to, "has not so many events, or is not there");
    kifu_result result = kifu__require_shared(reader, frame);
    if (!result)
        result = own_events(reader, frame);
    if (result)
        return result;
    const uint32_t shared = kifu__common(timeline->log.branch, lines->items[to].branch);
    const uint32_t least = count < shared ? count : shared;
    if (!kifu__leave_place(timeline, least))
        return no_memory(reader, frame);
    kifu__forget_snapshots(reader);
    kifu__enter(timeline, lines->items[to].branch);
    lines->items[old].left = left;
    kifu__arrive(timeline, count);
    timeline->log.branch->unchanged = KIFU_NONE;
    return KIFU_OK;
}

kifu_result kifu__take_switch(kifu__reader *reader, const kifu__frame *frame, const kifu__save_go *fields)
{
    return go(reader, frame, fields->line, fields->count);
}

// --- Lines -----------------------------------------------------------------------------------------------------------

// The first line has another number than 0.
static void renumber(kifu_timeline *timeline, kifu__lines *lines, uint32_t id)
{
    lines->items[id] = lines->items[0];
    lines->items[id].parent = id;
    lines->items[id].from = timeline->log.begin;
    lines->items[id].deleted = false;
    lines->items[id].branch->number = id;
    lines->items[0] = (kifu__line){.deleted = true};
    lines->current = lines->main = id;
}

static kifu_result begin(kifu__reader *reader, const kifu__frame *frame, const kifu__save_line *fields)
{
    const uint32_t id = fields->id, parent = fields->parent, from = fields->from;
    kifu_timeline *timeline = reader->timeline;
    kifu__lines *lines = kifu__lines_of(timeline);
    const bool first = id == parent && lines->count == 1 && timeline->log.branch->end == timeline->log.begin;
    if (!first && (!is_line(lines, parent) || from < lines->items[parent].from ||
                   (from == lines->items[parent].from && lines->items[parent].parent != parent)))
        return refuse(reader, frame, id, "branches off from events that are not there");
    kifu_result result = first ? KIFU_OK : go(reader, frame, parent, from);
    if (result)
        return result;
    if (!kifu__lines_reach(timeline, lines, id))
        return no_memory(reader, frame);
    if (first) {
        renumber(timeline, lines, id);
        return KIFU_OK;
    }
    kifu__branch *branch = kifu__branch_new(timeline, id, from);
    if (!branch)
        return no_memory(reader, frame);
    kifu__branch_begin(branch, timeline->log.branch, from);
    lines->items[id] = (kifu__line){.branch = branch, .parent = parent, .from = from};
    kifu__enter(timeline, branch);
    return KIFU_OK;
}

static kifu_result delete_line(kifu__reader *reader, const kifu__frame *frame, kifu__lines *lines, uint32_t id)
{
    kifu_timeline *timeline = reader->timeline;
    for (uint32_t each = lines->current; each >= id; each = lines->items[each].parent) {
        if (each == id)
            return refuse(reader, frame, id, "is deleted, and the current line needs it");
        if (lines->items[each].parent == each)
            break;
    }
    kifu__line_lose(timeline, lines, id);
    return KIFU_OK;
}

kifu_result kifu__take_logged_line(kifu__reader *reader, const kifu__frame *frame, const kifu__save_line *read)
{
    kifu_timeline *timeline = reader->timeline;
    kifu__lines *lines = kifu__lines_of(timeline);
    const kifu__save_line fields = *read;
    if (fields.id == KIFU_NONE || fields.next == KIFU_NONE || fields.parent > fields.id)
        return refuse(reader, frame, fields.id, "has a number that it cannot have");
    const bool known = fields.id < lines->count;
    if (known && lines->items[fields.id].deleted)
        return refuse(reader, frame, fields.id, "was deleted");
    kifu_result result = known ? KIFU_OK : begin(reader, frame, &fields);
    if (!result && fields.flags & KIFU__DELETED_LINE)
        result = delete_line(reader, frame, lines, fields.id);
    else if (!result && fields.flags & KIFU__MAIN_LINE)
        lines->main = fields.id;
    else if (!result && fields.flags & KIFU__LEFT_LINE && fields.left <= kifu__line_end(&lines->items[fields.id]) &&
             fields.left >= timeline->log.begin)
        lines->items[fields.id].left = fields.left;
    if (!result && fields.next > lines->count && !kifu__lines_reach(timeline, lines, fields.next - 1))
        result = no_memory(reader, frame);
    return result;
}

// --- The end ---------------------------------------------------------------------------------------------------------

// Nothing of it was executed: its hashes are compared when it is entered.
static void end_line(kifu__reader *reader, kifu__lines *lines, uint32_t id)
{
    kifu__line *line = &lines->items[id];
    line->unchecked = id != lines->current;
    line->comparable = reader->comparable && !reader->allows;
    line->fingerprint = reader->header->fingerprint;
    line->rules_version = reader->header->rules_version;
    if (!line->comparable)
        line->branch->checkpoint_count = kifu__checkpoints_up_to(line->branch, kifu__line_at(lines, id));
}

// Events of the current line were dropped, from which others may branch off.
static void cut_current(kifu_timeline *timeline, kifu__lines *lines)
{
    for (uint32_t id = lines->current + 1; id < lines->count; id++) {
        const kifu__line *line = &lines->items[id];
        if (!line->deleted && line->parent == lines->current && line->from > timeline->log.branch->end)
            kifu__line_delete(timeline, lines, id);
    }
    timeline->log.branch->unchanged = KIFU_NONE;
}

kifu_result kifu__end_logged_lines(kifu__reader *reader)
{
    kifu_timeline *timeline = reader->timeline;
    kifu__lines *lines = kifu__lines_of(timeline);
    if (reader->half && timeline->executed < lines->items[lines->current].from) { // Those of an ancestor were, too.
        const kifu_result lost = kifu__lose_lines(reader, lines);
        kifu__redo_drop(timeline);
        return lost;
    }
    if (reader->half)
        cut_current(timeline, lines);
    const kifu__frame end = {.offset = reader->end};
    const kifu_result result = kifu__require_shared(reader, &end);
    if (result)
        return result;
    for (uint32_t id = 0; id < lines->count; id++) {
        const kifu__line *line = &lines->items[id];
        if (!line->deleted && line->parent != id && lines->items[line->parent].deleted)
            kifu__line_lose(timeline, lines, id);
        if (!line->deleted)
            end_line(reader, lines, id);
    }
    for (uint32_t id = 0; id < lines->count; id++)
        lines->items[id].touched = false;
    lines->touched = 0;
    while (lines->items[lines->main].deleted && lines->main)
        lines->main = lines->items[lines->main].parent;
    kifu__lines_list(lines);
    lines->before_last = lines->items[lines->current].parent;
    if (timeline->consequences.count && lines->current && lines->current + 1 == lines->count)
        kifu__line_begun(timeline);
    return KIFU_OK;
}
