/// Reactions and triggers that have waited for the end of a transaction.
#ifndef KIFU_SRC_DEFERRED_H
#define KIFU_SRC_DEFERRED_H

#include <kifu/kifu.h>

/// Runs the reactions and triggers of the events from number `first` on. If one of them fails, takes back what they
/// submitted; the error says what did not happen: `otherwise`.
kifu_result kifu__react_to_all(kifu_timeline *timeline, uint32_t first, const char *otherwise);

#endif
