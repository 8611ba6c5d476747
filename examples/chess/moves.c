#include "moves.h"

#include <string.h>

#include "keys.h"
#include "steps.h"

enum { PAWN = CHESS_KIND_PAWN, KING = CHESS_KIND_KING };
enum {
    SHORT = CHESS_CASTLING_WHITE_SHORT | CHESS_CASTLING_BLACK_SHORT,
    LONG = CHESS_CASTLING_WHITE_LONG | CHESS_CASTLING_BLACK_LONG
};

// --- What a move changes ---------------------------------------------------------------------------------------------

// What can no longer be castled when a piece leaves a square, or comes there.
static const chess_castling castling_lost[SQUARES] = {
    [0] = CHESS_CASTLING_WHITE_LONG,
    [4] = CHESS_CASTLING_WHITE_LONG | CHESS_CASTLING_WHITE_SHORT,
    [7] = CHESS_CASTLING_WHITE_SHORT,
    [56] = CHESS_CASTLING_BLACK_LONG,
    [60] = CHESS_CASTLING_BLACK_LONG | CHESS_CASTLING_BLACK_SHORT,
    [63] = CHESS_CASTLING_BLACK_SHORT,
};

// Whether the pawn of the other side on `from` may capture en passant the one that has just come to `to`.
static bool can_capture(const chess_position *position, uint32_t from, uint32_t behind, uint32_t to)
{
    const chess_side side = side_of(position->board[from]);
    chess_piece board[SQUARES];
    memcpy(board, position->board, sizeof board);
    board[behind] = board[from];
    board[from] = board[to] = CHESS_PIECE_NONE;
    return !position_attacks(board, other_side(side), position->clocks.kings[side]);
}

static uint8_t en_passant_after(const chess_position *position, chess_move move)
{
    const uint32_t behind = (move.from + move.to) / 2u;
    const chess_piece enemy = position->board[move.from] ^ 8;
    const bool west = file_of(move.to) > 0 && position->board[move.to - 1] == enemy;
    const bool east = file_of(move.to) < 7 && position->board[move.to + 1] == enemy;
    if (!west && !east)
        return NO_SQUARE;
    chess_position after = *position;
    after.board[move.to] = after.board[move.from];
    after.board[move.from] = CHESS_PIECE_NONE;
    const bool can = (west && can_capture(&after, move.to - 1u, behind, move.to)) ||
                     (east && can_capture(&after, move.to + 1u, behind, move.to));
    return (uint8_t)(can ? behind : NO_SQUARE);
}

static void pawn_changes(const chess_position *position, chess_move move, change *change)
{
    const chess_side side = position_to_move(position);
    if (move.promotion)
        change->piece = piece_of(side, move.promotion);
    else if (move.to == position->clocks.en_passant)
        change->emptied = (uint8_t)(move.to ^ 8); // on the same file, one rank back
    else if ((move.from ^ move.to) == 16)
        change->clocks.en_passant = en_passant_after(position, move);
    if (change->emptied != NO_SQUARE)
        change->key ^= key_of(position->board[change->emptied], change->emptied);
    change->key ^= key_of_en_passant(change->clocks.en_passant);
}

static void king_changes(const chess_position *position, chess_move move, change *change)
{
    change->clocks.kings[position_to_move(position)] = move.to;
    const chess_castling both = position->clocks.castling & castling_lost[move.from];
    const bool is_short = move.to == move.from + 2 && both & SHORT, is_long = move.to + 2 == move.from && both & LONG;
    if (!is_short && !is_long)
        return;
    change->emptied = (uint8_t)(is_short ? move.to + 1 : move.to - 2);
    change->rook_to = (uint8_t)(is_short ? move.to - 1 : move.to + 1);
    const chess_piece rook = position->board[change->emptied];
    change->key ^= key_of(rook, change->emptied) ^ key_of(rook, change->rook_to);
}

change move_changes(const chess_position *position, chess_move move)
{
    const chess_clocks *now = &position->clocks;
    const chess_piece piece = position->board[move.from], captured = position->board[move.to];
    change change = {
        .clocks = *now, .from = move.from, .to = move.to, .piece = piece, .emptied = NO_SQUARE, .rook_to = NO_SQUARE};
    change.clocks.half_moves++;
    change.clocks.quiet++;
    change.clocks.known++;
    change.clocks.en_passant = NO_SQUARE;
    change.clocks.castling &= (chess_castling) ~(castling_lost[move.from] | castling_lost[move.to]);
    if (captured || kind_of(piece) == PAWN)
        change.clocks.quiet = change.clocks.known = 0;
    if (kind_of(piece) == PAWN)
        pawn_changes(position, move, &change);
    else if (kind_of(piece) == KING)
        king_changes(position, move, &change);
    change.key ^= key_of_turn() ^ key_of(piece, move.from) ^ key_of(captured, move.to) ^ key_of(change.piece, move.to) ^
                  key_of_castling(now->castling) ^ key_of_castling(change.clocks.castling) ^
                  key_of_en_passant(now->en_passant);
    return change;
}

