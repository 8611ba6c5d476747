/// What waits at places where the game is not.
#ifndef KIFU_SRC_KEPT_H
#define KIFU_SRC_KEPT_H

#include "core/branch.h"
#include "core/queue.h"
#include "wire/table.h"

/// What waits at a place. The input that was running is not stored: kifu__find_input.
///
/// Those of a branch are a tree. Each is the last of those below it; the others are on two sides, by one bit of their
/// places: at the top the highest one, in each step down the next. So none is deeper than a place has bits, in whatever
/// order they come, and nothing needs to be balanced.
typedef struct kifu__kept kifu__kept;
struct kifu__kept {
    kifu__kept *below[2]; ///< The last of those on each side: the first side's places are smaller; NULL: none.
    uint32_t executed;    ///< The place: so many events are executed.
    kifu__queue consequences;
    kifu__queue inputs;
    kifu__blob *parts; ///< As in kifu__standing.
};

/// The last one of a branch at a place up to `most`; NULL: there is none.
kifu__kept *kifu__kept_up_to(const kifu__branch *branch, uint32_t most);

/// The first one of a branch at a place from `least` on; NULL: there is none.
kifu__kept *kifu__kept_from(const kifu__branch *branch, uint32_t least);

/// The one at a place; NULL: there is none.
kifu__kept *kifu__find_kept(const kifu__branch *branch, uint32_t place);

/// Adds one, where there is none.
void kifu__add_kept(kifu__branch *branch, kifu__kept *kept);

/// Takes out the one at a place; NULL: there is none.
kifu__kept *kifu__remove_kept(kifu__branch *branch, uint32_t place);

/// Those behind a place go to another branch.
void kifu__move_kept(kifu__branch *from, uint32_t place, kifu__branch *to);

/// An iterator over what waits along a path, from the last place of at most `most` events to the first.
typedef struct kifu__kept_at {
    kifu__kept *kept;     ///< NULL: the end.
    kifu__branch *branch; ///< To which its place belongs.
    uint32_t least;       ///< Branches that have only places before this one are not looked at.
} kifu__kept_at;

kifu__kept_at kifu__kept_along(kifu__branch *path, uint32_t most, uint32_t least);
void kifu__kept_before(kifu__kept_at *waiting);

#endif
