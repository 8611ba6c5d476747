/// The triggered abilities of the cards: what follows an event or a change without being part of it.
#ifndef TRIGGERS_H
#define TRIGGERS_H

#include "duel.h"

/// All of them. For `kifu_options.observers`, so that a loaded game and a fork have them, too.
extern const kifu_observers duel_triggers;

#endif
