/// The frames of a save before they are written: with what of a timeline is in memory as it will be in the file, and
/// payloads that are made for it.
#ifndef KIFU_SRC_SAVE_PLAN_H
#define KIFU_SRC_SAVE_PLAN_H

#include <kifu/save.h>

#include "save/frame.h"
#include "core/timeline.h"

typedef struct kifu__piece {
    uint32_t kind;
    uint32_t size;
    unsigned char *payload;
    bool owned; ///< By the plan; else a part of the log, or of another owner.
} kifu__piece;

typedef struct kifu__save_plan {
    kifu_timeline *timeline;
    kifu__piece *pieces;
    uint32_t count;
    uint32_t capacity;
    uint64_t size; ///< Of all frames.
} kifu__save_plan;

// Each of these adds frames of `plan->timeline`: KIFU_NO_MEMORY, KIFU_TOO_LARGE.

/// An owned payload is freed even when it cannot be added.
kifu_result kifu__plan_add(kifu__save_plan *plan, uint32_t kind, unsigned char *payload, uint32_t size, bool owned);

kifu_result kifu__plan_header(kifu__save_plan *plan, const kifu_save_options *options, int64_t saved_at);

/// All that has happened, and what redo can bring back.
kifu_result kifu__plan_past(kifu__save_plan *plan);

/// That, and what waits.
kifu_result kifu__plan_game(kifu__save_plan *plan);

/// The events of the log from number `first` on, and their hashes. Where there are none: an empty segment.
kifu_result kifu__plan_events(kifu__save_plan *plan, uint32_t first);

/// Proposals that wait, or waited before an undo, when `executed` events were executed. `*payload` is NULL when there
/// are none; else the caller's.
kifu_result kifu__plan_waiting(kifu_timeline *timeline, const kifu__queue *consequences, const kifu__queue *inputs,
                               uint32_t executed, unsigned char **payload, uint32_t *size);

kifu_result kifu__plan_rewind(kifu__save_plan *plan, uint32_t count);

/// Of the state of now; with its bytes, unless the model is outside of it, or only with their hash.
kifu_result kifu__plan_snapshot(kifu__save_plan *plan, bool with_state);

kifu_result kifu__plan_end(kifu__save_plan *plan);

/// Calls `work`, with the present there even where `kifu_seek` shows the past. Without success it says why in
/// `timeline->error`.
kifu_result kifu__plan_in_present(kifu__save_plan *plan, kifu_result (*work)(kifu__save_plan *plan, void *context),
                                  void *context);

/// Version of the format, that a reader must know.
uint32_t kifu__plan_version(const kifu__save_plan *plan);

/// All frames, without the file header.
kifu_result kifu__plan_write(const kifu__save_plan *plan, kifu__sink *sink);

void kifu__plan_drop(kifu__save_plan *plan);

#endif
