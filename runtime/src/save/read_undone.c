// What waits in the lines of a log file but the current one. The frames of a line do to it what those of the current
// one do to the timeline, which has the line's events meanwhile.

#include "save/line_frames.h"

#include <inttypes.h>

static kifu_result refuse(const kifu__reader *reader, uint64_t offset, uint32_t line, const char *why)
{
    return kifu__damaged(reader->error, offset, "line %" PRIu32 " of the log file, at byte %" PRIu64 ", %s", line,
                         offset, why);
}

// Takes what waits in a branch behind a place.
static kifu__kept *take_kept(kifu__branch *branch, uint32_t place)
{
    kifu__kept **link = &branch->kept, *kept = *link;
    while (*link && (*link)->executed > place)
        link = &(*link)->next;
    branch->kept = *link;
    *link = NULL;
    return kept == branch->kept ? NULL : kept;
}

// Where what waits in the line begins, of which it is told.
static uint32_t place_of(const kifu_timeline *timeline, const kifu__line_frames *frames)
{
    return kifu__line_at(kifu__lines_of(timeline), frames->line);
}

static void end(kifu_timeline *timeline, kifu__line_frames *frames)
{
    kifu__free_kept(&frames->waited, &timeline->memory);
    kifu__standing_free(&frames->waits, &timeline->memory);
    frames->waits = (kifu__standing){.parts = NULL};
    frames->side.branch = NULL; // It is the line's.
    kifu__side_free(timeline, &frames->side);
    frames->undone = false;
}

void kifu__drop_undone(kifu_timeline *timeline, kifu__line_frames *frames)
{
    if (!frames->undone)
        return;
    kifu__branch *branch = frames->side.branch;
    kifu__kept *told = take_kept(branch, place_of(timeline, frames)), **last = &frames->waited;
    kifu__free_kept(&told, &timeline->memory);
    while (*last)
        last = &(*last)->next;
    *last = branch->kept;
    branch->kept = frames->waited;
    frames->waited = NULL;
    end(timeline, frames);
}

kifu_result kifu__begin_undone(kifu__reader *reader, kifu__line_frames *frames, const kifu__frame *frame, uint32_t line)
{
    const kifu__lines *lines = kifu__lines_of(reader->timeline);
    const kifu__line *of = &lines->items[line];
    if (line == lines->current || of->deleted)
        return refuse(reader, frame->offset, line, "is told of as if it was not the current one, or is not there");
    const kifu_result result = kifu__require_shared(reader, frame);
    if (result)
        return result;
    frames->line = line;
    frames->offset = frame->offset;
    frames->side.branch = of->branch;
    frames->side.begin = reader->timeline->log.begin;
    frames->side.executed = kifu__line_end(of);
    frames->waited = take_kept(of->branch, place_of(reader->timeline, frames));
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
    if (!result && frames->side.executed < place_of(timeline, frames))
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
    const uint32_t place = place_of(timeline, frames);
    bool good = change_places(timeline, frames, &frames->kept, &frames->waits, true);
    good = good && kifu__leave_place(timeline, place);
    good = change_places(timeline, frames, &frames->waits, &frames->kept, good);
    end(timeline, frames);
    return good ? KIFU_OK : kifu__not_loaded(reader->error, frames->offset, KIFU_NO_MEMORY);
}
