/// Reference counts of what several timelines share, perhaps on several threads. An only holder may change it; the last
/// one that releases it frees it. Where the compiler has no atomics, nothing is shared.
#ifndef KIFU_SRC_HOLDERS_H
#define KIFU_SRC_HOLDERS_H

#include <stdbool.h>

#ifndef __STDC_NO_ATOMICS__
#include <stdatomic.h>
typedef atomic_uint kifu__holder_count;
#else
typedef unsigned kifu__holder_count;
#endif

/// Lies in the memory of what is shared. NULL for what cannot be shared: it always has one holder.
typedef struct kifu__holders {
    kifu__holder_count count;
} kifu__holders;

/// For what has one holder.
void kifu__hold_first(kifu__holders *holders);

/// One more. False: it cannot be shared.
bool kifu__hold(kifu__holders *holders);

/// Whether there is one. All that the others did is done then.
bool kifu__is_only_holder(const kifu__holders *holders);

/// One less. True: it was the last.
bool kifu__let_go(kifu__holders *holders);

#endif
