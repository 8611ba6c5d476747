/// Branches: each event of a game belongs to one, for good.
#ifndef KIFU_SRC_BRANCH_H
#define KIFU_SRC_BRANCH_H

#include "wire/segment.h"

struct kifu__kept;

/// Numbers of hidden branches, which are no lines: from this on.
#define KIFU__HIDDEN UINT32_C(0x80000000)

/// The hash of the state after so many events.
typedef struct kifu__checkpoint {
    uint32_t event_count;
    bool loaded; ///< It was read, and no state was compared with it.
    uint64_t hash;
} kifu__checkpoint;

/// The events from number `from` on, up to `end`, and what belongs to them. Its path leads from the first branch to
/// this one. Of each branch on the path, it has the events before the number with which the next branch begins. A place
/// on a path, after so many events, belongs to the branch of the last of these events.
typedef struct kifu__branch kifu__branch;
struct kifu__branch {
    // What is read of each on the way along many comes first.
    kifu__branch *parent; ///< Where it begins; NULL: it is the first one.
    kifu__branch *next;   ///< While the game goes forward over it: the next branch on the path.
    kifu__segment *segments;
    uint32_t segment_count;
    uint32_t from; ///< (The first branch may have events in front of these, which timers need.)
    uint32_t end;
    uint32_t depth;    ///< How many ancestors it has.
    kifu__branch *far; ///< A skip link to an ancestor, so that any is found in O(log depth); the first branch: itself.
    kifu__branch *joins; ///< The branch that gets its segments at a commit, and has room for them; NULL: none.
    uint32_t number;     ///< As `kifu_line.id`; a hidden branch has its own, from KIFU__HIDDEN on.
    uint32_t segment_capacity;
    uint32_t unchanged;        ///< For log files, a watermark: lowered to where events were dropped,
    uint32_t file_end;         ///< and up to which event the file has it; KIFU_NONE: it has not.
    uint32_t followed;         ///< Up to which event it is that of a stream that is followed.
    void *before;              ///< How it was before a commit that is being read; NULL: as it is.
    uint32_t checkpoint_count; ///< Hashes of states after its events, ascending; also behind the place.
    uint32_t checkpoint_capacity;
    kifu__checkpoint *checkpoints;
    struct kifu__kept *kept; ///< What waits at its places, the last one of them: see core/kept.h; NULL: nothing.
};

/// Begins a branch, which is zeroed, at a place of a path: after `from` events.
void kifu__branch_begin(kifu__branch *branch, kifu__branch *path, uint32_t from);

/// Links a branch to its parent, of which `far` and `depth` must be set.
void kifu__branch_link(kifu__branch *branch, kifu__branch *parent);

/// The slow part of kifu__owner: the place belongs to an ancestor.
kifu__branch *kifu__owner_above(kifu__branch *path, uint32_t place, uint32_t *end);

/// The branch to which a place of a path belongs. `*end` (if not NULL) becomes the number of events on the path up to
/// where the next branch begins, or where the path ends.
static inline kifu__branch *kifu__owner(kifu__branch *path, uint32_t place, uint32_t *end)
{
    if (path->parent && place <= path->from)
        return kifu__owner_above(path, place, end);
    if (end)
        *end = path->end;
    return path;
}

/// Whether a path leads through a branch, or ends in it.
bool kifu__leads_through(const kifu__branch *path, const kifu__branch *branch);

/// Where a path leaves a branch; KIFU_NONE: it ends in that branch. The branch's `from` if the path does not lead
/// through it.
uint32_t kifu__leaves(const kifu__branch *path, const kifu__branch *branch);

/// How many events two paths have in common.
uint32_t kifu__common(const kifu__branch *a, const kifu__branch *b);

/// The segment of event `index`, which must be on the path. `*end` becomes the number of events on the path up to the
/// end of that segment.
const kifu__segment *kifu__path_segment(kifu__branch *path, uint32_t index, uint32_t *end);

/// The first checkpoint behind the first `count` events of a path; NULL: there is none.
kifu__checkpoint *kifu__next_checkpoint(kifu__branch *path, uint32_t count);

/// How many of `count` entries are of at most `most` events. Each has `size` bytes, and begins with its number of
/// events. They ascend: a binary search.
uint32_t kifu__count_up_to(const void *entries, size_t size, uint32_t count, uint32_t most);

/// How many checkpoints of a branch are of at most `event_count` events.
uint32_t kifu__checkpoints_up_to(const kifu__branch *branch, uint32_t event_count);

#endif
