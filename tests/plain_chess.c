#include "plain_chess.h"

#include "rules.h"

static void judge(chess_state *state, bool in_check)
{
    const chess_ending ending = rules_ending(state, in_check);
    if (!ending)
        return;
    state->ending = ending;
    state->winner =
        ending == CHESS_ENDING_CHECKMATE ? other_side(position_to_move(&state->position)) : CHESS_SIDE_NOBODY;
    state->game.phase = KIFU_PHASE_GAME_OVER;
}

void plain_make(chess_state *state, chess_move move, bool judged, plain_taken *taken)
{
    chess_position *position = &state->position;
    const change change = move_changes(position, move);
    const chess_side mine = position_to_move(position);
    const uint64_t key = state->keys[position->clocks.known] ^ change.key;
    uint64_t *new_key = &state->keys[change.clocks.known];
    *taken = (plain_taken){.change = change,
                           .clocks = position->clocks,
                           .key = *new_key,
                           .piece = position->board[change.from],
                           .captured = position->board[change.to],
                           .offer = state->offer,
                           .winner = state->winner,
                           .ending = state->ending,
                           .turn = state->game.turn};
    position->board[change.from] = CHESS_PIECE_NONE;
    position->board[change.to] = change.piece;
    if (change.emptied != NO_SQUARE) {
        taken->emptied = position->board[change.emptied];
        position->board[change.emptied] = CHESS_PIECE_NONE;
    }
    if (change.rook_to != NO_SQUARE)
        position->board[change.rook_to] = taken->emptied;
    position->clocks = change.clocks;
    *new_key = key;
    state->game.turn = other_side(mine);
    if (state->offer == other_side(mine))
        state->offer = CHESS_SIDE_NOBODY;
    if (judged)
        judge(state, move_gives_check(position, &change));
}

void plain_unmake(chess_state *state, const plain_taken *taken)
{
    const change *change = &taken->change;
    chess_piece *board = state->position.board;
    if (change->rook_to != NO_SQUARE)
        board[change->rook_to] = CHESS_PIECE_NONE;
    if (change->emptied != NO_SQUARE)
        board[change->emptied] = taken->emptied;
    board[change->to] = taken->captured;
    board[change->from] = taken->piece;
    state->position.clocks = taken->clocks;
    state->keys[change->clocks.known] = taken->key;
    state->offer = taken->offer;
    state->winner = taken->winner;
    state->ending = taken->ending;
    state->game.turn = taken->turn;
    state->game.phase = KIFU_PHASE_PLAY;
}

uint64_t plain_perft(chess_state *state, uint32_t depth, bool judged, uint64_t *made)
{
    const chess_side mine = position_to_move(&state->position);
    chess_move moves[MOST_MOVES];
    plain_taken taken;
    uint64_t games = 0;
    if (depth == 0)
        return 1;
    const uint32_t count = moves_of(&state->position, moves);
    *made += count;
    for (uint32_t i = 0; i < count; i++) {
        plain_make(state, moves[i], judged, &taken);
        if (!position_in_check(&state->position, mine))
            games += plain_perft(state, depth - 1, judged, made);
        plain_unmake(state, &taken);
    }
    return games;
}
