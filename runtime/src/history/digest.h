/// Content hashes of events, to find the same ones.
#ifndef KIFU_SRC_DIGEST_H
#define KIFU_SRC_DIGEST_H

#include "core/timeline.h"

/// Mixes an event of the log or of a line into `*digest`: its fields, mark and rules version. `blob` is room for it.
/// KIFU_NO_MEMORY, KIFU_TOO_LARGE.
kifu_result kifu__digest_slot(const kifu_timeline *timeline, const kifu__segment *segment, uint32_t slot,
                              kifu__blob *blob, uint64_t *digest);

#endif
