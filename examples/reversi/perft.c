#include "perft.h"

#include "board.h"

uint64_t reversi_perft(kifu_timeline *timeline, uint32_t depth, kifu_result *result)
{
    const reversi_state *state = reversi_get_state(timeline);
    if (depth == 0 || state->game.phase == KIFU_PHASE_GAME_OVER)
        return 1;
    uint8_t moves[BOARD_SQUARES];
    uint32_t count = board_moves(state->board, board_to_move(&state->game), moves);
    uint64_t games = 0;
    for (uint32_t i = 0; i < count; i++) {
        reversi_p_place_args place = reversi_p_place_defaults();
        place.square = moves[i];
        *result = reversi_try_legal_p_place(timeline, kifu_current_player(&state->game), &place);
        if (*result)
            return 0;
        uint32_t rest = depth - 1;
        kifu_event last;
        if (rest && kifu_event_at(timeline, kifu_event_count(timeline) - 1, &last) && last.type == REVERSI_E_PASS)
            rest--; // the other player's pass followed by itself
        games += reversi_perft(timeline, rest, result);
        kifu_take_back(timeline);
        if (*result)
            return 0;
    }
    return games;
}
