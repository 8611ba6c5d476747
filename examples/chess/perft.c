#include "perft.h"

static uint64_t games_after(kifu_timeline *timeline, chess_move move, uint32_t depth, kifu_result *result)
{
    const int player = kifu_current_player(kifu_get_game(timeline));
    *result = chess_try_p_move(timeline, player, move.from, move.to, move.promotion);
    if (*result)
        return 0;
    const uint64_t games = chess_perft(timeline, depth, result);
    const kifu_result taken_back = kifu_take_back(timeline);
    if (!*result)
        *result = taken_back;
    return games;
}

uint64_t chess_perft(kifu_timeline *timeline, uint32_t depth, kifu_result *result)
{
    const chess_position *position = &chess_get_state(timeline)->position;
    chess_move moves[MOST_MOVES];
    uint64_t games = 0;
    if (depth == 0)
        return 1;
    const uint32_t count = moves_legal(position, moves);
    for (uint32_t i = 0; i < count && !*result; i++)
        games += games_after(timeline, moves[i], depth - 1, result);
    return games;
}

uint32_t chess_divide(kifu_timeline *timeline, uint32_t depth, chess_move *moves, uint64_t *counts, kifu_result *result)
{
    const uint32_t count = moves_legal(&chess_get_state(timeline)->position, moves);
    for (uint32_t i = 0; i < count && !*result; i++)
        counts[i] = games_after(timeline, moves[i], depth - 1, result);
    return count;
}
