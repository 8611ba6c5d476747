#include "fen.h"

#include <stdio.h>
#include <string.h>

#include "moves.h"

enum { MOST_QUIET = 150, LAST_MOVE = 9999 };

const char fen_start[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

static const char letters[] = ".PNBRQK..pnbrqk";
static const char castlings[] = "KQkq";

typedef struct reader {
    const char *text, *at;
    chess_position *position;
    fault *fault;
    char left_out[5]; // castlings
    const char *left_out_at;
} reader;

static bool wrong(const reader *reader, const char *message)
{
    return fault_say(reader->fault, 1, (uint32_t)(reader->at - reader->text) + 1, "%s", message);
}

static bool read_space(reader *reader, const char *message)
{
    if (*reader->at != ' ')
        return wrong(reader, message);
    while (*reader->at == ' ')
        reader->at++;
    return true;
}

// --- The board -------------------------------------------------------------------------------------------------------

static bool read_rank(reader *reader, uint32_t first)
{
    for (uint32_t file = 0; file < 8; reader->at++) {
        const char c = *reader->at;
        const char *letter = c && c != '.' ? strchr(letters, c) : NULL;
        if (letter)
            reader->position->board[first + file++] = (chess_piece)(letter - letters);
        else if (c >= '1' && c <= '8' && file + (uint32_t)(c - '0') <= 8)
            file += (uint32_t)(c - '0');
        else if (c >= '1' && c <= '9')
            return wrong(reader, "this rank has more than eight squares");
        else if (c == '/' || c == ' ' || c == '\0')
            return wrong(reader, "this rank has fewer than eight squares");
        else
            return wrong(reader, "a piece is one of PNBRQK or pnbrqk, and empty squares are a number from 1 to 8");
    }
    return true;
}

static bool read_board(reader *reader)
{
    for (uint32_t rank = 8; rank-- > 0;) {
        if (!read_rank(reader, rank * 8))
            return false;
        if (rank && *reader->at != '/')
            return wrong(reader, *reader->at == ' ' || !*reader->at ? "there are fewer than eight ranks"
                                                                    : "this rank has more than eight squares");
        reader->at += rank != 0;
    }
    if (*reader->at == '/')
        return wrong(reader, "there are more than eight ranks");
    return true;
}

// Whether these can be one side's pieces: what is more than at the beginning was a pawn.
static bool count_pieces(const reader *reader, chess_side side)
{
    static const int at_first[] = {0, 8, 2, 2, 2, 1, 1};
    const char *name = side == CHESS_SIDE_WHITE ? "white" : "black";
    int counts[8] = {0}, promoted = 0;
    for (uint32_t square = 0; square < SQUARES; square++) {
        const chess_piece piece = reader->position->board[square];
        if (!piece || side_of(piece) != side)
            continue;
        counts[kind_of(piece)]++;
        if (kind_of(piece) == CHESS_KIND_KING)
            reader->position->clocks.kings[side] = (uint8_t)square;
        if (kind_of(piece) == CHESS_KIND_PAWN && (rank_of(square) == 0 || rank_of(square) == 7))
            return fault_say(reader->fault, 1, 1, "a %s pawn stands on the first or last rank", name);
    }
    if (counts[CHESS_KIND_KING] != 1)
        return fault_say(reader->fault, 1, 1, "%s has %d kings", name, counts[CHESS_KIND_KING]);
    for (int kind = CHESS_KIND_KNIGHT; kind <= CHESS_KIND_QUEEN; kind++)
        promoted += counts[kind] > at_first[kind] ? counts[kind] - at_first[kind] : 0;
    if (counts[CHESS_KIND_PAWN] + promoted > 8)
        return fault_say(reader->fault, 1, 1, "%s has more pieces than eight pawns can become", name);
    return true;
}

// --- What follows the board ------------------------------------------------------------------------------------------

static bool read_turn(reader *reader)
{
    if ((*reader->at != 'w' && *reader->at != 'b') || (reader->at[1] != ' ' && reader->at[1]))
        return wrong(reader, "w or b says who is to move");
    reader->position->clocks.half_moves = *reader->at++ == 'b';
    return true;
}

// Many programs write castlings that are no longer possible. The first one is where it is said, with all of them.
static void leave_out(reader *reader, char letter)
{
    const size_t length = strlen(reader->left_out);
    if (!length)
        reader->left_out_at = reader->at;
    if (length + 1 < sizeof reader->left_out)
        reader->left_out[length] = letter;
}

static bool read_castling(reader *reader)
{
    static const uint8_t kings[] = {4, 4, 60, 60}, rooks[] = {7, 0, 63, 56};
    const chess_piece *board = reader->position->board;
    if (*reader->at == '-') {
        reader->at++;
        return true;
    }
    for (; *reader->at && *reader->at != ' '; reader->at++) {
        const char *letter = strchr(castlings, *reader->at);
        if (!letter && strchr("ABCDEFGHabcdefgh", *reader->at))
            return wrong(reader, "castling is any of KQkq, or -; the files of rooks belong to Chess960");
        if (!letter)
            return wrong(reader, "castling is any of KQkq, or -");
        const size_t which = (size_t)(letter - castlings);
        const chess_side side = which < 2 ? CHESS_SIDE_WHITE : CHESS_SIDE_BLACK;
        if (board[kings[which]] != piece_of(side, CHESS_KIND_KING) ||
            board[rooks[which]] != piece_of(side, CHESS_KIND_ROOK))
            leave_out(reader, *letter);
        else
            reader->position->clocks.castling |= (chess_castling)(1u << which);
    }
    return true;
}

// Whether a pawn of the side to move may capture there.
static bool can_capture(const chess_position *position)
{
    chess_move moves[MOST_MOVES];
    const uint32_t count = moves_legal(position, moves);
    for (uint32_t i = 0; i < count; i++) {
        if (moves[i].to == position->clocks.en_passant && kind_of(position->board[moves[i].from]) == CHESS_KIND_PAWN)
            return true;
    }
    return false;
}

static bool read_en_passant(reader *reader)
{
    chess_position *position = reader->position;
    position->clocks.en_passant = NO_SQUARE;
    if (*reader->at == '-') {
        reader->at++;
        return true;
    }
    const uint32_t square = square_named(reader->at);
    const chess_side mine = position_to_move(position);
    if (square == NO_SQUARE || rank_of(square) != (mine == CHESS_SIDE_WHITE ? 5 : 2))
        return wrong(reader, mine == CHESS_SIDE_WHITE ? "the en passant square is one from a6 to h6, or -"
                                                      : "the en passant square is one from a3 to h3, or -");
    const uint32_t pawn = square ^ 8, home = square ^ 24; // where it stands, and where it stood
    if (position->board[pawn] != piece_of(other_side(mine), CHESS_KIND_PAWN) || position->board[square] ||
        position->board[home])
        return wrong(reader, "no pawn can just have advanced over the en passant square");
    reader->at += 2;
    position->clocks.en_passant = (uint8_t)square;
    if (!can_capture(position))
        position->clocks.en_passant = NO_SQUARE;
    return true;
}

static bool read_number(reader *reader, uint32_t low, uint32_t high, uint32_t *number, const char *message)
{
    const char *begin = reader->at;
    *number = 0;
    for (; *reader->at >= '0' && *reader->at <= '9' && reader->at - begin < 5; reader->at++)
        *number = *number * 10 + (uint32_t)(*reader->at - '0');
    if (reader->at > begin && (*reader->at == ' ' || !*reader->at) && *number >= low && *number <= high)
        return true;
    reader->at = begin;
    return wrong(reader, message);
}

static bool read_numbers(reader *reader)
{
    uint32_t quiet = 0, number = 1;
    if (*reader->at && !read_space(reader, "a space and two numbers, or the end, come here"))
        return false;
    if (*reader->at && !read_number(reader, 0, MOST_QUIET, &quiet, "the half-move clock is a number from 0 to 150"))
        return false;
    while (*reader->at == ' ')
        reader->at++;
    if (*reader->at && !read_number(reader, 0, LAST_MOVE, &number, "the number of the move is one from 1 to 9999"))
        return false;
    number += number == 0; // many programs begin with it
    while (*reader->at == ' ')
        reader->at++;
    if (*reader->at)
        return wrong(reader, "nothing comes behind the number of the move");
    reader->position->clocks.quiet = (uint8_t)quiet;
    reader->position->clocks.half_moves = (uint16_t)(reader->position->clocks.half_moves + (number - 1) * 2);
    return true;
}

// Whether anything but space is left. The last fields may be absent.
static bool has_field(reader *reader)
{
    const char *at = reader->at + strspn(reader->at, " ");
    reader->at = *at ? reader->at : at;
    return *at;
}

bool fen_read(const char *text, chess_position *position, fault *fault)
{
    reader reader = {.text = text, .at = text, .position = position, .fault = fault};
    memset(position, 0, sizeof *position);
    position->clocks.en_passant = NO_SQUARE;
    fault->line = 0;
    if (!read_board(&reader) || !count_pieces(&reader, CHESS_SIDE_WHITE) || !count_pieces(&reader, CHESS_SIDE_BLACK) ||
        !read_space(&reader, "a space and who is to move (w or b) come here") || !read_turn(&reader))
        return false;
    if (position_in_check(position, other_side(position_to_move(position))))
        return fault_say(fault, 1, (uint32_t)(reader.at - text), "who is to move could capture the king");
    if (has_field(&reader) &&
        (!read_space(&reader, "a space and the castling (any of KQkq, or -) come here") || !read_castling(&reader)))
        return false;
    if (has_field(&reader) &&
        (!read_space(&reader, "a space and the en passant square (or -) come here") || !read_en_passant(&reader)))
        return false;
    if (!read_numbers(&reader))
        return false;
    if (*reader.left_out)
        fault_say(fault, 1, (uint32_t)(reader.left_out_at - text) + 1,
                  "castling %s was left out: it needs king and rook where they began", reader.left_out);
    return true;
}

void fen_write(const chess_position *position, char *text)
{
    const chess_clocks *clocks = &position->clocks;
    for (uint32_t rank = 8; rank-- > 0;) {
        char empty = 0;
        for (uint32_t square = rank * 8; square < rank * 8 + 8; square++) {
            const chess_piece piece = position->board[square];
            empty = (char)(piece ? empty : empty + 1);
            if (empty && (piece || square % 8 == 7)) {
                *text++ = (char)('0' + empty);
                empty = 0;
            }
            if (piece)
                *text++ = letters[piece];
        }
        *text++ = rank ? '/' : ' ';
    }
    *text++ = position_to_move(position) == CHESS_SIDE_WHITE ? 'w' : 'b';
    *text++ = ' ';
    for (uint32_t which = 0; which < 4; which++) {
        if (clocks->castling & 1u << which)
            *text++ = castlings[which];
    }
    if (!clocks->castling)
        *text++ = '-';
    char square[3] = "-";
    if (clocks->en_passant != NO_SQUARE)
        square_name(clocks->en_passant, square);
    sprintf(text, " %s %u %u", square, (unsigned)clocks->quiet, clocks->half_moves / 2u + 1);
}