void move_apply(chess_position *position, const change *change)
{
    position->board[change->from] = CHESS_PIECE_NONE;
    position->board[change->to] = change->piece;
    if (change->rook_to != NO_SQUARE)
        position->board[change->rook_to] = position->board[change->emptied];
    if (change->emptied != NO_SQUARE)
        position->board[change->emptied] = CHESS_PIECE_NONE;
    position->clocks = change->clocks;
}

bool move_gives_check(const chess_position *after, const change *change)
{
    const chess_side theirs = position_to_move(after), mine = other_side(theirs);
    const chess_piece *board = after->board;
    const uint32_t king = after->clocks.kings[theirs];
    const int32_t x = file_of(change->to) - file_of(king), y = rank_of(change->to) - rank_of(king);
    if (kind_of(change->piece) == CHESS_KIND_KNIGHT && (x * y == 2 || x * y == -2))
        return true;
    if (kind_of(change->piece) == PAWN && x * x == 1 && y == (mine == CHESS_SIDE_WHITE ? -1 : 1))
        return true;
    if (change->emptied != NO_SQUARE &&
        (position_attacks_over(board, mine, king, change->emptied) ||
         (change->rook_to != NO_SQUARE && position_attacks_over(board, mine, king, change->rook_to))))
        return true;
    return position_attacks_over(board, mine, king, change->to) ||
           position_attacks_over(board, mine, king, change->from);
}

// --- Which moves there are -------------------------------------------------------------------------------------------

static chess_move *add(chess_move *moves, uint32_t from, uint32_t to)
{
    *moves = (chess_move){.from = (uint8_t)from, .to = (uint8_t)to};
    return moves + 1;
}

static chess_move *add_pawn_move(chess_move *moves, uint32_t from, uint32_t to)
{
    if (rank_of(to) != 0 && rank_of(to) != 7)
        return add(moves, from, to);
    for (chess_kind kind = CHESS_KIND_QUEEN; kind >= CHESS_KIND_KNIGHT; kind--)
        *moves++ = (chess_move){.from = (uint8_t)from, .to = (uint8_t)to, .promotion = kind};
    return moves;
}

static bool is_enemy(const chess_position *position, uint32_t square, chess_side mine)
{
    return position->board[square] && side_of(position->board[square]) != mine;
}

static chess_move *add_pawn(const chess_position *position, uint32_t from, chess_side mine, chess_move *moves)
{
    const int32_t forward = step_forward(mine), place = step_from(from) + forward;
    const uint32_t ahead = step_to(place), home = mine == CHESS_SIDE_WHITE ? 1 : 6;
    if (ahead != NO_SQUARE && !position->board[ahead]) {
        moves = add_pawn_move(moves, from, ahead);
        const uint32_t second = step_to(place + forward);
        if (rank_of(from) == home && !position->board[second])
            moves = add(moves, from, second);
    }
    for (int32_t side = WEST; side <= EAST; side += EAST - WEST) {
        const uint32_t to = step_to(place + side);
        if (to != NO_SQUARE && (is_enemy(position, to, mine) || to == position->clocks.en_passant))
            moves = add_pawn_move(moves, from, to);
    }
    return moves;
}

static chess_move *add_steps(const chess_position *position, uint32_t from, chess_side mine, const int8_t *steps,
                             chess_move *moves)
{
    for (int i = 0; i < 8; i++) {
        const uint32_t to = step_to(step_from(from) + steps[i]);
        if (to != NO_SQUARE && (!position->board[to] || is_enemy(position, to, mine)))
            moves = add(moves, from, to);
    }
    return moves;
}

static chess_move *add_lines(const chess_position *position, uint32_t from, chess_side mine, int first, int end,
                             chess_move *moves)
{
    for (int i = first; i < end; i++) {
        int32_t place = step_from(from) + directions[i];
        for (; step_to(place) != NO_SQUARE && !position->board[step_to(place)]; place += directions[i])
            moves = add(moves, from, step_to(place));
        const uint32_t to = step_to(place);
        if (to != NO_SQUARE && is_enemy(position, to, mine))
            moves = add(moves, from, to);
    }
    return moves;
}

// The squares between king and rook are empty, and the king neither stands in check nor passes through one.
static bool may_castle(const chess_position *position, uint32_t king, chess_side mine, bool is_short)
{
    const chess_piece *board = position->board;
    if (is_short ? board[king + 1] || board[king + 2] : board[king - 1] || board[king - 2] || board[king - 3])
        return false;
    return !position_attacks(board, other_side(mine), king) &&
           !position_attacks(board, other_side(mine), is_short ? king + 1 : king - 1);
}

