/// The stream of a game at its source: what it has said so far, in its log file and to followers. A timeline has one at
/// most, and none where neither was asked for.
///
/// A number in each branch and queue says what has changed since the last commit. The code that cuts, redoes or changes
/// lowers them, so an event costs nothing.
#ifndef KIFU_SRC_STREAM_H
#define KIFU_SRC_STREAM_H

#include <kifu/changes.h>

#include "save/write_commit.h"

/// The part. All but the first member is zero until it begins.
typedef struct kifu__source {
    kifu__part part;
    kifu__stream recorded; ///< What it has said; `recorded.begun`: anything.
    kifu__shapes shapes;
    kifu__place_kept *kept; ///< Where what waits has changed since.
    uint32_t kept_count, kept_capacity;
    bool forgot;     ///< More has changed than is known.
    uint32_t root;   ///< Number of the first event in it.
    uint64_t hashes; ///< As `timeline->tree.hashes`: since then, those that it has hold no more.
    /// Appends to the log file; NULL: none is open.
    kifu_result (*append)(kifu_timeline *timeline);
    /// Finds the commits behind a position in the log file, in new memory.
    kifu_result (*find)(kifu_timeline *timeline, const kifu_stream_position *since, kifu__blob *commits, bool *found);
    // For followers:
    bool followed;     ///< Changes were asked for.
    kifu__blob recent; ///< The last commits, as in changes: behind each is its checksum.
    uint32_t *each;    ///< Where each of them begins there.
    uint32_t recent_count, recent_capacity;
    uint32_t before; ///< The checksum in front of the first.
} kifu__source;

/// A commit that is being made, from a plan. It must not move in memory.
typedef struct kifu__saying {
    kifu__source *source;
    kifu__stream stream;  ///< What will have been said.
    uint32_t shape_count; ///< How many shapes had been named,
    kifu__shapes shapes;  ///< or, where all is said, those that this names.
} kifu__saying;

/// NULL: there is none, or it has not begun.
kifu__source *kifu__source_of(const kifu_timeline *timeline);

/// The same; where there is none, makes it, which has said nothing. NULL without memory, with an error.
kifu__source *kifu__begin_source(kifu_timeline *timeline);

/// Nothing needs it any more: it becomes as if it had never begun. (The memory stays.)
void kifu__end_source(kifu_timeline *timeline, kifu__source *source);

/// Another stream begins: followers need the whole game.
void kifu__renew_stream(kifu__source *source);

/// Adds a commit of all that was not said to the plan, or nothing where there is nothing. `plan->anew`: only the whole
/// game can say it.
void kifu__say(kifu__plan *plan, kifu__source *source, kifu__saying *saying, bool with_state);

/// The same of all that there is, for a file or a follower that has nothing. The position stays.
void kifu__say_all(kifu__plan *plan, kifu__source *source, kifu__saying *saying, bool with_state);

/// If `good`, and the plan has a commit, it was said; else it was not, and all is as before.
void kifu__end_saying(kifu__plan *plan, kifu__saying *saying, bool good);

/// Makes a commit of what was not said, for followers alone; or where that is not known, or nothing was, says all anew,
/// in another stream: by the whole game that a follower gets.
kifu_result kifu__say_to_followers(kifu_timeline *timeline, kifu__source *source);

/// Whether nothing has happened since a log file was loaded.
bool kifu__is_as_loaded(const kifu_timeline *timeline);

/// All that there is was said, up to a position. `*size`: of all, as a commit. KIFU_NO_MEMORY.
kifu_result kifu__said_before(kifu_timeline *timeline, kifu__source *source, const kifu_stream_position *position,
                              uint64_t *size);

/// The checksum of a stream behind a commit of these records.
uint32_t kifu__stream_checksum(uint32_t before, kifu__bytes records);

// --- In a log file ---------------------------------------------------------------------------------------------------

/// Adds the commits behind a position, as changes have them. `*found`: the file has the position. Results as
/// `kifu__os_read`, KIFU_TOO_LARGE.
kifu_result kifu__find_commits(kifu_timeline *timeline, const char *path, const kifu_stream_position *since,
                               kifu__blob *commits, bool *found);

/// Where the stream in a log file ends, of which the header says what this one does (NULL: anything) but for the time
/// and the number of events: its position (stream 0: there is none, or the file is no log file, or has something else
/// behind it), its size, and the checksum of the heads of its frames. Results as `kifu__os_read`.
kifu_result kifu__find_stream(kifu_timeline *timeline, const char *path, const kifu__piece *header,
                              kifu_stream_position *position, uint64_t *size, uint32_t *heads);

#endif
