/// The frames of a save, or of what is appended to a log file, before they are written: all of them are made first, so
/// that one that cannot be made leaves the file as it is, and packing can join them.
#ifndef KIFU_SRC_PLAN_H
#define KIFU_SRC_PLAN_H

#include "core/timeline.h"
#include "save/frame.h"

typedef struct kifu__piece {
    uint32_t kind;
    uint32_t size;
    unsigned char *payload;
    bool owned; ///< By the plan; else a part of the log, or of another owner.
} kifu__piece;

typedef struct kifu__plan {
    kifu_timeline *timeline;
    kifu__piece *pieces;
    uint32_t count;
    uint32_t capacity;
    uint64_t size; ///< Of all frames.
} kifu__plan;

/// Adds a frame. An owned payload is freed even when it cannot be added: KIFU_NO_MEMORY.
kifu_result kifu__plan_add(kifu__plan *plan, uint32_t kind, unsigned char *payload, uint32_t size, bool owned);

/// Says in `timeline->error` that there will be no such plan; `result`.
kifu_result kifu__plan_fail(const kifu__plan *plan, kifu_result result);

/// Version of the format that a reader of these frames must know.
uint32_t kifu__plan_version(const kifu__plan *plan);

/// Writes all frames, without the file header.
kifu_result kifu__plan_write(const kifu__plan *plan, kifu__sink *sink);

/// Frees the plan. It is empty then.
void kifu__plan_drop(kifu__plan *plan);

#endif
