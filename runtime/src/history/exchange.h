/// A timeline becomes what another one is, which was made beside it.
#ifndef KIFU_SRC_EXCHANGE_H
#define KIFU_SRC_EXCHANGE_H

#include "core/timeline.h"

/// `timeline` gets the record of `loaded`, which has the same rules and is gone then: log, place, keyframes, what
/// waits, and what parts have of it. It is shown as `kifu_seek` shows a place. KIFU_NO_MEMORY: nothing is changed. What
/// the view did wrong is in `*fault`.
kifu_result kifu__become(kifu_timeline *timeline, kifu_timeline *loaded, kifu_error *fault);

#endif
