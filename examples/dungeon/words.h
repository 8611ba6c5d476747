/// Events in words, as the hero sees and hears them: "The goblin hits you for 3."
#ifndef WORDS_H
#define WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "dungeon.h"

/// "you", "the goblin", and with a capital letter where a sentence begins. A being that is gone: "somebody".
const char *words_who(const dungeon_state *state, kifu_handle being, char *words, size_t size);

/// What an event that has just happened says; false: nothing, or nobody is there to see it. `item`: of a PPickUp.
bool words_of_event(const dungeon_state *state, uint32_t type, const void *event, kifu_handle item, char *words,
                    size_t size);

/// How it ended, or how it stands.
void words_of_end(const dungeon_state *state, char *words, size_t size);

#endif
