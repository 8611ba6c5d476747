/// The lines of a game in saves (schema/FORMAT.md, "Lines").
#ifndef KIFU_SRC_LINE_FRAMES_H
#define KIFU_SRC_LINE_FRAMES_H

#include "history/lines.h"
#include "save/saved.h"

enum {
    KIFU__MAIN_LINE = 1, ///< In the flags of kifu.save.Line.
    KIFU__DELETED_LINE = 2,
    KIFU__BEGINNING_LINE = 4,
    KIFU__OLD_LOGGED_LINE = 8 ///< Of a log file of before 1.0.
};

/// What a timeline has of one line while that is read, in place of what it has of the current one.
typedef struct kifu__side {
    kifu__branch *branch; ///< NULL: nothing is read.
    uint32_t begin;       ///< As of the log.
    uint32_t executed;
    kifu__queue consequences;
    kifu__queue inputs;
} kifu__side;

/// The part of a timeline that has its lines in saves. All but the first member is for a load.
typedef struct kifu__line_frames {
    kifu__part part;
    bool begun;          ///< A line was named: the first is the current one,
    uint32_t current;    ///< which is this,
    uint32_t count;      ///< with so many events, as the save says.
    uint32_t next_up;    ///< The next line on the way from the current one to line 0: the line from which the one
    uint32_t next_at;    ///< before it branches off, after so many events.
    bool up;             ///< There is such a line.
    bool beginning;      ///< What follows from the first input of the last line has not all happened.
    bool open;           ///< The line that was named last is being read:
    bool lost;           ///< (it cannot be read: what follows of it means nothing)
    bool on_way;         ///< (the current one branches off from it, or from one that does)
    uint64_t offset;     ///< where it was named,
    uint32_t line;       ///< its number,
    uint32_t place;      ///< and its place among those of the timeline, which in news is another,
    uint32_t from;       ///< where its events begin that are in its frames,
    uint32_t line_count; ///< how many events it has, as the save says,
    uint32_t left;       ///< where it was left, unless what was read leaves it behind that,
    kifu__side side;     ///< and what was read of it.
    kifu__standing kept; ///< What waits in parts for the current line.
} kifu__line_frames;

/// A frame that names a line, and one that belongs to the line that was named last; and the end of that, at the next
/// line or the end of all (read_lines.c).
kifu_result kifu__take_line(kifu__reader *reader, kifu__line_frames *frames, const kifu__frame *frame);
kifu_result kifu__take_of_line(kifu__reader *reader, kifu__line_frames *frames, const kifu__frame *frame);
kifu_result kifu__end_line(kifu__reader *reader, kifu__line_frames *frames);

/// Events that lie in the file become the timeline's own: what it needs of the file, only the current line's log knows.
kifu_result kifu__own_segment(kifu__reader *reader, const kifu__frame *frame, kifu__segment *segment);

/// The timeline has what was read of a line in place of its own, and that is in `side`.
void kifu__swap_side(kifu_timeline *timeline, kifu__side *side);
void kifu__side_free(kifu_timeline *timeline, kifu__side *side);

/// Adds what a log file does not say yet of lines, or remembers that it says all; a record that says so, and the end of
/// all records; and the branch of a line (line_records.c).
void kifu__commit_lines(kifu__plan *plan, kifu__lines *lines, kifu__saving what);
kifu_result kifu__line_record(kifu__commits *commits, kifu__part *part, kifu__bytes *body, bool *taken);
void kifu__end_line_records(kifu__reader *reader);

/// As in `kifu__saved`.
bool kifu__follow_lines(kifu__commits *commits, kifu__part *part);
void kifu__lines_followed(const kifu__commits *commits, kifu__part *part);

kifu__branch *kifu__line_branch(const kifu_timeline *timeline, uint32_t number);

/// All that was read of other lines than the current one goes. KIFU_NO_MEMORY.
kifu_result kifu__lose_lines(kifu__reader *reader, kifu__lines *lines);

/// Begins to read a line, whose events from number `from` on follow: it is at `place` among those of the timeline.
kifu_result kifu__open_line(kifu__reader *reader, kifu__line_frames *frames, const kifu__frame *frame,
                            const kifu__save_line *fields, uint32_t place, uint32_t from);

// --- In whole saves --------------------------------------------------------------------------------------------------

/// Adds a line that is not the current one, with its events and all. `next` as in kifu.save.Line.
void kifu__plan_line(kifu__plan *plan, kifu__lines *lines, uint32_t id, uint32_t next);

/// Adds all lines to a whole save, unless there was never another than line 0 (write_lines.c).
void kifu__plan_lines(kifu__plan *plan, kifu__part *part, kifu__saving what);

#endif
