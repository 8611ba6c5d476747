/// Counts who holds what several timelines share, perhaps on several threads. Whoever is the only holder may change it;
/// whoever lets it go last frees it. Where the compiler has no atomics, nothing is shared.
#ifndef KIFU_SRC_HOLDERS_H
#define KIFU_SRC_HOLDERS_H

#include "base/memory.h"

typedef struct kifu__holders kifu__holders;

/// For what has one holder. NULL without memory or atomics: it always has one then, which all of these functions know.
kifu__holders *kifu__holders_new(const kifu__memory *memory);

/// One more. False: it cannot be shared.
bool kifu__hold(kifu__holders *holders);

/// Whether there is one. All that the others did is done then.
bool kifu__is_only_holder(const kifu__holders *holders);

/// One less. True: it was the last, and the count is freed.
bool kifu__let_go(kifu__holders *holders, const kifu__memory *memory);

#endif
