#include "chess.h"
#include "moves.h"
#include "rules.h"

/// Asked before the event happens, and never again: what is in the log was legal.
kifu_verdict chess_check_p_move(kifu_timeline *timeline, const chess_state *state, chess_p_move *move)
{
    if (state->game.phase == KIFU_PHASE_SETUP)
        return kifu_reject("the game has not begun");
    if (kifu_player(timeline) != kifu_current_player(&state->game))
        return kifu_reject("it is the other player's turn");
    const char *fault = move_fault(&state->position, (chess_move){move->from, move->to, move->promotion});
    return fault ? kifu_reject(fault) : kifu_accept();
}

/// The moves of all pieces: the check knows which of them leave the king in check.
void chess_list_p_move(const kifu_timeline *timeline, const chess_state *state, int player, kifu_moves *moves)
{
    (void)timeline;
    chess_move candidates[MOST_MOVES];
    const uint32_t count = player == kifu_current_player(&state->game) ? moves_of(&state->position, candidates) : 0;
    for (uint32_t i = 0; i < count; i++)
        chess_add_p_move(moves, candidates[i].from, candidates[i].to, candidates[i].promotion);
}

/// The piece moves: with what it captures, the rook where the king castles, and what a pawn becomes. Then it is the
/// other player's turn, or the game is over.
kifu_result chess_do_p_move(kifu_timeline *timeline, const chess_state *state, const chess_p_move *move)
{
    const uint8_t from = move->from, to = move->to;
    if (from >= SQUARES || to >= SQUARES || move->promotion > CHESS_KIND_QUEEN)
        return kifu_fail(timeline, "that is not on the board"); // in a save that somebody has written by hand
    const change change = move_changes(&state->position, (chess_move){from, to, move->promotion});

    *chess_edit_position_board(timeline, from) = CHESS_PIECE_NONE;
    *chess_edit_position_board(timeline, to) = change.piece;
    if (change.rook_to != NO_SQUARE)
        *chess_edit_position_board(timeline, change.rook_to) = state->position.board[change.emptied];
    if (change.emptied != NO_SQUARE)
        *chess_edit_position_board(timeline, change.emptied) = CHESS_PIECE_NONE;
    const uint64_t key = state->keys[state->position.clocks.known] ^ change.key;
    *chess_edit_position_clocks(timeline) = change.clocks;
    *chess_edit_keys(timeline, change.clocks.known) = key;
    const chess_side next = position_to_move(&state->position);
    *kifu_edit_turn(timeline) = next;
    if (state->offer == next)
        *chess_edit_offer(timeline) = CHESS_SIDE_NOBODY; // a move declines it
    rules_finish(timeline, state, move_gives_check(&state->position, &change));
    return KIFU_OK;
}
