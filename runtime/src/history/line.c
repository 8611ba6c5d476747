// A line: which of its events are in the log, and which are set aside.
//
// A redo, a transaction's tail and a line are one mechanism: events behind the executed ones, with what waits there.
// The current line has its own in the log and in `timeline->kept`. A line and its parent share the events before
// `from`; to switch from one to the other, the events from there on change places (way.c), and what waits behind that
// place.

#include "history/lines.h"

const kifu__segment *kifu__line_segment(const kifu_timeline *timeline, const kifu__line *line, uint32_t index,
                                        uint32_t *slot)
{
    if (line->deleted || index < line->from || index >= kifu__line_end(timeline, line))
        return NULL;
    const kifu__segment *segment = &line->shared;
    if (!line->split || index < line->at) {
        // In a search, the log goes on with events of no line.
        if (index >= (timeline->searching ? timeline->journal.keep_from : timeline->log.event_count))
            return NULL;
        segment = kifu__log_segment_of(&timeline->log, index);
    } else {
        if (line->tail.segment_count && line->tail.segments[0].first <= index)
            segment = kifu__segment_with(line->tail.segments, line->tail.segment_count, index);
    }
    *slot = index - segment->first;
    return segment;
}

// --- Setting aside ---------------------------------------------------------------------------------------------------

static void take_hashes(kifu_timeline *timeline, uint32_t at, kifu__line *line)
{
    const uint32_t first = kifu__checkpoints_up_to(timeline, at), count = timeline->checkpoint_count - first;
    line->hashes = count ? (kifu__checkpoint *)kifu__new(&timeline->memory, count * sizeof *line->hashes) : NULL;
    line->hash_count = line->hashes ? count : 0; // Fewer hashes show less.
    if (line->hashes)
        memcpy(line->hashes, &timeline->checkpoints[first], count * sizeof *line->hashes);
    kifu__drop_records(timeline, at);
}

static void give_hashes(kifu_timeline *timeline, kifu__line *line)
{
    for (uint32_t i = 0; i < line->hash_count; i++)
        kifu__add_checkpoint(timeline, line->hashes[i].event_count, line->hashes[i].hash);
    kifu__free(&timeline->memory, line->hashes);
    line->hashes = NULL;
    line->hash_count = 0;
}

bool kifu__line_set_aside(kifu_timeline *timeline, kifu__line *line, uint32_t at)
{
    const uint32_t end = line->tail.event_count; // When it was brought back.
    kifu__tell_notes(timeline, settle(timeline));
    if (!kifu__log_set_aside(&timeline->log, at, &line->tail))
        return false;
    line->kept = kifu__cut_kept(timeline, at);
    line->split = true;
    line->at = at;
    line->tip_hash = line->unchecked && line->tail.event_count == end ? line->tip_hash : 0;
    line->tip_sought = false;
    line->digest = 0;
    take_hashes(timeline, at, line);
    line->shared = (kifu__segment){0};
    if (timeline->log.segment_count) { // Nothing is appended to it: several lines may go on from there.
        kifu__segment *last = &timeline->log.segments[timeline->log.segment_count - 1];
        line->shared = *last;
        last->closed = true;
        timeline->log.open = NULL;
    }
    return true;
}

void kifu__line_bring_back(kifu_timeline *timeline, kifu__line *line)
{
    kifu__log_bring_back(&timeline->log, line->at, &line->tail);
    kifu__tell_notes(timeline, ignore(timeline));
    kifu__join_kept(timeline, &line->kept);
    line->split = false;
    give_hashes(timeline, line);
}

void kifu__line_free(kifu_timeline *timeline, kifu__line *line)
{
    kifu__log_tail_free(&timeline->log, &line->tail);
    kifu__free_kept(&line->kept, &timeline->memory);
    kifu__free(&timeline->memory, line->hashes);
    line->hashes = NULL;
    line->hash_count = 0;
}
