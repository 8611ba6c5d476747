/// A save before it is written: all its frames, in order.
#ifndef KIFU_SRC_SAVE_PLAN_H
#define KIFU_SRC_SAVE_PLAN_H

#include "timeline_impl.h"

typedef struct kifu__piece {
    uint32_t kind;
    uint32_t size;
    unsigned char *payload;
    bool owned; ///< By the plan; else a part of the log.
} kifu__piece;

typedef struct kifu__save_plan {
    kifu_timeline *timeline;
    kifu__piece *pieces;
    uint32_t count;
    uint32_t capacity;
    uint64_t size; ///< Of the whole file.
} kifu__save_plan;

void kifu__plan_drop(kifu__save_plan *plan);

/// Adds a frame. An owned payload is freed even when it cannot be added.
kifu_result kifu__plan_add(kifu__save_plan *plan, uint32_t kind, unsigned char *payload, uint32_t size, bool owned);

/// Version of the format, that a reader must know.
uint32_t kifu__plan_version(const kifu__save_plan *plan);

#endif
