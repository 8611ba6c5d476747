/// What monsters do when it is their turn.
#ifndef AI_H
#define AI_H

#include "dungeon.h"

/// For `kifu_take_turn`: decides for monsters. The hero is asked for (0), unless `kifu_set_action` has set an action.
kifu_ticket dungeon_decide(void *context, kifu_timeline *timeline, const void *state, kifu_handle actor,
                           uint32_t attempt);

#endif
