/// Events in words, for the screen: "Ann plays Healer".
#ifndef WORDS_H
#define WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "duel.h"

/// Writes what an event of the log says, as everybody may know it; false for those that say nothing by themselves (a
/// card announced, a land tapped). `names` are the players'.
bool words_of_event(const kifu_timeline *timeline, const kifu_event *event, const char *const *names, char *words,
                    size_t size);

/// The name of a target: a card's kind, or a player.
const char *words_of_target(const duel_state *state, uint32_t target, const char *const *names);

#endif
