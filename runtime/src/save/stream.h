/// The stream of a game at its source: what it has said so far, in its log file and to followers. A timeline has one at
/// most, and none where neither was asked for.
///
/// A number in each branch and queue says what has changed since the last commit. The code that cuts, redoes or changes
/// lowers them, so an event costs nothing.
#ifndef KIFU_SRC_STREAM_H
#define KIFU_SRC_STREAM_H

#include <kifu/changes.h>

#include "save/write_commit.h"

/// Followers may ask for commits of so many bytes.
enum { KIFU__RECENT_BYTES = 1 << 18 };

/// The part. All but the first member is zero until it begins.
typedef struct kifu__source {
    kifu__part part;
    kifu__stream said; ///< What it has said; `said.begun`: anything.
    kifu__shapes shapes;
    kifu__place_kept *kept; ///< Where what waits has changed since.
    uint32_t kept_count, kept_capacity;
    bool forgot;   ///< More has changed than is known.
    uint32_t root; ///< Number of the first event in it.
    /// Appends to the log file; NULL: none is open.
    kifu_result (*append)(kifu_timeline *timeline);
    /// Finds the commits behind a position in the log file, in new memory.
    kifu_result (*find)(kifu_timeline *timeline, const kifu_stream_position *since, kifu__blob *commits, bool *found);
    // For followers:
    bool followed;       ///< Changes were asked for.
    kifu__blob recent;   ///< The last commits, as in changes.
    uint32_t *begins;    ///< Where each begins there.
    uint32_t *checksums; ///< The checksum behind each.
    uint32_t recent_count, begins_capacity, checksums_capacity;
    uint32_t before; ///< The checksum in front of the first.
} kifu__source;

/// A commit that is being made, from a plan.
typedef struct kifu__saying {
    kifu__source *source;
    kifu__stream stream; ///< What will have been said.
    uint32_t shapes;
} kifu__saying;

/// NULL: there is none, or it has not begun.
kifu__source *kifu__source_of(const kifu_timeline *timeline);

/// Makes the part, which has said nothing. NULL without memory, with an error.
kifu__source *kifu__begin_source(kifu_timeline *timeline);

/// Nothing needs it any more: it becomes as if it had never begun. (The memory stays.)
void kifu__end_source(kifu_timeline *timeline, kifu__source *source);

/// Another stream begins: followers need the whole game.
void kifu__renew_stream(kifu__source *source);

/// Adds a commit of all that was not said to the plan, or nothing where there is nothing. `plan->anew`: only the whole
/// game can say it.
void kifu__say(kifu__plan *plan, kifu__source *source, kifu__saying *saying, bool with_state);

/// The same of all that there is, for a file or a follower that has nothing. The position stays.
void kifu__say_all(kifu__plan *plan, kifu__source *source, kifu__saying *saying, kifu__shapes *shapes, bool with_state);

/// It was said; or it was not, and all is as before.
void kifu__said_it(kifu__plan *plan, kifu__saying *saying);
void kifu__unsaid(kifu__plan *plan, kifu__saying *saying);

/// All of the game is said: by the whole game that a follower gets. `*size`: of all, as a commit.
kifu_result kifu__say_whole(kifu_timeline *timeline, kifu__source *source, uint64_t *size);

/// Makes a commit of what was not said, for followers alone; or where that is not known, says all anew, in another
/// stream.
kifu_result kifu__say_to_followers(kifu_timeline *timeline, kifu__source *source);

/// Whether nothing has happened since a log file was loaded.
bool kifu__is_as_loaded(const kifu_timeline *timeline);

/// All that there is was said, up to a position. `*size`: of all, as a commit. KIFU_NO_MEMORY.
kifu_result kifu__said_before(kifu_timeline *timeline, kifu__source *source, const kifu_stream_position *position,
                              uint64_t *size);

/// The checksum of a stream behind a commit of these records.
uint32_t kifu__stream_checksum(uint32_t before, const unsigned char *records, uint32_t size);

/// Adds a commit as changes have it.
void kifu__add_commit(kifu__blob *commits, const unsigned char *records, uint32_t size, uint32_t checksum);

#endif
