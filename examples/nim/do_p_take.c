#include "nim/p_take.h"
#include "nim/e_end_game.h"

kifu_verdict nim_check_p_take(kifu_timeline *timeline, const nim_state *state, nim_p_take *take)
{
    if (kifu_player(timeline) != kifu_current_player(&state->game))
        return kifu_reject("it is the other player's turn");
    if (take->heap >= NIM_HEAPS_COUNT || take->count == 0 || take->count > state->heaps[take->heap])
        return kifu_reject("there are not that many stones");
    return kifu_accept();
}

void nim_list_p_take(const kifu_timeline *timeline, const nim_state *state, int player, kifu_moves *moves)
{
    (void)timeline, (void)player;
    for (uint8_t heap = 0; heap < NIM_HEAPS_COUNT; heap++) {
        for (uint16_t count = 1; count <= state->heaps[heap]; count++)
            nim_add_p_take(moves, heap, count, 0);
    }
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
