// Looks ahead by moves that are tried and taken back: begin a search, submit, run, roll back. The rules are not written
// twice.

#include "ai.h"

#include <limits.h>

#include "board.h"

enum { WIN = 10000 };

// What a disc on a square is worth before the end: corners are for ever, and their neighbours give them away.
static const int8_t worth[BOARD_SQUARES] = {
    90,  -25, 9, 7, 7, 9, -25, 90,  //
    -25, -45, 1, 1, 1, 1, -45, -25, //
    9,   1,   4, 2, 2, 4, 1,   9,   //
    7,   1,   2, 1, 1, 2, 1,   7,   //
    7,   1,   2, 1, 1, 2, 1,   7,   //
    9,   1,   4, 2, 2, 4, 1,   9,   //
    -25, -45, 1, 1, 1, 1, -45, -25, //
    90,  -25, 9, 7, 7, 9, -25, 90,  //
};

static int evaluate(const reversi_state *state, reversi_disc mine)
{
    reversi_disc theirs = board_other(mine);
    if (state->game.phase == KIFU_PHASE_GAME_OVER) {
        int lead = (int)board_count(state->board, mine) - (int)board_count(state->board, theirs);
        return lead > 0 ? WIN + lead : lead < 0 ? -WIN + lead : 0;
    }
    uint8_t moves[BOARD_SQUARES];
    int score = 6 * ((int)board_moves(state->board, mine, moves) - (int)board_moves(state->board, theirs, moves));
    for (uint32_t square = 0; square < BOARD_SQUARES; square++) {
        if (state->board[square] == mine)
            score += worth[square];
        else if (state->board[square] == theirs)
            score -= worth[square];
    }
    return score;
}

typedef struct search {
    kifu_timeline *timeline;
    const reversi_state *state; // of the timeline
    kifu_result result;         // the first failure
} search;

static int best(search *search, uint32_t depth, int alpha, int beta);

// What the position after a move is worth for who makes it.
static int try_move(search *search, uint32_t square, uint32_t depth, int alpha, int beta)
{
    const kifu_game *game = &search->state->game;
    int player = kifu_current_player(game);
    search->result = kifu_begin(search->timeline, KIFU_SEARCH);
    if (search->result)
        return 0;
    reversi_p_place_args place = reversi_p_place_defaults();
    place.square = (uint8_t)square;
    reversi_submit_p_place(search->timeline, player, &place);
    search->result = kifu_run(search->timeline);
    if (search->result)
        return 0;
    // After a pass the same player moves again.
    int score = kifu_current_player(game) == player ? best(search, depth - 1, alpha, beta)
                                                    : -best(search, depth - 1, -beta, -alpha);
    if (!search->result)
        search->result = kifu_roll_back(search->timeline);
    return score;
}

// What the position is worth for the player to move: negamax with alpha and beta.
static int best(search *search, uint32_t depth, int alpha, int beta)
{
    const reversi_state *state = search->state;
    reversi_disc mine = board_to_move(&state->game);
    if (depth == 0 || state->game.phase == KIFU_PHASE_GAME_OVER)
        return evaluate(state, mine);
    uint8_t moves[BOARD_SQUARES];
    uint32_t count = board_moves(state->board, mine, moves);
    for (uint32_t i = 0; i < count && alpha < beta && !search->result; i++) {
        int score = try_move(search, moves[i], depth, alpha, beta);
        if (score > alpha)
            alpha = score;
    }
    return alpha;
}

static kifu_result choose(kifu_timeline *timeline, uint32_t depth, uint32_t *square, kifu_error *error)
{
    search search = {.timeline = timeline, .state = reversi_get_state(timeline)};
    uint8_t moves[BOARD_SQUARES];
    uint32_t count = board_moves(search.state->board, board_to_move(&search.state->game), moves);
    int alpha = -INT_MAX;
    for (uint32_t i = 0; i < count && !search.result; i++) {
        int score = try_move(&search, moves[i], depth ? depth : 1, alpha, INT_MAX);
        if (score > alpha) {
            alpha = score;
            *square = moves[i];
        }
    }
    if (search.result && error)
        *error = *kifu_last_error(timeline);
    return search.result;
}

kifu_result reversi_ai_move(kifu_timeline *timeline, uint32_t depth, uint32_t *square, kifu_error *error)
{
    const kifu_game *game = kifu_get_game(timeline);
    if (game->phase != KIFU_PHASE_PLAY || !board_can_move(reversi_get_state(timeline)->board, board_to_move(game))) {
        if (error)
            *error = (kifu_error){
                .result = KIFU_MISUSE, .event = KIFU_NONE, .offset = UINT64_MAX, .message = "nobody can move"};
        return KIFU_MISUSE;
    }
    // On a copy, so that the game may go on being shown, by another thread for instance.
    kifu_timeline *copy;
    kifu_result result = kifu_fork(timeline, KIFU_PRESENT, NULL, &copy, error);
    if (result)
        return result;
    result = choose(copy, depth, square, error);
    kifu_destroy(copy);
    return result;
}
