/// What a timeline remembers for its news: how long its log was at each change that was asked for, down to where
/// it was cut since, and digests of the log.
///
/// A change is a number that was asked for: of the last 256 that kifu_change_count returned, a timeline remembers how
/// long its log was, the digest of it, and down to where it was cut since. So an event costs nothing, an undo neither,
/// and numbers between which there were only events need no memory.
#ifndef KIFU_SRC_CHANGES_H
#define KIFU_SRC_CHANGES_H

#include "core/timeline.h"
#include "wire/table.h"

/// News have digests of the log at the last 16 events before their beginning, and then at doubling distances.
enum { KIFU__NEAR_DIGESTS = 16, KIFU__MOST_DIGESTS = KIFU__NEAR_DIGESTS + 32, KIFU__DIGEST_INTERVAL = 64 };

/// A change as news begin at it.
typedef struct kifu__since kifu__since;
struct kifu__since {
    uint32_t base;   ///< So many of the first events are what they were.
    uint32_t length; ///< So many the log had then,
    uint64_t digest; ///< with this digest. Length 0: it is not known.
    bool known;      ///< What has changed since in lines and notes is what was
    uint64_t tree;   ///< after so many changes; else it may be all of them.
};

/// Finds out what has changed, and counts it: the number of now. The others want it to be called first, whenever the
/// log may have changed. KIFU_NO_MEMORY, KIFU_TOO_LARGE, in `timeline->error`: the number is right, too, but the digest
/// may be missing.
kifu_result kifu__count_changes(kifu_timeline *timeline, uint64_t *count);

/// Where news since `change` begin.
kifu_result kifu__since_change(kifu_timeline *timeline, uint64_t change, kifu__since *since);

/// Digest of one event of a log, after that of what is in front of it. `blob` is room for it.
kifu_result kifu__digest_event(const kifu_timeline *timeline, uint32_t event, kifu__blob *blob, uint64_t *digest);

/// Digest of the log's first `count` events. KIFU_NO_MEMORY, KIFU_TOO_LARGE, in `timeline->error`.
kifu_result kifu__digest_log(kifu_timeline *timeline, uint32_t count, uint64_t *digest);

/// Number `index` of the places up to `base` of which there are digests, the last first: after so many events. 0: there
/// are no more.
uint32_t kifu__digest_place(uint32_t base, uint32_t index);

#endif
