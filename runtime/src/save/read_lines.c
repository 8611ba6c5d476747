// Lines, in loads. The frames of a line do to it what those of the current one do to the timeline. So while one of them
// is read, the timeline has the line's events and what waits there, and then its own again.
//
// No line but the current one is executed by a load, which remembers of each by which schema and rules its hashes were
// found. When a line is first entered, it is executed beside the game (history/check_line.c).
//
// A line that cannot be read is left out: it could be neither shown nor played, and its file still has it.

#include "save/line_frames.h"

#include <inttypes.h>

void kifu__side_free(kifu_timeline *timeline, kifu__side *side)
{
    const kifu__memory *memory = &timeline->memory;
    if (side->branch)
        kifu__branch_free(timeline, side->branch);
    kifu__free(memory, side->branch);
    kifu__queue_free(&side->consequences, memory);
    kifu__queue_free(&side->inputs, memory);
    *side = (kifu__side){.branch = NULL};
}

void kifu__swap_side(kifu_timeline *timeline, kifu__side *side)
{
    const kifu__side other = *side;
    *side = (kifu__side){
        .branch = timeline->log.branch,
        .begin = timeline->log.begin,
        .executed = timeline->executed,
        .consequences = timeline->consequences,
        .inputs = timeline->inputs,
    };
    kifu__log_enter(&timeline->log, other.branch);
    timeline->log.begin = other.begin;
    timeline->executed = other.executed;
    timeline->consequences = other.consequences;
    timeline->inputs = other.inputs;
}

bool kifu__leave_place(kifu_timeline *timeline, uint32_t back)
{
    if (timeline->executed <= back)
        return true;
    const bool good = kifu__put_away(timeline);
    timeline->executed = back;
    return good;
}

// --- The end of a line -----------------------------------------------------------------------------------------------

// What was read becomes the line's.
static void keep_line(kifu_timeline *timeline, kifu__line_frames *frames, kifu__line *line)
{
    kifu__branch *branch = frames->side.branch;
    frames->side.branch = NULL;
    line->branch = branch;
    line->at = branch->from;
    line->deleted = false;
    kifu__drop_kept_up_to(timeline, branch, branch->from);
    if (!line->comparable)
        branch->checkpoint_count = 0;
}

// Where the line cannot be read, one on the way from the current line to line 0 stays, with the events that it shares.
static void lose_line(kifu_timeline *timeline, kifu__line_frames *frames, kifu__line *line)
{
    kifu__branch_free(timeline, frames->side.branch);
    keep_line(timeline, frames, line);
    line->left = line->at;
    line->cut = true;
    line->deleted = !frames->on_way;
}

// The frames of the line named last are all there. What is left of its side is freed in any case.
kifu_result kifu__end_line(kifu__reader *reader, kifu__line_frames *frames)
{
    kifu_timeline *timeline = reader->timeline;
    kifu__line *line = &kifu__lines_of(timeline)->items[frames->place];
    kifu_result result = KIFU_OK;
    if (!frames->open)
        return KIFU_OK;
    frames->open = false;
    const uint32_t end = frames->side.branch->end;
    if (frames->lost)
        lose_line(timeline, frames, line);
    else if (end - line->from != frames->line_count)
        result =
            kifu__damaged(reader->error, frames->offset,
                          "line %" PRIu32 " of the save, at byte %" PRIu64 ", has %" PRIu32 " events, and not %" PRIu32,
                          frames->line, frames->offset, end - line->from, frames->line_count);
    else if (frames->left > end)
        result = kifu__damaged(reader->error, frames->offset,
                               "line %" PRIu32 " of the save, at byte %" PRIu64 ", was left behind its end",
                               frames->line, frames->offset);
    else {
        const uint32_t executed = frames->side.executed;
        line->left = frames->left > executed ? frames->left : executed;
        kifu__swap_side(timeline, &frames->side);
        const bool good = kifu__leave_place(timeline, frames->from);
        kifu__swap_side(timeline, &frames->side);
        if (good)
            keep_line(timeline, frames, line);
        else
            result = kifu__not_loaded(reader->error, frames->offset, KIFU_NO_MEMORY);
    }
    kifu__bring_back(timeline, &frames->kept);
    kifu__side_free(timeline, &frames->side);
    return result;
}

// --- The beginning of a line -----------------------------------------------------------------------------------------

static kifu_result refuse(const kifu__reader *reader, const kifu__frame *frame, uint32_t line, const char *why)
{
    return kifu__damaged(reader->error, frame->offset, "line %" PRIu32 " of the save, at byte %" PRIu64 ", %s", line,
                         frame->offset, why);
}

