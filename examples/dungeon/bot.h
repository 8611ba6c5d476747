/// A simple player: explores, rests, fights, drinks, goes down. It knows what the hero has seen, and nothing else.
#ifndef BOT_H
#define BOT_H

#include "dungeon.h"

/// What it would do now: a command of game.h. Depends on nothing but the state.
char bot_command(const dungeon_state *state);

/// Plays until the game is over, or for so many commands; `commands` (may be NULL) has room for them and a final zero.
/// `*count` (may be NULL): how many. Results as `dungeon_play`.
kifu_result bot_play(kifu_timeline *timeline, uint32_t most, char *commands, uint32_t *count);

#endif
