/// What a follower needs to take back a commit that is refused: for each thing that a record changes, how it was. What
/// is cut from a branch becomes a hidden branch, on which the game goes on standing until it goes where the commit
/// says.
#ifndef KIFU_SRC_REVERSAL_H
#define KIFU_SRC_REVERSAL_H

#include "core/timeline.h"
#include "save/read_commit.h"

/// One of these things.
typedef struct kifu__before kifu__before;
struct kifu__before {
    kifu__before *next; ///< The one before it.
    /// Brings it back; and frees what it has, where that is needed no more (NULL: nothing).
    void (*bring_back)(kifu_timeline *timeline, kifu__before *before);
    void (*drop)(kifu_timeline *timeline, kifu__before *before);
    kifu__branch *branch; ///< Of a kifu__branch_before: the branch; else NULL.
};

/// How a branch was.
typedef struct kifu__branch_before {
    kifu__before before;
    uint32_t from;       ///< Up to there, it has the events that it had.
    uint32_t hashes;     ///< So many of its hashes are of these,
    uint32_t followed;   ///< and so many events were those of the stream.
    kifu__branch tail;   ///< What it had behind that; `number` 0: nothing.
    kifu__segment last;  ///< Of those segments that have events up to there, the last, as it was; `bytes` NULL: none.
    unsigned char *rest; ///< What will be written over of what it has behind that; NULL: nothing.
} kifu__branch_before;

typedef struct kifu__reversal kifu__reversal;

/// What a reader calls of it: through pointers, so that only followers link it.
typedef struct kifu__reversal_calls {
    /// Remembers one thing more, of `size` bytes, zeroed. NULL without memory.
    kifu__before *(*remember)(kifu__reversal *back, size_t size);
    /// Before something changes in a branch from the end on, or behind `count` events: what lies behind becomes a
    /// hidden branch. (kifu__relink) False without memory.
    bool (*cut_aside)(kifu__reversal *back, kifu__branch *branch, uint32_t count);
    /// A branch is no line's any more: it keeps its events and what hangs at them.
    void (*set_aside)(kifu__reversal *back, kifu__branch *branch);
    /// How many of a segment's first events happened here in front of the changes, from 0 on: they stay, with the flags
    /// of the changes. KIFU_DIVERGED: others did. KIFU_NO_MEMORY, KIFU_TOO_LARGE.
    kifu_result (*find_same)(kifu__commits *commits, const kifu__segment *segment, uint32_t *same);
    /// Before the queues change.
    void (*hold_queues)(kifu__reversal *back);
    /// Before the actions change that are set. False without memory.
    bool (*keep_actions)(kifu__reversal *back);
    /// What is kept at a place of a branch is taken out. False without memory.
    bool (*kept_aside)(kifu__reversal *back, kifu__branch *branch, uint32_t place);
    /// kifu__parted.
    kifu_result (*parted)(const kifu__commits *commits, uint32_t event);
} kifu__reversal_calls;

extern const kifu__reversal_calls kifu__reversal_functions;

/// All of a commit. Zeroed but for `calls` and `timeline`: nothing.
struct kifu__reversal {
    const kifu__reversal_calls *calls;
    kifu_timeline *timeline;
    kifu__before *first;
    kifu__branch *stands; ///< The branch on whose path the game is.
    kifu__branch *cut;    ///< The first branch on that path of which something was cut off; NULL: there is none.
    uint32_t executed;
    uint32_t hidden;     ///< How many hidden branches there are.
    kifu__before *lines; ///< What was before of the lines as a whole; NULL: there are none.
    bool queues;         ///< What waited is held:
    kifu__held consequences, inputs;
    bool actions; ///< The actions that were set are here:
    kifu__standing set;
    kifu__shapes shapes; ///< Those before the commit, where it forgets them,
    bool forgets_shapes;
    uint32_t shape_count; ///< else, how many there were.
    uint64_t hash;        ///< To which the commit leads.
};

/// The notes of a branch behind a place become those of another number.
void kifu__move_notes(kifu_timeline *timeline, uint32_t number, uint32_t behind, uint32_t to);

/// How a branch was. NULL: it has not changed.
static inline kifu__branch_before *kifu__find_before(const kifu__branch *branch)
{
    return (kifu__branch_before *)branch->before;
}

/// The commit was read: links the branches on the way to where the game stands to what was cut off in front of them.
/// They are aside.
void kifu__relink(const kifu__reversal *back);

/// All is as it was; the game must stand where it stood.
void kifu__bring_all_back(kifu__reversal *back, kifu__shapes *shapes);

/// The commit was taken.
void kifu__drop_before(kifu__reversal *back);

#endif
