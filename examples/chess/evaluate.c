#include "evaluate.h"

const int evaluate_worth[7] = {0, 100, 320, 330, 500, 900, 0};

// What a square adds, seen from white's side with rank 8 on top.
static const int8_t pawn_squares[SQUARES] = {
    0,  0,  0,  0,   0,   0,  0,  0,  //
    50, 50, 50, 50,  50,  50, 50, 50, //
    10, 10, 20, 30,  30,  20, 10, 10, //
    5,  5,  10, 25,  25,  10, 5,  5,  //
    0,  0,  0,  22,  22,  0,  0,  0,  //
    5,  -5, -8, 0,   0,   -8, -5, 5,  //
    5,  10, 10, -22, -22, 10, 10, 5,  //
    0,  0,  0,  0,   0,   0,  0,  0,  //
};
static const int8_t knight_squares[SQUARES] = {
    -50, -40, -30, -30, -30, -30, -40, -50, //
    -40, -20, 0,   0,   0,   0,   -20, -40, //
    -30, 0,   10,  15,  15,  10,  0,   -30, //
    -30, 5,   15,  20,  20,  15,  5,   -30, //
    -30, 0,   15,  20,  20,  15,  0,   -30, //
    -30, 5,   10,  15,  15,  10,  5,   -30, //
    -40, -20, 0,   5,   5,   0,   -20, -40, //
    -50, -40, -30, -30, -30, -30, -40, -50, //
};
static const int8_t bishop_squares[SQUARES] = {
    -20, -10, -10, -10, -10, -10, -10, -20, //
    -10, 0,   0,   0,   0,   0,   0,   -10, //
    -10, 0,   5,   10,  10,  5,   0,   -10, //
    -10, 5,   5,   10,  10,  5,   5,   -10, //
    -10, 0,   10,  10,  10,  10,  0,   -10, //
    -10, 10,  10,  10,  10,  10,  10,  -10, //
    -10, 8,   0,   0,   0,   0,   8,   -10, //
    -20, -10, -10, -10, -10, -10, -10, -20, //
};
static const int8_t rook_squares[SQUARES] = {
    0,  0,  0,  0,  0,  0,  0,  0,  //
    8,  10, 10, 10, 10, 10, 10, 8,  //
    -5, 0,  0,  0,  0,  0,  0,  -5, //
    -5, 0,  0,  0,  0,  0,  0,  -5, //
    -5, 0,  0,  0,  0,  0,  0,  -5, //
    -5, 0,  0,  0,  0,  0,  0,  -5, //
    -5, 0,  0,  0,  0,  0,  0,  -5, //
    0,  0,  0,  8,  8,  4,  0,  0,  //
};
static const int8_t queen_squares[SQUARES] = {
    -20, -10, -10, -5, -5, -10, -10, -20, //
    -10, 0,   0,   0,  0,  0,   0,   -10, //
    -10, 0,   5,   5,  5,  5,   0,   -10, //
    -5,  0,   5,   5,  5,  5,   0,   -5,  //
    -5,  0,   5,   5,  5,  5,   0,   -5,  //
    -10, 0,   5,   5,  5,  5,   0,   -10, //
    -10, 0,   0,   0,  0,  0,   0,   -10, //
    -20, -10, -10, -5, -5, -10, -10, -20, //
};
static const int8_t king_squares[SQUARES] = {
    -30, -40, -40, -50, -50, -40, -40, -30, //
    -30, -40, -40, -50, -50, -40, -40, -30, //
    -30, -40, -40, -50, -50, -40, -40, -30, //
    -30, -40, -40, -50, -50, -40, -40, -30, //
    -20, -30, -30, -40, -40, -30, -30, -20, //
    -10, -20, -20, -20, -20, -20, -20, -10, //
    20,  20,  0,   0,   0,   0,   20,  20,  //
    20,  30,  10,  0,   0,   10,  30,  20,  //
};
// Where few pieces are left, the king goes to the middle.
static const int8_t late_king_squares[SQUARES] = {
    -50, -40, -30, -20, -20, -30, -40, -50, //
    -30, -20, -10, 0,   0,   -10, -20, -30, //
    -30, -10, 20,  30,  30,  20,  -10, -30, //
    -30, -10, 30,  40,  40,  30,  -10, -30, //
    -30, -10, 30,  40,  40,  30,  -10, -30, //
    -30, -10, 20,  30,  30,  20,  -10, -30, //
    -30, -30, 0,   0,   0,   0,   -30, -30, //
    -50, -30, -30, -30, -30, -30, -30, -50, //
};
static const int8_t *const squares_of[] = {NULL,         pawn_squares,  knight_squares, bishop_squares,
                                           rook_squares, queen_squares, king_squares};

enum { LATE = 1400 }; // both sides' pieces without pawns and kings

// A lone king is driven to the edge, and the other king comes near.
static int drive(const chess_position *position, chess_side winner)
{
    const int lone = position->clocks.kings[other_side(winner)], king = position->clocks.kings[winner];
    const int x = file_of((uint32_t)lone), y = rank_of((uint32_t)lone);
    const int dx = x - file_of((uint32_t)king), dy = y - rank_of((uint32_t)king);
    const int from_middle = (x < 4 ? 3 - x : x - 4) + (y < 4 ? 3 - y : y - 4);
    return 20 * from_middle - 5 * ((dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy));
}

int evaluate(const chess_position *position)
{
    int worth[2] = {0, 0}, pieces[2] = {0, 0}, pawns[2] = {0, 0};
    for (uint32_t square = 0; square < SQUARES; square++) {
        const chess_piece piece = position->board[square];
        if (!piece)
            continue;
        const chess_kind kind = kind_of(piece);
        const chess_side side = side_of(piece);
        if (kind != CHESS_KIND_KING)
            worth[side] += evaluate_worth[kind] + squares_of[kind][side == CHESS_SIDE_WHITE ? square ^ 56 : square];
        if (kind == CHESS_KIND_PAWN)
            pawns[side]++;
        else
            pieces[side] += evaluate_worth[kind];
    }
    const int8_t *kings = pieces[0] + pieces[1] > LATE ? king_squares : late_king_squares;
    worth[CHESS_SIDE_WHITE] += kings[position->clocks.kings[CHESS_SIDE_WHITE] ^ 56];
    worth[CHESS_SIDE_BLACK] += kings[position->clocks.kings[CHESS_SIDE_BLACK]];
    for (chess_side side = CHESS_SIDE_WHITE; side <= CHESS_SIDE_BLACK; side++) {
        if (!pieces[other_side(side)] && !pawns[other_side(side)])
            worth[side] += drive(position, side);
    }
    const chess_side mine = position_to_move(position);
    return worth[mine] - worth[other_side(mine)];
}
