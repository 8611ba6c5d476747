// Recovery: what is good of a file that was cut off or damaged, or of a log file that was not closed.

#include <inttypes.h>

#include "core/moment.h"
#include "save/reader.h"
#include "wire/buffer.h"

// Finds out how far the file is to be read: up to its end, else to behind the last commit, for of what follows it a
// part may be missing; else as far as its frames are good. Where it is whole, `why` stays KIFU_OK.
static void find_end(kifu__reader *reader, kifu_recovery *recovery)
{
    const kifu__file *file = &reader->loaded->file;
    uint64_t offset = KIFU__FILE_HEAD, commit = 0;
    kifu__chain chain = {0};
    kifu_error *why = &recovery->why;
    bool ended = false, good = true;
    while (good && !ended && offset < file->size) {
        kifu__frame frame;
        good = !kifu__read_frame(file->bytes, file->size, &offset, &frame, why);
        if (good && kifu__follow_chain(&chain, &frame,
                                       why)) { // Any of the frames behind the last link may be wrong.
            good = false;
            offset = chain.sound;
        }
        const uint32_t kind = good ? frame.kind : 0;
        if (kind == KIFU__FRAME_COMMIT || kind == KIFU__FRAME_PACKED)
            commit = offset;
        ended = kind == KIFU__FRAME_PACKED || (kind == KIFU__FRAME_COMMIT && kifu__has_record(&frame, KIFU__END));
    }
    if (ended && offset < file->size)
        kifu__bytes_behind(offset, why);
    else if (!ended && good)
        kifu__error_at(why, KIFU_DAMAGED, offset, "the save was cut off at byte %" PRIu64, offset);
    if (!ended && commit)
        offset = commit;
    reader->end = offset;
    reader->half = !ended && !commit;
    recovery->dropped = file->size - offset;
}

// Says in `why` what the caller is to know.
static void describe(kifu_recovery *recovery, uint64_t end, bool half, bool log)
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
    kifu_error *error = reader->error, own;
    reader->error = &own;
    commits->branch = &reader->timeline->log.first;
    commits->count = reader->timeline->log.begin;
    commits->until = reader->header->event_count; // Behind them lie those that wait.
    kifu_result result = kifu__take_segments(commits, reader->segment_count);
    reader->error = error;
    if (result == KIFU_DAMAGED)
        result = KIFU_OK;
    else if (result && error)
        *error = own;
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
    reader->find_way = kifu__see_commits;
    reader->commits.rows = &kifu__row_functions;
    find_end(reader, recovery);
    kifu_result result = kifu__read_frames(reader);
    bool any = reader->header != NULL;
    if (!result && reader->half && any)
        result = take_whole_inputs(reader, &any);
    if (!result && !any) {
        if (reader->error)
            *reader->error = recovery->why;
        result = recovery->why.result;
    }
    if (result)
        *recovery = (kifu_recovery){.dropped = 0};
    else if (recovery->why.result)
        describe(recovery, reader->end, reader->half, reader->commits.is_log);
    reader->timeline->files.known[KIFU__LOADED].lossy = recovery->dropped || reader->half;
    return result;
}
