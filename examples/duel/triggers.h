/// The triggered abilities of the cards: what follows an event or a change without being part of it.
#ifndef TRIGGERS_H
#define TRIGGERS_H

#include "duel.h"

/// Adds them all. To be called for every timeline on which the game goes on: a new one, a loaded one, a fork.
/// Errors: KIFU_NO_MEMORY.
KIFU_WARN_UNUSED kifu_result duel_add_triggers(kifu_timeline *timeline);

#endif
