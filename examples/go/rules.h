/// What a player may do, and who has won.
#ifndef RULES_H
#define RULES_H

#include "board.h"

/// Whose stones a player has: who is first in turn order is black. GO_STONE_NONE for anybody else.
go_stone rules_stone_of(const kifu_game *game, int player);

/// Who is to move.
go_stone rules_to_move(const kifu_game *game);

/// Why `stone` may not play on a point; NULL: it may. What it would capture is in `captured` then, and the number of
/// the position after it in `key`.
const char *rules_fault(const go_state *state, go_stone stone, uint32_t point, points *captured, uint64_t *key);

/// Why a player may not do what belongs to a stage of the game; NULL: he or she may. `in_turn`: only who is to move.
const char *rules_stage_fault(const go_state *state, int player, go_stage stage, bool in_turn);

/// For Do functions: no stone is marked as dead any more, nobody has agreed or passed, and the game goes on.
void rules_stop_counting(kifu_timeline *timeline, const go_state *state);

/// By how much black is ahead if the marked stones are dead, in half points. With territory counting, surrounded points
/// count in a seki, too.
int32_t rules_lead(const go_state *state);

/// Who owns each point, as `rules_lead` counts: of stones, their colour; of marked stones the other; of empty points,
/// who surrounds them alone.
void rules_owners(const go_state *state, go_stone owners[MOST_POINTS]);

#endif
