#include "rules.h"

#include "moves.h"

enum { FIFTY = 100, SEVENTY_FIVE = 150 }; // half-moves

chess_side rules_side_of(const kifu_game *game, int player)
{
    for (uint32_t i = 0; i < game->player_count && i < 2; i++) {
        if (game->order[i] == player)
            return (chess_side)i;
    }
    return CHESS_SIDE_NOBODY;
}

// How often a position stood among the last `known` ones before number `last`, with the same player to move.
static uint32_t count_before(const chess_state *state, uint64_t key, uint32_t last)
{
    uint32_t count = 0;
    for (uint32_t i = last; i >= 2;) {
        i -= 2;
        count += state->keys[i] == key;
    }
    return count;
}

uint32_t rules_repetitions(const chess_state *state)
{
    const uint32_t now = state->position.clocks.known;
    return 1 + count_before(state, state->keys[now], now);
}

static chess_ending claim(uint32_t repetitions, uint32_t quiet)
{
    return repetitions >= 3 ? CHESS_ENDING_THREEFOLD : quiet >= FIFTY ? CHESS_ENDING_FIFTY_MOVES : CHESS_ENDING_NONE;
}

chess_ending rules_claim(const chess_state *state)
{
    return claim(rules_repetitions(state), state->position.clocks.quiet);
}

chess_ending rules_claim_after(const chess_state *state, uint8_t from, uint8_t to, chess_kind promotion)
{
    const change change = move_changes(&state->position, (chess_move){from, to, promotion});
    const uint64_t key = state->keys[state->position.clocks.known] ^ change.key;
    return claim(1 + count_before(state, key, change.clocks.known), change.clocks.quiet);
}

chess_ending rules_ending(const chess_state *state, bool in_check)
{
    const chess_position *position = &state->position;
    if (!moves_exist(position, in_check))
        return in_check ? CHESS_ENDING_CHECKMATE : CHESS_ENDING_STALEMATE;
    if (position->clocks.known == 0 && position_is_dead(position)) // it was not dead before the last capture
        return CHESS_ENDING_MATERIAL;
    if (position->clocks.known >= 16 && rules_repetitions(state) >= 5)
        return CHESS_ENDING_FIVEFOLD;
    return position->clocks.quiet >= SEVENTY_FIVE ? CHESS_ENDING_SEVENTY_FIVE_MOVES : CHESS_ENDING_NONE;
}

void rules_end(kifu_timeline *timeline, const chess_state *state, chess_ending ending)
{
    const chess_side winner = other_side(position_to_move(&state->position));
    chess_submit_e_finish(timeline, ending, ending == CHESS_ENDING_CHECKMATE ? winner : CHESS_SIDE_NOBODY);
}
