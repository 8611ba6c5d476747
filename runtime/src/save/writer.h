/// The writer of all saves: it compares a timeline with what a file says so far, and makes frames of the difference. A
/// whole save is the difference from nothing.
#ifndef KIFU_SRC_WRITER_H
#define KIFU_SRC_WRITER_H

#include <kifu/save.h>

#include "save/plan.h"

/// What the frames so far say. Zeroed: there are none.
typedef struct kifu__written {
    bool begun;             ///< There are frames, of an empty game perhaps.
    uint32_t events;        ///< In the log,
    uint32_t executed;      ///< and of them executed.
    uint32_t undone;        ///< How many undos a redo could take back.
    unsigned char *pending; ///< Payload of what waits; NULL: nothing. The plan's or the log file's.
    uint32_t pending_size;
    uint32_t pending_at;    ///< So many events were executed then: from there the payload counts back to causes.
    unsigned char *actions; ///< Payload of the actions that are set; NULL: none is. As `pending`.
    uint32_t actions_size;
} kifu__written;

// Each of these adds frames of `plan->timeline`. A failure is in `timeline->error`: KIFU_NO_MEMORY, KIFU_TOO_LARGE.

/// The header of a file, and the schema in a frame of its own where the options have a codec.
kifu_result kifu__plan_header(kifu__plan *plan, const kifu_save_options *options, int64_t saved_at);

/// What the file does not say yet of the log, of what redo can bring back, and of what waits; `written` says afterwards
/// what the file will. Adds nothing where nothing changed.
kifu_result kifu__plan_changes(kifu__plan *plan, kifu__written *written);

/// The state of the present, also while `kifu_seek` shows the past: its bytes and their hash, or the hash alone. Then
/// also what `kifu_seek` returns.
kifu_result kifu__plan_snapshot(kifu__plan *plan, bool with_state);

/// All that follows the header of a save that is whole; packed, unless `codec` is NULL. Then also what that returns.
kifu_result kifu__plan_rest(kifu__plan *plan, bool with_state, const kifu_codec *codec);

#endif
