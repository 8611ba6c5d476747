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
    uint64_t hash;
} kifu__checkpoint;

/// The events from number `from` on, up to `end`, and what belongs to them. Its path leads from the first branch to it,
/// and has of each branch the events before the one with which the next branch begins. A place on a path, after so many
/// events, belongs to the branch of the last of these events.
typedef struct kifu__branch kifu__branch;
struct kifu__branch {
    kifu__branch *parent; ///< Where it begins; NULL: it is the first one.
    kifu__branch *joins;  ///< The one that takes its segments at a commit, and has room for them; NULL: none does.
    kifu__branch *far;    ///< An ancestor further up, so that any is found in few steps; of the first one, itself.
    uint32_t depth;       ///< How many ancestors it has.
    uint32_t number;      ///< As `kifu_line.id`; a hidden branch has its own, from KIFU__HIDDEN on.
    uint32_t from;        ///< (The first one may have events in front of these, to which timers lead.)
    uint32_t end;
    uint32_t segment_count;
    uint32_t segment_capacity;
    kifu__segment *segments;
    uint32_t unchanged;        ///< For log files: lowered to where events were dropped.
    uint32_t checkpoint_count; ///< Hashes of states after its events, ascending; also behind the place.
    uint32_t checkpoint_capacity;
    kifu__checkpoint *checkpoints;
    struct kifu__kept *kept; ///< What waits at its places, the last one first; NULL: nothing does.
};

/// Begins a branch, which is zeroed, at a place of a path: after `from` events.
void kifu__branch_begin(kifu__branch *branch, kifu__branch *path, uint32_t from);

/// Links it to its parent, of which `far` and `depth` are known.
void kifu__branch_link(kifu__branch *branch, kifu__branch *parent);

/// As kifu__owner, where the path does not end in that branch.
kifu__branch *kifu__owner_above(kifu__branch *path, uint32_t place, uint32_t *end);

/// The branch to which a place of a path belongs. `*end` (if not NULL): so many events there are on the path up to
/// where the next branch begins, or it ends.
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

/// Where a path leaves one of its branches; KIFU_NONE: it ends in it, and the branch's `from` if it does not lead
/// through it.
uint32_t kifu__leaves(const kifu__branch *path, const kifu__branch *branch);

/// Where two paths part: so many events they have in common.
uint32_t kifu__common(const kifu__branch *a, const kifu__branch *b);

/// The segment of event `index`, which is on the path; and in `*end`, how many events it has on the path up to its end.
const kifu__segment *kifu__path_segment(kifu__branch *path, uint32_t index, uint32_t *end);

/// The first hash behind the first `count` events of a path; NULL: there is none.
const kifu__checkpoint *kifu__next_checkpoint(kifu__branch *path, uint32_t count);

/// How many there are.
uint32_t kifu__count_checkpoints(const kifu__branch *path, uint32_t count);

/// How many of `count` entries, each of `size` bytes with a number of events in front, are of at most `most` events.
uint32_t kifu__count_up_to(const void *entries, size_t size, uint32_t count, uint32_t most);

/// How many of its hashes are of at most `event_count` events.
uint32_t kifu__checkpoints_up_to(const kifu__branch *branch, uint32_t event_count);

#endif
