/// A save that is read and not played: the loader is given this in the place of recovery
/// (`kifu_load_options.recover`). It reads all frames, and leaves no event to execute. So there is one reader, and no
/// second opinion about damage.
#ifndef KIFU_SRC_UNPLAYED_H
#define KIFU_SRC_UNPLAYED_H

#include "save/reader.h"

/// What one load says to the next functions.
typedef struct kifu__unplayed kifu__unplayed;
struct kifu__unplayed {
    kifu_recovery recovery; ///< What recovery found. The first member: `kifu_load` passes it on.
    /// Sees what was read, while `snapshots` are still there. NULL: nothing.
    void (*see)(kifu__unplayed *unplayed, const kifu__reader *reader);
    void *context; ///< For that.

    kifu_recoverer *recover; ///< For kifu__load_unplayed.
    uint32_t executed;
};

/// As kifu_load, or, if `path` is NULL, kifu_load_from_memory: a timeline of which nothing is executed, with all lines
/// and notes. Of `options` (may be NULL), `allocate` and `user` count. Of `load_options` (may be NULL), `fast`,
/// `allow_changed` and `changed` mean nothing.
kifu_result kifu__load_unplayed(const kifu_rules *rules, const char *path, const void *bytes, size_t size,
                                const kifu_options *options, const kifu_load_options *load_options,
                                kifu__unplayed *unplayed, kifu_timeline **timeline, kifu_error *error);

#endif
