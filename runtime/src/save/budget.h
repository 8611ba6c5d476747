/// A budget: how much memory a file may make a load or a listing take. What would need more is refused before it is
/// allocated. While a file is read, its memory comes through a budget; each of its blocks is freed as any other.
///
/// It is an allocator around that of the timeline: nothing passes sizes along, and a part that reads a new frame cannot
/// forget it. It knows the sizes of the last 16 blocks, so what lives for one frame is free again; what is freed later
/// counts, so that no block needs a header.
#ifndef KIFU_SRC_BUDGET_H
#define KIFU_SRC_BUDGET_H

#include "base/error.h"
#include "base/memory.h"

/// Bytes that each budget has if the caller sets none.
#define KIFU__BUDGET_LEAST (UINT64_C(64) << 20)

/// A load has so many times the file besides.
enum { KIFU__BUDGET_TIMES = 64, KIFU__BUDGET_KNOWN = 16 };

typedef struct kifu__budget {
    kifu__memory memory; ///< Where it comes from.
    uint64_t most;       ///< Bytes that may be allocated,
    uint64_t left;       ///< and that still may.
    uint64_t needed;     ///< So many bytes were needed together when the first block was refused; 0: none was.
    /// The last blocks and their sizes: only what is freed again soon counts as free again.
    struct {
        void *block;
        size_t size;
    } known[KIFU__BUDGET_KNOWN];
    uint32_t next;
} kifu__budget;

/// Memory that comes from `memory`, and is counted in `budget`.
kifu__memory kifu__budget_begin(kifu__budget *budget, const kifu__memory *memory, uint64_t most);

/// `result`, of a call that had its memory from the budget: KIFU_NO_MEMORY becomes KIFU_TOO_LARGE where a block was
/// refused. Its message names `option`.
kifu_result kifu__budget_end(const kifu__budget *budget, const char *option, kifu_result result, kifu_error *error);

#endif
