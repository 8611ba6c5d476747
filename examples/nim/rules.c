#include "nim.h"

#pragma GCC diagnostic ignored "-Wunused-parameter" // a function uses what it needs of what it gets

kifu_result nim_do_e_deal(kifu_timeline *timeline, const nim_state *state, const nim_e_deal *deal)
{
    const uint16_t *stones = nim_e_deal_stones(deal);
    for (uint32_t i = 0; i < nim_e_deal_stones_count(deal); i++)
        *nim_edit_heaps(timeline, i) = stones[i];
    return KIFU_OK;
}

kifu_verdict nim_check_p_take(kifu_timeline *timeline, const nim_state *state, nim_p_take *take)
{
    if (kifu_player(timeline) != kifu_current_player(&state->game))
        return kifu_reject("it is the other player's turn");
    if (take->heap >= NIM_HEAPS_COUNT || take->count == 0 || take->count > state->heaps[take->heap])
        return kifu_reject("there are not that many stones");
    return kifu_accept();
}

kifu_result nim_do_p_take(kifu_timeline *timeline, const nim_state *state, const nim_p_take *take)
{
    *nim_edit_heaps(timeline, take->heap) -= take->count;

    if (state->heaps[0] + state->heaps[1] + state->heaps[2] + state->heaps[3] == 0)
        nim_submit_e_end_game(timeline);
    else
        kifu_next_turn(timeline, &state->game);
    return KIFU_OK;
}

/// A player resigns.
kifu_verdict nim_check_p_resign(kifu_timeline *timeline, const nim_state *state, nim_p_resign *resign)
{
    if (kifu_player(timeline) != kifu_current_player(&state->game))
        return kifu_reject("it is the other player's turn");
    return kifu_accept();
}

kifu_result nim_do_p_resign(kifu_timeline *timeline, const nim_state *state, const nim_p_resign *resign)
{
    kifu_next_turn(timeline, &state->game); /* the other player wins */
    nim_submit_e_end_game(timeline);
    return KIFU_OK;
}

void nim_list_p_take(const kifu_timeline *timeline, const nim_state *state, int player, kifu_moves *moves)
{
    for (uint8_t heap = 0; heap < NIM_HEAPS_COUNT; heap++) {
        for (uint16_t count = 1; count <= state->heaps[heap]; count++)
            nim_add_p_take(moves, heap, count, 0);
    }
}