// What is wrong with it; NULL: nothing.
static const char *find_fault(const kifu__reader *reader, const kifu__line_frames *frames,
                              const kifu__save_line *fields, const kifu__lines *lines)
{
    const uint32_t parent = fields->parent, id = fields->id;
    const bool up = !frames->begun || (frames->up && id == frames->next_up); // on the way from the current one
    const kifu__line *above = parent < lines->count ? &lines->items[parent] : NULL;
    if (id == KIFU_NONE || fields->next == KIFU_NONE)
        return "has a number that no line can have";
    if (parent > id)
        return "branches off from a line that was begun after it";
    if (frames->begun && (id == frames->current || (id < lines->count && lines->items[id].known)))
        return "is there twice";
    if (!frames->begun && fields->from > reader->timeline->log.branch->end)
        return "begins behind its end";
    if (frames->begun && frames->up && !up)
        return "stands in the place of the one from which the line before it branches off";
    if (id == parent && (!up || fields->from != reader->timeline->log.begin))
        return "is the first one, and does not begin where the game does";
    if (up && frames->begun && (id == parent ? fields->from > frames->next_at : fields->from >= frames->next_at))
        return "begins behind the place where another one branches off";
    if (!up && (!above || !above->known))
        return "branches off from a line that is not there";
    if (!up && (parent == above->parent ? fields->from < above->from : fields->from <= above->from))
        return "branches off from events that its parent does not have";
    return NULL;
}

// The current line is there already. Its number and place are new.
static void begin_current(kifu__line_frames *frames, const kifu__save_line *fields)
{
    frames->begun = true;
    frames->current = fields->id;
    frames->count = fields->count;
    frames->up = fields->id != fields->parent;
    frames->next_up = fields->parent;
    frames->next_at = fields->from;
}

static bool is_comparable(const kifu__reader *reader, const kifu__save_line *fields)
{
    const kifu_rules *rules = reader->timeline->rules;
    const kifu__save_header *header = reader->header;
    if (reader->allows)
        return false;
    if (fields->fingerprint == header->fingerprint && fields->rules_version == header->rules_version)
        return reader->comparable;
    return fields->fingerprint == rules->fingerprint && fields->rules_version == rules->rules_version;
}

static void count_lost(kifu__reader *reader, const kifu_error *why)
{
    if (!reader->left_out)
        return;
    if (!reader->left_out->lines++ && why)
        reader->left_out->why = *why;
}

kifu_result kifu__open_line(kifu__reader *reader, kifu__line_frames *frames, const kifu__frame *frame,
                            const kifu__save_line *fields, uint32_t place, uint32_t from)
{
    kifu_timeline *timeline = reader->timeline;
    if (!kifu__keep(timeline, &frames->kept))
        return kifu__not_loaded(reader->error, frame->offset, KIFU_NO_MEMORY);
    if (kifu__hears(timeline, clears))
        timeline->tell->clear(timeline);
    frames->side.branch = kifu__branch_new(timeline, place, from);
    if (!frames->side.branch)
        return kifu__not_loaded(reader->error, frame->offset, KIFU_NO_MEMORY);
    frames->side.begin = timeline->log.begin;
    frames->side.executed = frames->from = from;
    frames->open = true;
    frames->line = fields->id;
    frames->place = place;
    frames->line_count = fields->count;
    frames->left = fields->left;
    frames->offset = frame->offset;
    return KIFU_OK;
}

// The events up to where the line's own begin are there.
static kifu_result begin_other(kifu__reader *reader, kifu__line_frames *frames, const kifu__frame *frame,
                               const kifu__save_line *fields)
{
    kifu_timeline *timeline = reader->timeline;
    kifu__lines *lines = kifu__lines_of(timeline);
    const kifu__line *above = &lines->items[fields->parent];
    const bool up = frames->up && fields->id == frames->next_up;
    const uint32_t from = up ? frames->next_at : fields->from;
    const bool current = fields->parent == frames->current;
    const uint32_t end = current || up ? timeline->log.branch->end : kifu__line_end(above);
    frames->lost = !up && !current && above->cut && (above->deleted || from > end);
    if (!up && !frames->lost && from > end)
        return refuse(reader, frame, fields->id, "branches off behind the end of its parent");
    const kifu_result result = kifu__open_line(reader, frames, frame, fields, fields->id, from);
    if (result)
        return result;
    frames->on_way = up;
    if (up) {
        frames->up = fields->id != fields->parent;
        frames->next_up = fields->parent;
        frames->next_at = fields->from;
    }
    if (frames->lost)
        count_lost(reader, NULL);
    return KIFU_OK;
}

