// What waits in the lines of a log file but the current one. The frames of a line do to it what those of the current
// one do to the timeline, which has the line's events meanwhile.

#include "save/line_frames.h"

#include <inttypes.h>

static kifu_result refuse(const kifu__reader *reader, uint64_t offset, uint32_t line, const char *why)
{
    return kifu__damaged(reader->error, offset, "line %" PRIu32 " of the log file, at byte %" PRIu64 ", %s", line,
                         offset, why);
}

// The line's events from where they are set aside on: its segments stay its own.
static bool lend_events(kifu_timeline *timeline, const kifu__line *line, kifu__log *log)
{
    *log = (kifu__log){.memory = timeline->log.memory,
                       .rules = timeline->rules,
                       .begin = timeline->log.begin,
                       .event_count = line->tail.event_count};
    log->segments =
        (kifu__segment *)kifu__new(&timeline->memory, (line->tail.segment_count + (size_t)1) * sizeof *log->segments);
    if (!log->segments)
        return false;
    if (line->shared.first + line->tail.last_count > line->at) {
        log->segments[0] = line->shared;
        log->segments[log->segment_count++].count = line->tail.last_count;
    }
    for (uint32_t i = 0; i < line->tail.segment_count; i++)
        log->segments[log->segment_count++] = line->tail.segments[i];
    return true;
}

void kifu__drop_undone(kifu_timeline *timeline, kifu__line_frames *frames)
{
    kifu__standing_free(&frames->waits, &timeline->memory);
    frames->waits = (kifu__standing){.parts = NULL};
    if (!frames->undone)
        return;
    frames->undone = false;
    kifu__free(&timeline->memory, frames->side.log.segments);
    frames->side.log.segments = NULL;
    frames->side.log.segment_count = 0;
    kifu__side_free(timeline, &frames->side);
}

kifu_result kifu__begin_undone(kifu__reader *reader, kifu__line_frames *frames, const kifu__frame *frame, uint32_t line)
{
    kifu_timeline *timeline = reader->timeline;
    const kifu__lines *lines = kifu__lines_of(timeline);
    const kifu__line *of = &lines->items[line];
    if (line == lines->current || of->deleted || !of->split)
        return refuse(reader, frame->offset, line, "is told of as if it was not the current one, or is not there");
    const kifu_result result = kifu__require_shared(reader, frame);
    if (result)
        return result;
    frames->line = line;
    frames->offset = frame->offset;
    if (!lend_events(timeline, of, &frames->side.log))
        return kifu__not_loaded(reader->error, frame->offset, KIFU_NO_MEMORY);
    frames->side.executed = of->tail.event_count;
    frames->undone = true;
    return KIFU_OK;
}

// The timeline has what is of the line, or its own again. `good`: so far, there was memory; returns whether there still
// is.
static bool change_places(kifu_timeline *timeline, kifu__line_frames *frames, kifu__standing *own,
                          const kifu__standing *other, bool good)
{
    good = good && kifu__keep(timeline, own);
    kifu__swap_side(timeline, &frames->side);
    if (good)
        kifu__bring_back(timeline, other);
    return good;
}

kifu_result kifu__take_undone(kifu__reader *reader, kifu__line_frames *frames, const kifu__frame *frame)
{
    kifu_timeline *timeline = reader->timeline;
    const uint32_t snapshots = reader->snapshot_count;
    kifu__frame inner = *frame;
    inner.kind -= KIFU__OF_LINE;
    if (inner.kind == KIFU__FRAME_SEGMENT || inner.kind == KIFU__FRAME_CHECKPOINTS)
        return refuse(reader, frame->offset, frames->line, "has events in a frame of its own");
    kifu_result result = kifu__require_shared(reader, frame);
    if (result)
        return result;
    reader->snapshot_count = 0;
    bool good = change_places(timeline, frames, &frames->kept, &frames->waits, true);
    result = good ? kifu__take_frame(reader, &inner) : KIFU_OK;
    good = change_places(timeline, frames, &frames->waits, &frames->kept, good);
    reader->snapshot_count = snapshots;
    if (!good)
        return kifu__not_loaded(reader->error, frame->offset, KIFU_NO_MEMORY);
    if (!result && frames->side.executed < kifu__lines_of(timeline)->items[frames->line].at)
        result = refuse(reader, frame->offset, frames->line, "is undone to before its own events");
    return result;
}

kifu_result kifu__end_undone(kifu__reader *reader, kifu__line_frames *frames)
{
    kifu_timeline *timeline = reader->timeline;
    if (!frames->undone)
        return KIFU_OK;
    const kifu_result result = kifu__require_shared(reader, &(kifu__frame){.offset = frames->offset});
    if (result)
        return result;
    kifu__line *line = &kifu__lines_of(timeline)->items[frames->line];
    bool good = change_places(timeline, frames, &frames->kept, &frames->waits, true);
    good = good && kifu__leave_place(timeline, line->at);
    if (good) {
        kifu__free_kept(&line->kept, &timeline->memory);
        line->kept = kifu__cut_kept(timeline, line->at);
    }
    good = change_places(timeline, frames, &frames->waits, &frames->kept, good);
    kifu__drop_undone(timeline, frames);
    return good ? KIFU_OK : kifu__not_loaded(reader->error, frames->offset, KIFU_NO_MEMORY);
}
