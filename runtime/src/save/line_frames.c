// The part of a timeline that has its lines in saves, and the end of a load: when all lines are there, one of them
// becomes the current one.

#include "save/assemble.h"
#include "save/line_frames.h"

#include <inttypes.h>

// --- The end of a load -----------------------------------------------------------------------------------------------

// A file that was cut off may lack lines on the way from the current one to line 0, which then branches off from that.
static kifu_result end_way(kifu__reader *reader, kifu__line_frames *frames, kifu__lines *lines)
{
    if (!frames->up)
        return KIFU_OK;
    if (reader->ended)
        return kifu__damaged(reader->error, reader->loaded->file.size,
                             "the save has no line %" PRIu32 ", from which the current one branches off",
                             frames->next_up);
    uint32_t id = frames->current;
    while (lines->items[id].parent != frames->next_up)
        id = lines->items[id].parent;
    lines->items[id].parent = 0;
    lines->items[0] = (kifu__line){.from = reader->timeline->log.begin, .known = true, .left = frames->next_at};
    return KIFU_OK;
}

kifu_result kifu__lose_lines(kifu__reader *reader, kifu__lines *lines)
{
    kifu_timeline *timeline = reader->timeline;
    for (uint32_t id = 0; id < lines->count; id++) {
        if (lines->items[id].known && reader->left_out)
            reader->left_out->lines++;
    }
    return kifu__flatten(timeline, lines) ? KIFU_OK : kifu__not_loaded(reader->error, UINT64_MAX, KIFU_NO_MEMORY);
}

static void settle_lines(kifu_timeline *timeline, const kifu__line_frames *frames, kifu__lines *lines)
{
    lines->items[lines->current].unchecked = false;
    while (lines->items[lines->main].deleted && lines->main)
        lines->main = lines->items[lines->main].parent;
    if (lines->items[lines->main].deleted)
        lines->main = lines->listed[0];
    if (!frames->beginning)
        return;
    const uint32_t fresh = lines->count - 1;
    if (lines->before_last == fresh || lines->items[lines->before_last].deleted)
        lines->before_last = lines->items[fresh].parent;
    kifu__line_begun(timeline);
}

static kifu_result end_lines(kifu__reader *reader, kifu__line_frames *frames)
{
    kifu_timeline *timeline = reader->timeline;
    kifu__lines *lines = kifu__lines_of(timeline);
    const uint32_t events = timeline->log.branch->end;
    if (!frames->begun) {
        lines->items[0].from = timeline->log.begin;
        return KIFU_OK;
    }
    kifu__line *line = &lines->items[frames->current];
    if (reader->half) // Events of the current line were dropped, from which others may branch off.
        return kifu__lose_lines(reader, lines);
    if (line->from < timeline->log.begin || line->from > events || events - line->from != frames->count)
        return kifu__damaged(reader->error, reader->loaded->file.size,
                             "the current line of the save, line %" PRIu32 ", has %" PRIu32 " events after %" PRIu32
                             ", and not %" PRIu32,
                             frames->current, events - line->from, line->from, frames->count);
    for (uint32_t id = 0; id < lines->count; id++) {
        if (lines->items[id].known && lines->items[id].parent == frames->current && lines->items[id].from > events)
            return kifu__damaged(reader->error, reader->loaded->file.size,
                                 "line %" PRIu32 " of the save branches off behind the current line's end", id);
    }
    kifu_result result = end_way(reader, frames, lines);
    if (!result && (result = kifu__assemble(timeline, lines, frames->current)) != KIFU_OK)
        return kifu__not_loaded(reader->error, UINT64_MAX, result);
    if (!result)
        settle_lines(timeline, frames, lines);
    return result;
}

// All frames were read.
static kifu_result end(kifu__reader *reader, kifu__line_frames *frames)
{
    kifu_timeline *timeline = reader->timeline;
    if (reader->commits.begun) {
        kifu__end_line_records(reader);
        return KIFU_OK;
    }
    const kifu_result result = kifu__end_line(reader, frames);
    kifu__standing_free(&frames->kept, &timeline->memory);
    frames->kept = (kifu__standing){.parts = NULL};
    return result ? result : end_lines(reader, frames);
}

// --- Frames ----------------------------------------------------------------------------------------------------------

static bool is_inside(uint32_t kind)
{
    switch (kind - KIFU__OF_LINE) {
    case KIFU__FRAME_SEGMENT:
    case KIFU__FRAME_REWIND:
    case KIFU__FRAME_PENDING:
    case KIFU__FRAME_CHECKPOINTS:
    case KIFU__FRAME_PROPOSALS:
        return true;
    default:
        return false;
    }
}

static kifu_result take(kifu__reader *reader, kifu__part *part, const kifu__frame *frame, bool *taken)
{
    kifu__line_frames *frames = (kifu__line_frames *)(void *)part;
    if (!frame)
        return end(reader, frames);
    const bool begins = frame->kind == KIFU__FRAME_LINE;
    if (!begins && !is_inside(frame->kind))
        return KIFU_OK;
    *taken = true;
    if (!begins)
        return kifu__take_of_line(reader, frames, frame);
    const kifu_result result = kifu__end_line(reader, frames);
    return result ? result : kifu__take_line(reader, frames, frame);
}

// --- The part --------------------------------------------------------------------------------------------------------

static void freed(kifu_timeline *timeline, kifu__part *part)
{
    kifu__line_frames *frames = (kifu__line_frames *)(void *)part;
    kifu__side_free(timeline, &frames->side);
    kifu__standing_free(&frames->kept, &timeline->memory);
}

kifu_result kifu_keep_variations(kifu_timeline *timeline)
{
    static const kifu__saved saved = {.plan = kifu__plan_lines,
                                      .take = take,
                                      .branch = kifu__line_branch,
                                      .record = kifu__line_record,
                                      .follow = kifu__follow_lines,
                                      .followed = kifu__lines_followed};
    static const kifu__part_table table = {
        .size = sizeof(kifu__line_frames), .order = KIFU__LINES, .freed = freed, .saved = &saved};
    if (!kifu__attach(timeline, &table))
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for variations");
    return kifu__lines_begin(timeline);
}
