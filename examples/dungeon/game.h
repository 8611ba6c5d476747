/// What a user interface, a bot and the tests call: how a game begins, and what the hero does.
#ifndef GAME_H
#define GAME_H

#include <stdbool.h>

#include "dungeon.h"

/// Starts a game on a timeline that has `dungeon_hooks`; behind another game on it, too. `seed` NULL: any. Results as
/// `kifu_run`.
kifu_result dungeon_begin(kifu_timeline *timeline, const uint64_t *seed);

/// What the hero can be told to do, one character each:
///
///     y k u    and  .  rest        >  down the stairs            Y K U        R  rest until healed
///     h   l         g  take        1 … 8  use that item          H   L  run   x  explore
///     b j n                                                      B J N        w  walk to the stairs
bool dungeon_is_command(int command);

/// Submits what the command says, as an input, and returns its ticket; 0: it says nothing that makes sense. With
/// `final` it cannot be undone.
kifu_ticket dungeon_submit_command(kifu_timeline *timeline, char command, bool final);

/// Makes the hero do it, all at once, and takes turns until the hero is to act again, or the game is over. Where it
/// cannot be done, KIFU_REJECTED, and `kifu_last_error` says why; no time has passed. Other results as
/// `kifu_take_turn`. For bots and tests: a view takes one turn after the other.
kifu_result dungeon_play(kifu_timeline *timeline, char command);

/// Takes turns until the hero is to act, or the game is over.
kifu_result dungeon_go_on(kifu_timeline *timeline);

/// Whether the game has ended, one way or the other.
bool dungeon_is_over(const dungeon_state *state);

#endif
