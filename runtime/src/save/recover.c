// Recovery: what is good of a file that was cut off or damaged, or of a log file that was not closed.

#include <inttypes.h>

#include "save/line_frames.h"
#include "save/reader.h"
#include "wire/buffer.h"

// Lines and notes of a whole save follow each other behind its snapshot.
static bool is_of_tree(uint32_t kind)
{
    return kind == KIFU__FRAME_LINE || kind == KIFU__FRAME_NOTES || kind >= KIFU__OF_LINE;
}

// Finds out how far the file is to be read: up to its end, else to behind the last good snapshot, for of what follows
// it a part may be missing, but for lines in front of the last that was begun, and notes; or behind the last commit;
// else as far as its frames are good. Where it is whole, `why` stays KIFU_OK.
static void find_end(kifu__reader *reader, kifu_recovery *recovery)
{
    const kifu__file *file = &reader->loaded->file;
    uint64_t offset = KIFU__FILE_HEAD, snapshot = 0;
    kifu__chain chain = {0};
    kifu_error *why = &recovery->why;
    bool ended = false, good = true, tree = false;
    while (good && !ended && offset < file->size) {
        kifu__frame frame;
        good = !kifu__read_frame(file->bytes, file->size, &offset, &frame, why);
        if (good && kifu__follow_chain(&chain, &frame,
                                       why)) { // Any of the frames behind the last link may be wrong.
            good = false;
            offset = chain.sound;
        }
        const uint32_t kind = good ? frame.kind : 0;
        if (kind == KIFU__FRAME_SNAPSHOT || kind == KIFU__FRAME_COMMIT || kind == KIFU__FRAME_PACKED)
            snapshot = offset;
        if (tree && (kind == KIFU__FRAME_LINE || kind == KIFU__FRAME_NOTES))
            snapshot = kind == KIFU__FRAME_NOTES ? offset : frame.offset;
        tree = kind == KIFU__FRAME_SNAPSHOT || (tree && is_of_tree(kind));
        ended = good && frame.kind == KIFU__FRAME_END;
    }
    if (ended && offset < file->size)
        kifu__bytes_behind(offset, why);
    else if (!ended && good)
        kifu__error_at(why, KIFU_DAMAGED, offset, "the save was cut off at byte %" PRIu64, offset);
    if (!ended && snapshot)
        offset = snapshot;
    reader->end = offset;
    reader->half = !ended && !snapshot;
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

// There is no snapshot, so the last input may lack some of what followed from it, and what waited is unknown. Drops
// it. False when nothing is left.
static bool keep_whole_inputs(kifu__reader *reader)
{
    kifu_timeline *timeline = reader->timeline;
    bool is_input = false;
    while (timeline->executed > timeline->log.begin && !is_input) {
        kifu_event event;
        kifu_event_at(timeline, timeline->executed - 1, &event);
        timeline->executed--;
        is_input = event.cause == KIFU_NONE;
    }
    kifu__queue_cut(&timeline->consequences, 0, 0);
    kifu__queue_cut(&timeline->inputs, 0, 0);
    if (timeline->parts)
        timeline->tell->clear(timeline);
    kifu__redo_drop(timeline);
    return timeline->executed > 0;
}

// As kifu__read_frames, of all that can be used of the file.
kifu_result kifu_recover(kifu__reader *reader, kifu_recovery *recovery)
{
    kifu_recovery unread;
    recovery = recovery ? recovery : &unread;
    *recovery = (kifu_recovery){.dropped = 0};
    reader->log_frame = kifu__read_commit;
    find_end(reader, recovery);
    kifu_result result = kifu__read_frames(reader);
    if (!result)
        result = kifu__end_commits(reader);
    if (!result && (!reader->header || (reader->half && !keep_whole_inputs(reader)))) {
        if (reader->error)
            *reader->error = recovery->why;
        result = recovery->why.result;
    }
    if (result)
        *recovery = (kifu_recovery){.dropped = 0};
    else if (recovery->why.result)
        describe(recovery, reader->end, reader->half, reader->commits.begun);
    reader->timeline->files.known[KIFU__LOADED].lossy = recovery->dropped || reader->half;
    return result;
}