kifu_result kifu__take_line(kifu__reader *reader, kifu__line_frames *frames, const kifu__frame *frame)
{
    kifu_timeline *timeline = reader->timeline;
    kifu__lines *lines = kifu__lines_of(timeline);
    const kifu__buffer buffer = kifu__buffer_of(reader, frame);
    const void *read = NULL;
    kifu_result result = kifu__payload_read(&buffer, &kifu__save_line_table, &reader->room, &read);
    if (result)
        return result;
    const kifu__save_line fields = *(const kifu__save_line *)read;
    const uint32_t last = fields.next > fields.id ? fields.next - 1 : fields.id;
    const char *fault = find_fault(reader, frames, &fields, lines);
    if (fault)
        return refuse(reader, frame, fields.id, fault);
    if (!kifu__lines_reach(timeline, lines, last))
        return kifu__not_loaded(reader->error, frame->offset, KIFU_NO_MEMORY);
    kifu__line *line = &lines->items[fields.id];
    if (fields.flags & KIFU__OLD_LOGGED_LINE)
        return kifu__refuse_old_log(reader->error, frame->offset);
    *line = (kifu__line){
        .branch = fields.id == 0 && !frames->begun ? line->branch : NULL,
        .parent = fields.parent,
        .from = fields.from,
        .known = true,
        .unchecked = frames->begun,
        .comparable = is_comparable(reader, &fields),
        .tip_hash = fields.tip_hash,
        .fingerprint = fields.fingerprint,
        .rules_version = fields.rules_version,
    };
    if (fields.flags & KIFU__MAIN_LINE)
        lines->main = fields.id;
    if (fields.flags & KIFU__BEGINNING_LINE) {
        frames->beginning = true;
        lines->before_last = fields.before < lines->count ? fields.before : fields.parent;
    }
    if (frames->begun)
        return begin_other(reader, frames, frame, &fields);
    begin_current(frames, &fields);
    return KIFU_OK;
}

// --- What a line has -------------------------------------------------------------------------------------------------

kifu_result kifu__own_segment(kifu__reader *reader, const kifu__frame *frame, kifu__segment *segment)
{
    const kifu_timeline *timeline = reader->timeline;
    kifu__segment own;
    if (!segment->borrowed)
        return KIFU_OK;
    const kifu__buffer buffer = {.bytes = segment->bytes, .size = segment->size};
    const kifu_result result = kifu__convert_segment(&buffer, timeline->rules, segment->first, &timeline->memory, &own);
    if (result)
        return kifu__not_loaded(reader->error, frame->offset, result);
    if (segment->count < own.count)
        kifu__segment_truncate(&own, segment->count);
    *segment = own;
    return KIFU_OK;
}

static kifu_result take_frame(kifu__reader *reader, const kifu__line_frames *frames, const kifu__frame *frame)
{
    const kifu_timeline *timeline = reader->timeline;
    const bool events = frame->kind == KIFU__FRAME_SEGMENT;
    if (events && timeline->executed != timeline->log.branch->end)
        return refuse(reader, frame, frames->line, "has events behind an undo");
    kifu_result result = kifu__take_frame(reader, frame);
    kifu__branch *branch = timeline->log.branch;
    if (!result && events && branch->segment_count)
        result = kifu__own_segment(reader, frame, &branch->segments[branch->segment_count - 1]);
    if (!result && branch->checkpoint_count && branch->checkpoints[0].event_count <= frames->from)
        result = refuse(reader, frame, frames->line, "has the hash of a state before it begins");
    return result;
}

// A line with events that this version of the game does not know, or cannot upcast, is left out.
kifu_result kifu__take_of_line(kifu__reader *reader, kifu__line_frames *frames, const kifu__frame *frame)
{
    kifu_timeline *timeline = reader->timeline;
    kifu_error *error = reader->error, own;
    const uint32_t snapshots = reader->snapshot_count;
    if (!frames->open || frames->lost)
        return frames->open ? KIFU_OK
                            : kifu__damaged(error, frame->offset,
                                            "the frame at byte %" PRIu64 " belongs to a line, and none was named",
                                            frame->offset);
    kifu__frame inner = *frame;
    inner.kind -= KIFU__OF_LINE;
    reader->error = &own;
    reader->snapshot_count = 0;
    kifu__swap_side(timeline, &frames->side);
    kifu_result result = take_frame(reader, frames, &inner);
    kifu__swap_side(timeline, &frames->side);
    reader->snapshot_count = snapshots;
    reader->error = error;
    if (result == KIFU_UNKNOWN_EVENT || result == KIFU_FAILED) {
        kifu__branch_free(timeline, frames->side.branch);
        frames->lost = true;
        count_lost(reader, &own);
        return KIFU_OK;
    }
    if (result && error)
        *error = own;
    return result;
}