static chess_move *add_king(const chess_position *position, uint32_t from, chess_side mine, chess_move *moves)
{
    const chess_castling castling = position->clocks.castling & castling_lost[from];
    moves = add_steps(position, from, mine, directions, moves);
    if (castling & SHORT && may_castle(position, from, mine, true))
        moves = add(moves, from, from + 2);
    if (castling & LONG && may_castle(position, from, mine, false))
        moves = add(moves, from, from - 2);
    return moves;
}

static chess_move *add_from(const chess_position *position, uint32_t from, chess_side mine, chess_move *moves)
{
    switch (kind_of(position->board[from])) {
    case CHESS_KIND_PAWN:
        return add_pawn(position, from, mine, moves);
    case CHESS_KIND_KNIGHT:
        return add_steps(position, from, mine, knight_steps, moves);
    case CHESS_KIND_BISHOP:
        return add_lines(position, from, mine, 4, 8, moves);
    case CHESS_KIND_ROOK:
        return add_lines(position, from, mine, 0, 4, moves);
    case CHESS_KIND_QUEEN:
        return add_lines(position, from, mine, 0, 8, moves);
    default:
        return add_king(position, from, mine, moves);
    }
}

static bool is_mine(const chess_position *position, uint32_t square, chess_side mine)
{
    return position->board[square] && side_of(position->board[square]) == mine;
}

uint32_t moves_from(const chess_position *position, uint32_t from, chess_move *moves)
{
    const chess_side mine = position_to_move(position);
    return is_mine(position, from, mine) ? (uint32_t)(add_from(position, from, mine, moves) - moves) : 0;
}

uint32_t moves_of(const chess_position *position, chess_move *moves)
{
    const chess_side mine = position_to_move(position);
    chess_move *end = moves;
    for (uint32_t from = 0; from < SQUARES; from++) {
        if (is_mine(position, from, mine))
            end = add_from(position, from, mine, end);
    }
    return (uint32_t)(end - moves);
}

// --- Which of them are legal -----------------------------------------------------------------------------------------

bool move_is_safe(const chess_position *position, chess_move move)
{
    chess_position after = *position;
    const change change = move_changes(position, move);
    move_apply(&after, &change);
    return !position_in_check(&after, position_to_move(position));
}

uint32_t moves_legal(const chess_position *position, chess_move *moves)
{
    const uint32_t count = moves_of(position, moves);
    uint32_t legal = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (move_is_safe(position, moves[i]))
            moves[legal++] = moves[i];
    }
    return legal;
}

static const char *why_not_there(const chess_position *position, chess_move wanted, const chess_move *moves,
                                 uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (moves[i].to == wanted.to)
            return wanted.promotion
                       ? "only a pawn that reaches the last rank is promoted, to a knight, bishop, rook or queen"
                       : "say what the pawn becomes on the last rank";
    }
    if (kind_of(position->board[wanted.from]) == KING && (wanted.from + 2 == wanted.to || wanted.to + 2 == wanted.from))
        return "it cannot castle there now";
    return "that piece does not move there";
}

const char *move_fault(const chess_position *position, chess_move wanted)
{
    const chess_side mine = position_to_move(position);
    if (wanted.from >= SQUARES || wanted.to >= SQUARES)
        return "that is not on the board";
    if (!position->board[wanted.from])
        return "there is no piece on that square";
    if (!is_mine(position, wanted.from, mine))
        return "that piece is the other player's";
    chess_move moves[32];
    const uint32_t count = moves_from(position, wanted.from, moves);
    for (uint32_t i = 0; i < count; i++) {
        if (moves[i].to == wanted.to && moves[i].promotion == wanted.promotion) {
            if (move_is_safe(position, wanted))
                return NULL;
            return position_in_check(position, mine) ? "the king would still be in check"
                                                     : "the king would be in check";
        }
    }
    return why_not_there(position, wanted, moves, count);
}

// A pawn that can advance, and does not stand on a line with its king: nothing can follow from its move for the king.
static bool pawn_can_advance(const chess_position *position, chess_side mine)
{
    const uint32_t king = position->clocks.kings[mine];
    const int32_t ahead = mine == CHESS_SIDE_WHITE ? 8 : -8;
    for (uint32_t i = 8; i < 56; i++) {
        const uint32_t square = mine == CHESS_SIDE_WHITE ? i : 63 - i; // from where most pawns stand
        if (position->board[square] != piece_of(mine, PAWN) || position->board[(int32_t)square + ahead])
            continue;
        const int32_t x = file_of(square) - file_of(king), y = rank_of(square) - rank_of(king);
        if (x && y && x != y && x != -y)
            return true;
    }
    return false;
}

bool moves_exist(const chess_position *position, bool in_check)
{
    const chess_side mine = position_to_move(position);
    if (!in_check && pawn_can_advance(position, mine))
        return true;
    chess_move moves[MOST_MOVES];
    const uint32_t count = moves_of(position, moves);
    for (uint32_t i = 0; i < count; i++) {
        if (move_is_safe(position, moves[i]))
            return true;
    }
    return false;
}
