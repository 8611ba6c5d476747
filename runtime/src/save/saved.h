/// What parts have in saves: lines, notes, a state to begin from, actions. A part whose table has `saved` adds records
/// to a commit, or a frame of its own (the Root), and takes those of a file that the reader does not execute itself.
#ifndef KIFU_SRC_SAVED_H
#define KIFU_SRC_SAVED_H

#include "save/reader.h"
#include "save/writer.h"

struct kifu__saved {
    /// Adds the part's records to the commit that is being made. A failure is the plan's. NULL: it has none.
    void (*plan)(kifu__plan *plan, kifu__part *part, kifu__saving what);
    /// Adds the state from which the game begins. NULL: it has none.
    void (*plan_root)(kifu__plan *plan);
    /// Takes a frame, and sets `*taken`, or leaves it to the next part. NULL: it takes none.
    kifu_result (*take)(kifu__reader *reader, kifu__part *part, const kifu__frame *frame, bool *taken);
    /// All was read, and nothing of it is executed yet. NULL: nothing is to be done.
    kifu_result (*end)(kifu__reader *reader, kifu__part *part);
    /// The branch of this number. NULL: there is none. NULL for parts that have none.
    kifu__branch *(*branch)(const kifu_timeline *timeline, uint32_t number);
    /// Reads a record of a commit, and sets `*taken`, or leaves it to the next part. NULL: it takes none.
    kifu_result (*record)(kifu__commits *commits, kifu__part *part, kifu__bytes *body, bool *taken);
    /// A follower is about to read a commit: remembers what may have to be brought back. False without memory.
    bool (*follow)(kifu__commits *commits, kifu__part *part);
    /// It has read it, and the game stands there.
    void (*followed)(const kifu__commits *commits, kifu__part *part);
};

/// Actions that are set for actors: through the rules, because few games have actors. They are saved as proposals with
/// a key each (`kifu.save.Proposals`), under the name of the part that has them.
struct kifu__action_frames {
    /// Makes a payload of the actions that are set, or were at the moment `kept`, unless the file says so; then
    /// `recorded` has it, too.
    kifu__blob (*make)(kifu__plan *plan, const kifu__kept *kept, kifu__recorded_actions *recorded);
    /// Takes one, which may lie anywhere.
    kifu_result (*take)(kifu__commits *commits, const unsigned char *bytes, uint32_t size);
};

/// The branch of this number; NULL: there is none.
kifu__branch *kifu__branch_numbered(kifu_timeline *timeline, uint32_t number);

/// Whether some part has more than one.
bool kifu__has_branches(const kifu_timeline *timeline);

/// Each part adds its records.
void kifu__plan_parts(kifu__plan *plan, kifu__saving what);

/// Adds the state from which the game begins, where a part can.
void kifu__plan_root(kifu__plan *plan);
bool kifu__can_plan_root(const kifu_timeline *timeline);

/// Gives the parts a frame that the reader does not know itself, as `take`; or says that all was read, as `end`.
kifu_result kifu__offer_frame(kifu__reader *reader, const kifu__frame *frame, bool *taken);
kifu_result kifu__end_parts(kifu__reader *reader);

#endif
