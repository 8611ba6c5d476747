// Recovery: what is good of a file that was cut off or damaged, or of a log file that was not closed.

#include <inttypes.h>

#include "core/moment.h"
#include "save/reader.h"
#include "save/scan.h"
#include "save/write_commit.h"
#include "wire/buffer.h"

// --- The way ---------------------------------------------------------------------------------------------------------

// The commits of a log file, for a timeline that keeps no variations and has one branch: which branches lead to where
// the game is in the end. Then of each, what it has up to the next one goes there. Of others, only the shapes of their
// rows are needed.

static kifu_result see_branch(kifu__commits *commits, uint32_t number, uint32_t parent, uint32_t from)
{
    if (parent > number || number >= KIFU__HIDDEN)
        return kifu__bad_record(commits, "has a number that no line can have");
    if (number < commits->next)
        return kifu__bad_record(commits, "begins a line with a number that was given before");
    if (parent == number && (commits->begun_count || commits->any_events))
        return kifu__bad_record(commits, "names the first line behind others");
    const kifu_result result = kifu__reach_way(commits, number);
    if (result)
        return result;
    commits->next = number + 1;
    commits->line = number;
    commits->way[number] = (kifu__way_branch){.parent = parent, .from = from, .begins = ++commits->begun_count};
    if (parent == number && number)
        commits->way[0].deleted = true;
    return KIFU_OK;
}

static kifu_result see_record(kifu__commits *commits)
{
    const uint32_t number = commits->numbers[0], other = commits->numbers[1];
    switch (commits->kind) {
    case KIFU__STAND:
        commits->line = number;
        break;
    case KIFU__BRANCH:
        return see_branch(commits, number, other, commits->numbers[2]);
    case KIFU__EVENTS:
        commits->any_events = true;
        break;
    case KIFU__TREE:
        commits->next = other > commits->next ? other : commits->next;
        break;
    case KIFU__RETURNED:
        commits->next = number < commits->next ? number : commits->next;
        for (; commits->way_count > number; commits->way_count--) {
            if (commits->way[commits->way_count - 1].deleted && kifu__returns_too_many(commits->reader))
                return kifu__bad_record(commits, KIFU__TOO_MANY_RETURNED);
        }
        break;
    case KIFU__DELETED:
        if (number < commits->way_count)
            commits->way[number].deleted = true;
        break;
    default:
        break;
    }
    return KIFU_OK;
}

static kifu_result see_commit(kifu__commits *commits)
{
    kifu__bytes records = kifu__records_in(commits->frame->payload, commits->frame->size), body;
    kifu_result result = KIFU_OK;
    uint32_t kind;
    while (!result && kifu__next_record(&records, &kind, &body)) {
        if (!kind || kind >= KIFU__RECORD_KINDS) // Reading it says what is wrong.
            continue;
        kifu__begin_reading_record(commits, kind, &body);
        if (body.good)
            result = see_record(commits);
    }
    return result;
}

static kifu_result find_way(kifu__commits *commits)
{
    kifu__reader *reader = commits->reader;
    uint32_t until = KIFU_NONE;
    commits->name = "stand";
    for (uint32_t line = commits->line;; line = commits->way[line].parent) {
        if (line >= commits->way_count || commits->way[line].deleted)
            return kifu__bad_record(commits, "goes to a line that is not there");
        kifu__way_branch *branch = &commits->way[line];
        branch->until = until;
        if (branch->parent == line) {
            commits->deepest = line;
            branch->there = !branch->begins;
            break;
        }
        until = branch->from < until ? branch->from : until;
    }
    uint32_t count = 0;
    for (uint32_t line = 0; line < commits->way_count; line++)
        count += !commits->way[line].deleted;
    if (count)
        reader->left_out->lines += count - 1;
    commits->line = 0;
    commits->begun_count = 0;
    return KIFU_OK;
}

static kifu_result see_commits(kifu__commits *commits)
{
    kifu__reader *reader = commits->reader;
    const kifu__file *file = &reader->loaded->file;
    kifu__frame frame;
    commits->frame = &frame;
    commits->kind = KIFU__STAND;
    kifu_result result = KIFU_OK;
    commits->way[0] = (kifu__way_branch){.parent = 0};
    commits->next = 1;
    for (uint64_t offset = KIFU__FILE_HEAD; offset < file->size && offset < reader->end && !result;) {
        result = kifu__read_frame(file->bytes, file->size, &offset, &frame, reader->error);
        if (!result && frame.kind == KIFU__FRAME_COMMIT)
            result = see_commit(commits);
    }
    return result ? result : find_way(commits);
}

// Whether it is on the way was found out before.
static kifu_result begin_recovered_line(kifu__commits *commits, uint32_t number, uint32_t parent, uint32_t from)
{
    const uint32_t begins = ++commits->begun_count;
    if (number >= commits->way_count) // It is returned later.
        return kifu__commits_go_to(commits, number, from);
    kifu__way_branch *branch = &commits->way[number];
    branch->there = begins == branch->begins && branch->until;
    if (branch->there && parent != number && from > commits->reader->timeline->log.branch->end)
        return kifu__bad_record(commits, "begins behind the events of the other one");
    if (branch->there)
        commits->deepest = number;
    return kifu__commits_go_to(commits, number, from);
}

