/// The triggered abilities of the cards: what follows an event or a change without being part of it.
#ifndef TRIGGERS_H
#define TRIGGERS_H

#include "duel.h"

/// Adds them all. For `kifu_options.prepare`, so that a loaded game and a fork have them, too.
/// Errors: KIFU_NO_MEMORY.
KIFU_WARN_UNUSED kifu_result duel_add_triggers(kifu_timeline *timeline);

#endif
