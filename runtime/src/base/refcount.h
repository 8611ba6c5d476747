/// Reference counts of what several timelines share, perhaps on several threads. What has one reference may be changed;
/// the call that releases the last one says so, and its caller frees the memory. Where the compiler has no atomics,
/// nothing is shared.
#ifndef KIFU_SRC_REFCOUNT_H
#define KIFU_SRC_REFCOUNT_H

#include <stdbool.h>

#ifndef __STDC_NO_ATOMICS__
#include <stdatomic.h>
typedef atomic_uint kifu__atomic_count;
#else
typedef unsigned kifu__atomic_count;
#endif

/// Lies in the memory of what is shared. NULL for what cannot be shared: it always has one reference.
typedef struct kifu__refcount {
    kifu__atomic_count count;
} kifu__refcount;

/// One reference.
void kifu__refcount_begin(kifu__refcount *refs);

/// One more. False: it cannot be shared.
bool kifu__retain(kifu__refcount *refs);

/// Whether there is one. All that was done through the others is done then.
bool kifu__is_unshared(const kifu__refcount *refs);

/// One less. True: it was the last.
bool kifu__release(kifu__refcount *refs);

#endif
