/// What parts have in saves: lines, notes, a state to begin from, actions. A part whose table has `saved` adds records
/// to a commit, or a frame of its own (the Root), and takes those of a file that the reader does not execute itself.
#ifndef KIFU_SRC_SAVED_H
#define KIFU_SRC_SAVED_H

#include "save/reader.h"
#include "save/writer.h"

typedef struct kifu__lines kifu__lines;

struct kifu__saved {
    uint32_t kinds; ///< A bit for each kind of records that it reads, or that of KIFU__ROOT.

    // Of a part that has records:
    kifu_result (*end)(kifu__reader *reader); ///< All was read, and nothing of it is executed yet.
    /// Adds them to the commit that is being made. A failure is the plan's.
    void (*plan)(kifu__plan *plan, kifu__saving what);
    kifu_result (*record)(kifu__commits *commits, kifu__bytes *body); ///< Reads one of a commit.

    // Of that which has the Root:
    /// Adds the state from which the game begins, and takes the frame.
    void (*plan_root)(kifu__plan *plan);
    kifu_result (*take_root)(kifu__reader *reader, const kifu__frame *frame);

    // Of that which has branches:
    kifu__branch *(*branch)(const kifu_timeline *timeline, uint32_t number); ///< NULL: there is none of this number.
    /// A follower is about to read a commit: remembers what may have to be brought back. False without memory.
    bool (*follow)(kifu__commits *commits);
    /// It has read it; and the game stands there.
    void (*were_read)(const kifu__commits *commits);
    void (*followed)(const kifu__commits *commits);
};

enum { KIFU__ROOT }; ///< Among the kinds of records, of which none is 0.

/// Actions that are set for actors: through the rules, because few games have actors. They are saved as proposals with
/// a key each (`kifu.save.Proposals`), under the name of the part that has them.
struct kifu__action_frames {
    /// Makes a payload of the actions that are set, or were at the moment `kept`, unless the file says so: its hash is
    /// `*recorded` then (0: none are set), and becomes that.
    kifu__blob (*make)(kifu__plan *plan, const kifu__kept *kept, uint64_t *recorded);
    /// Takes one, which may lie anywhere.
    kifu_result (*take)(kifu__commits *commits, const unsigned char *bytes, uint32_t size);
};

/// A frame of bytes that lie anywhere in another one: they are copied to `*own`, which the caller frees, and are
/// aligned there as a payload is. `*own` NULL: KIFU_NO_MEMORY was said.
static inline kifu__frame kifu__copy_inner(const kifu__reader *reader, const kifu__frame *frame, const void *bytes,
                                           uint32_t size, unsigned char **own)
{
    *own = (unsigned char *)kifu__new(&reader->timeline->memory, size + (size_t)1);
    if (!*own)
        kifu__not_loaded(reader->error, frame->offset, KIFU_NO_MEMORY);
    else if (size)
        memcpy(*own, bytes, size);
    return (kifu__frame){.offset = frame->offset, .kind = frame->kind, .size = size, .payload = *own};
}

/// The part that has this kind of records, or the Root. NULL: none does.
kifu__part *kifu__saved_by(const kifu_timeline *timeline, uint32_t kind);

/// Whether there may be more than one branch.
static inline bool kifu__has_branches(const kifu_timeline *timeline)
{
    return kifu__saved_by(timeline, KIFU__BRANCH) != NULL;
}

/// The branch of this number; NULL: there is none.
kifu__branch *kifu__branch_numbered(kifu_timeline *timeline, uint32_t number);

/// Each part adds its records.
void kifu__plan_parts(kifu__plan *plan, kifu__saving what);

/// Adds the state from which the game begins, if it does.
void kifu__plan_root(kifu__plan *plan);

// --- Lines: as in `kifu__saved` --------------------------------------------------------------------------------------

void kifu__plan_lines(kifu__plan *plan, kifu__saving what);
bool kifu__follow_lines(kifu__commits *commits);
void kifu__lines_were_read(const kifu__commits *commits);
void kifu__lines_followed(const kifu__commits *commits);
kifu__branch *kifu__line_branch(const kifu_timeline *timeline, uint32_t number);

// --- Lines: for those who read them ----------------------------------------------------------------------------------

/// Makes numbers up to `id` known, also of what begins at them. False without memory.
bool kifu__reach_line(kifu__commits *commits, kifu__lines *lines, uint32_t id);

/// As `kifu__commits.find_last_fork`. (read_forks.c)
bool kifu__find_last_fork(kifu__commits *commits, uint32_t line);

/// A line begins.
void kifu__add_fork(kifu__commits *commits, const kifu__lines *lines, uint32_t id);

/// Whether all has happened that follows from the input that began the last line; and the line before that.
void kifu__settle_read_lines(const kifu__commits *commits, kifu__lines *lines);

/// What kifu_keep_variations began, for changes that were refused.
void kifu__end_variations(kifu_timeline *timeline);

// --- Lines: for a follower (follow_lines.c) --------------------------------------------------------------------------

/// Before a line changes, begins at a number that is known, or goes. False without memory.
bool kifu__keep_line(kifu__commits *commits, kifu__lines *lines, uint32_t id, bool goes);

/// A line has begun, of which nothing was executed; or it has gone. They are listed when all was read.
void kifu__enlist_line(const kifu__commits *commits, kifu__lines *lines, uint32_t id);
void kifu__relist_line(const kifu__commits *commits, uint32_t id);

/// Numbers of lines are returned from `first` on, of which this is one: the stream of a follower says that of those
/// that it has said.
void kifu__return_line(const kifu__commits *commits, kifu__lines *lines, uint32_t id, uint32_t first);

#endif