// It has all that there is.
static void stamp_recovered(kifu_timeline *timeline)
{
    kifu__game_is_recorded(timeline);
    ++timeline->tree.waits; // Not 0: there is a stamp.
    kifu__stamp_again(timeline);
}

static const kifu__log_reader log_reader = {
    .find_way = see_commits, .begin_line = begin_recovered_line, .end = stamp_recovered};

// --- Recovery --------------------------------------------------------------------------------------------------------

// Finds out how far the file is to be read: up to its end, else to behind the last commit, for of what follows it a
// part may be missing; else as far as its frames are good. Where it is whole, `why` stays KIFU_OK.
static void find_end(kifu__reader *reader, kifu_recovery *recovery)
{
    const kifu__file *file = &reader->loaded->file;
    kifu__scan scan = {.chain = {.offset = KIFU__FILE_HEAD}};
    kifu__frame frame;
    while (kifu__scan_frame(&scan, file->bytes, file->size, &frame))
        ;
    reader->end = scan.ended || !scan.commit ? scan.chain.offset : scan.commit;
    reader->half = !scan.ended && !scan.commit;
    recovery->why = scan.why;
    recovery->dropped = file->size - reader->end;
}

// Says in `why` what the caller is to know.
static void describe_recovery(kifu_recovery *recovery, uint64_t end, bool half, bool log)
{
    kifu_error reason = recovery->why;
    char *advice = strstr(reason.message, "; get "); // another copy: this is what is done without one
    if (advice)
        *advice = '\0';
    const char *input = half ? ", and the last input was dropped, because events of it may be missing" : "";
    if (recovery->dropped)
        kifu__error_at(&recovery->why, KIFU_DAMAGED, end,
                       "the last %" PRIu64 " bytes of the save, from byte %" PRIu64 " on, were dropped: %.250s%s",
                       recovery->dropped, end, reason.message, input);
    else if (half)
        kifu__error_at(&recovery->why, KIFU_DAMAGED, end, "%.250s%s", reason.message, input);
    else
        kifu__error_at(&recovery->why, KIFU_DAMAGED, end,
                       log ? "the save is a log file that was not closed; all that was written to it is there"
                           : "the save has no end, but nothing of the game is missing");
}

// There is no commit, so the last input may lack some of what followed from it, and what waited is unknown: it goes.
// The segments are those of the current line, up to the first that can only be what waits. Inputs look like events, but
// the header says how many of these there were. False when nothing is left.
static kifu_result take_whole_inputs(kifu__reader *reader, bool *any)
{
    kifu_timeline *timeline = reader->timeline;
    kifu__commits *commits = &reader->commits;
    const kifu__frame none = {.offset = 0};
    bool is_input = false;
    commits->reader = reader;
    commits->frame = &none;
    commits->name = "events";
    commits->branch = &reader->timeline->log.first;
    commits->count = reader->timeline->log.begin;
    commits->until = reader->header->event_count; // Behind them lie those that wait.
    kifu_result result = kifu__load_segments(commits, reader->segment_count);
    if (result == KIFU_DAMAGED)
        result = KIFU_OK;
    timeline->executed = timeline->log.branch->end;
    if (timeline->executed > reader->header->event_count) // Others were undone.
        timeline->executed = reader->header->event_count;
    if (timeline->executed < timeline->log.begin) // The header says anything.
        timeline->executed = timeline->log.begin;
    while (!result && timeline->executed > timeline->log.begin && !is_input) {
        kifu_event event;
        kifu_event_at(timeline, timeline->executed - 1, &event);
        timeline->executed--;
        is_input = event.cause == KIFU_NONE;
    }
    kifu__redo_drop(timeline);
    *any = timeline->executed > 0;
    return result;
}

// As kifu__read_frames, of all that can be used of the file.
kifu_result kifu_recover(kifu__reader *reader, kifu_recovery *recovery)
{
    kifu_recovery unread;
    recovery = recovery ? recovery : &unread;
    *recovery = (kifu_recovery){.dropped = 0};
    reader->log_calls = &log_reader;
    reader->commits.rows = &kifu__row_functions;
    find_end(reader, recovery);
    kifu_result result = kifu__read_frames(reader);
    bool any = reader->header != NULL;
    if (!result && reader->half && any)
        result = take_whole_inputs(reader, &any);
    if (!result && !any) {
        *reader->error = recovery->why;
        result = recovery->why.result;
    }
    if (result)
        *recovery = (kifu_recovery){.dropped = 0};
    else if (recovery->why.result)
        describe_recovery(recovery, reader->end, reader->half, reader->commits.is_log);
    reader->timeline->files.known[KIFU__LOADED].lossy = recovery->dropped || reader->half;
    return result;
}
