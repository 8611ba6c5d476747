#include "backgammon/e_end_game.h"
#include "backgammon/e_end_turn.h"
#include "backgammon/p_move.h"
#include "board.h"

kifu_verdict backgammon_check_p_move(kifu_timeline *timeline, const backgammon_state *state, backgammon_p_move *move)
{
    const int player = kifu_player(timeline);
    if (state->game.phase != KIFU_PHASE_PLAY || player != kifu_current_player(&state->game))
        return kifu_reject("it is not your turn");
    if (!board_is_legal(&state->board, player, move->from, move->die))
        return kifu_reject("the dice do not allow that");
    return kifu_accept();
}

/// Every place and every die: the check knows which of them are legal.
void backgammon_list_p_move(const kifu_timeline *timeline, const backgammon_state *state, int player, kifu_moves *moves)
{
    (void)timeline;
    if (player != kifu_current_player(&state->game) || player < 0)
        return;
    for (uint8_t die = 1; die <= 6; die++) {
        for (uint8_t from = BOARD_BAR; from > BOARD_OFF; from--) {
            if (state->board.sides[player].places[from])
                backgammon_add_p_move(moves, from, die);
        }
    }
}

/// A player moves one checker by one die. What follows is an event of its own, and undo takes it back with the move.
kifu_result backgammon_do_p_move(kifu_timeline *timeline, const backgammon_state *state, const backgammon_p_move *move,
                                 backgammon_p_move_transient *transient)
{
    const int player = kifu_player(timeline);
    if (player < 0 || !board_is_legal(&state->board, player, move->from, move->die))
        return kifu_fail(timeline, "the dice do not allow that"); // in a save that somebody has written by hand
    transient->hits = board_play(backgammon_edit_board(timeline), player, move->from, move->die);
    if (board_won(&state->board, player))
        backgammon_submit_e_end_game(timeline);
    else if (!board_most(&state->board, player))
        backgammon_submit_e_end_turn(timeline);
    return KIFU_OK;
}
