#include "chess.h"
#include "fen.h"
#include "rules.h"

static const char *text_of(const chess_e_set_up *set_up)
{
    const char *fen = chess_e_set_up_fen(set_up);
    return fen ? fen : fen_start;
}

/// `chess_begin` says where the fault is.
kifu_verdict chess_check_e_set_up(kifu_timeline *timeline, const chess_state *state, chess_e_set_up *set_up)
{
    (void)timeline;
    (void)state;
    chess_position position;
    fault fault;
    return fen_read(text_of(set_up), &position, &fault) ? kifu_accept() : kifu_reject("this is not FEN");
}

/// The pieces are set up. A game may begin with its end.
kifu_result chess_do_e_set_up(kifu_timeline *timeline, const chess_state *state, const chess_e_set_up *set_up)
{
    chess_position position;
    fault fault;
    if (!fen_read(text_of(set_up), &position, &fault)) // in a save that somebody has written by hand
        return kifu_fail(timeline, fault.message);
    *chess_edit_position(timeline) = position;
    *chess_edit_keys(timeline, 0) = position_key(&position);
    *chess_edit_ending(timeline) = CHESS_ENDING_NONE;
    *chess_edit_winner(timeline) = CHESS_SIDE_NOBODY;
    *chess_edit_offer(timeline) = CHESS_SIDE_NOBODY;
    *kifu_edit_turn(timeline) = position_to_move(&position);
    rules_finish(timeline, state, position_in_check(&position, position_to_move(&position)));
    return KIFU_OK;
}
