#include "game.h"

#include "fen.h"

kifu_result chess_begin(kifu_timeline *timeline, const chess_setup *setup, fault *fault)
{
    chess_position position;
    struct fault ignored;
    if (setup->fen && !fen_read(setup->fen, &position, fault ? fault : &ignored))
        return KIFU_REJECTED;
    kifu_e_initialize_args initialize = kifu_e_initialize_defaults();
    initialize.has_seed = setup->seed != NULL;
    initialize.seed = setup->seed ? *setup->seed : 0;
    initialize.starting_player = (int8_t)setup->white;
    chess_submit_e_reset_game(timeline);
    chess_submit_e_add_player(timeline, 0, 0xf0f0f0);
    chess_submit_e_add_player(timeline, 1, 0x202020);
    chess_submit_e_initialize(timeline, &initialize);
    chess_submit_e_start_round(timeline);
    chess_submit_e_set_up(timeline, setup->fen);
    return kifu_run(timeline);
}

const char *chess_result(const chess_state *state)
{
    if (!state->ending)
        return "*";
    return state->winner == CHESS_SIDE_WHITE ? "1-0" : state->winner == CHESS_SIDE_BLACK ? "0-1" : "1/2-1/2";
}

const char *chess_end_in_words(const chess_state *state)
{
    const bool white = state->winner == CHESS_SIDE_WHITE;
    switch (state->ending) {
    case CHESS_ENDING_NONE:
        return "";
    case CHESS_ENDING_CHECKMATE:
        return white ? "Checkmate: white wins." : "Checkmate: black wins.";
    case CHESS_ENDING_RESIGNATION:
        return white ? "Black resigns: white wins." : "White resigns: black wins.";
    case CHESS_ENDING_STALEMATE:
        return "Stalemate: a draw.";
    case CHESS_ENDING_AGREEMENT:
        return "The players agree to a draw.";
    case CHESS_ENDING_MATERIAL:
        return "Nobody can give mate any more: a draw.";
    case CHESS_ENDING_THREEFOLD:
        return "The position stands for the third time: a draw.";
    case CHESS_ENDING_FIFTY_MOVES:
        return "Fifty moves without a capture or a pawn's move: a draw.";
    case CHESS_ENDING_FIVEFOLD:
        return "The position stands for the fifth time: a draw.";
    case CHESS_ENDING_SEVENTY_FIVE_MOVES:
        return "Seventy-five moves without a capture or a pawn's move: a draw.";
    default:
        return "The game is over.";
    }
}
