/// What the borrowed segments of a loaded log are a part of.
#ifndef KIFU_SRC_LOADED_H
#define KIFU_SRC_LOADED_H

#include "base/os.h"
#include "core/timeline.h"

typedef struct kifu__loaded {
    kifu__part part;
    kifu__file file; ///< The file,
    void **blocks;   ///< and what was unpacked from it, piece by piece.
    uint32_t count;
    uint32_t capacity;
} kifu__loaded;

/// For a timeline that is being loaded. NULL without memory.
kifu__loaded *kifu__loaded_attach(kifu_timeline *timeline);

/// Frees what no segment is a part of.
void kifu__loaded_release(kifu_timeline *timeline, kifu__loaded *loaded);

#endif
