#include "san.h"

#include <stddef.h>
#include <string.h>

#include "moves.h"

static const char letters[] = "..NBRQK"; // by chess_kind; a pawn has none

// --- Writing ---------------------------------------------------------------------------------------------------------

// What tells `move` from the other moves of such a piece to the same square: its file, its rank, or both.
static char *write_origin(const chess_position *position, chess_move wanted, char *text)
{
    chess_move moves[MOST_MOVES];
    const uint32_t count = moves_legal(position, moves);
    bool others = false, same_file = false, same_rank = false;
    for (uint32_t i = 0; i < count; i++) {
        if (moves[i].to != wanted.to || moves[i].from == wanted.from ||
            position->board[moves[i].from] != position->board[wanted.from])
            continue;
        others = true;
        same_file |= file_of(moves[i].from) == file_of(wanted.from);
        same_rank |= rank_of(moves[i].from) == rank_of(wanted.from);
    }
    char name[3];
    square_name(wanted.from, name);
    if (others && (!same_file || same_rank))
        *text++ = name[0];
    if (same_file)
        *text++ = name[1];
    return text;
}

static char *write_piece_move(const chess_position *position, chess_move move, char *text)
{
    const chess_kind kind = kind_of(position->board[move.from]);
    const bool captures =
        position->board[move.to] || (kind == CHESS_KIND_PAWN && file_of(move.from) != file_of(move.to));
    if (kind != CHESS_KIND_PAWN) {
        *text++ = letters[kind];
        text = write_origin(position, move, text);
    } else if (captures) {
        *text++ = (char)('a' + file_of(move.from));
    }
    if (captures)
        *text++ = 'x';
    square_name(move.to, text);
    text += 2;
    if (move.promotion) {
        *text++ = '=';
        *text++ = letters[move.promotion];
    }
    return text;
}

void san_write(const chess_position *position, chess_move move, char *text)
{
    const change change = move_changes(position, move);
    if (change.rook_to != NO_SQUARE) {
        const char *castling = move.to > move.from ? "O-O" : "O-O-O";
        strcpy(text, castling);
        text += strlen(castling);
    } else {
        text = write_piece_move(position, move, text);
    }
    chess_position after = *position;
    move_apply(&after, &change);
    const bool check = position_in_check(&after, position_to_move(&after));
    if (check)
        *text++ = moves_exist(&after, true) ? '+' : '#';
    *text = '\0';
}

// --- Reading ---------------------------------------------------------------------------------------------------------

// What a text says of a move.
typedef struct pattern {
    chess_kind kind, promotion;
    int file, rank; // of its origin; -1: not said
    uint32_t to;
} pattern;

static chess_kind kind_named(char letter)
{
    const char *found = letter && letter != '.' ? strchr(letters, letter) : NULL;
    return found ? (chess_kind)(found - letters) : CHESS_KIND_NONE;
}

static bool no_move(fault *fault, size_t column)
{
    return fault_say(fault, 1, (uint32_t)column + 1, "this is no move; moves are written as e4, Nf3, exd5, O-O, e8=Q");
}

static size_t without_marks(const char *text, size_t length)
{
    while (length > 0 && strchr("+#!?", text[length - 1]))
        length--;
    return length;
}

static bool read_castling(const chess_position *position, const char *text, size_t length, pattern *pattern)
{
    char plain[6] = "";
    for (size_t i = 0; i < length && i < 5; i++)
        plain[i] = text[i];
    if (plain[0] == '0') {
        for (size_t i = 0; i < 5; i++)
            plain[i] = plain[i] == '0' ? 'O' : plain[i];
    }
    const bool is_short = length == 3 && !strcmp(plain, "O-O"), is_long = length == 5 && !strcmp(plain, "O-O-O");
    const uint8_t king = position->clocks.kings[position_to_move(position)];
    *pattern = (struct pattern){.kind = CHESS_KIND_KING, .file = file_of(king), .rank = rank_of(king)};
    pattern->to = is_short ? king + 2u : king - 2u;
    return (is_short || is_long) && file_of(king) == 4;
}

// From the end to the beginning: promotion, target, "x", what is said of the origin, and the piece.
static bool read_pattern(const char *text, size_t length, pattern *pattern, fault *fault)
{
    size_t end = length, begin = 0;
    *pattern = (struct pattern){.kind = CHESS_KIND_PAWN, .file = -1, .rank = -1};
    if (length && kind_named(text[0]))
        pattern->kind = kind_named(text[begin++]);
    if (end - begin > 2 && kind_named(text[end - 1])) {
        pattern->promotion = kind_named(text[--end]);
        end -= text[end - 1] == '=';
    }
    const char target[3] = {end - begin >= 2 ? text[end - 2] : '\0', end - begin >= 2 ? text[end - 1] : '\0', '\0'};
    pattern->to = square_named(target);
    if (pattern->to == NO_SQUARE)
        return no_move(fault, end - begin >= 2 ? end - 2 : begin);
    end -= 2;
    end -= end > begin && (text[end - 1] == 'x' || text[end - 1] == '-');
    if (end > begin && text[begin] >= 'a' && text[begin] <= 'h')
        pattern->file = text[begin++] - 'a';
    if (end > begin && text[begin] >= '1' && text[begin] <= '8')
        pattern->rank = text[begin++] - '1';
    return begin == end || no_move(fault, begin);
}

static bool fits(const chess_position *position, const pattern *pattern, chess_move move)
{
    return kind_of(position->board[move.from]) == pattern->kind && move.to == pattern->to &&
           move.promotion == pattern->promotion && (pattern->file < 0 || file_of(move.from) == pattern->file) &&
           (pattern->rank < 0 || rank_of(move.from) == pattern->rank);
}

// No legal move fits: why not?
static bool impossible(const chess_position *position, const pattern *pattern, fault *fault)
{
    static const char *const names[] = {"piece", "pawn", "knight", "bishop", "rook", "queen", "king"};
    chess_move moves[MOST_MOVES];
    const uint32_t count = moves_of(position, moves);
    char square[3];
    square_name(pattern->to, square);
    for (uint32_t i = 0; i < count; i++) {
        if (fits(position, pattern, moves[i]))
            return fault_say(fault, 1, 1, "%s", move_fault(position, moves[i]));
        if (pattern->kind == CHESS_KIND_PAWN && kind_of(position->board[moves[i].from]) == CHESS_KIND_PAWN &&
            moves[i].to == pattern->to && !pattern->promotion)
            return fault_say(fault, 1, 1, "say what the pawn becomes on %s, as in %s=Q", square, square);
    }
    return fault_say(fault, 1, 1, "no %s of %s can move to %s%s", names[pattern->kind],
                     position_to_move(position) == CHESS_SIDE_WHITE ? "white" : "black", square,
                     pattern->file >= 0 || pattern->rank >= 0 ? " from there" : "");
}

static bool find(const chess_position *position, const pattern *pattern, chess_move *found, fault *fault)
{
    chess_move moves[MOST_MOVES];
    const uint32_t count = moves_legal(position, moves);
    uint32_t fitting = 0;
    char first[SAN_LENGTH], second[SAN_LENGTH];
    for (uint32_t i = 0; i < count; i++) {
        if (!fits(position, pattern, moves[i]))
            continue;
        if (fitting++) {
            san_write(position, *found, first);
            san_write(position, moves[i], second);
            return fault_say(fault, 1, 1, "two pieces can move there: write %s or %s", first, second);
        }
        *found = moves[i];
    }
    return fitting || impossible(position, pattern, fault);
}

bool san_read(const chess_position *position, const char *text, size_t length, chess_move *found, fault *fault)
{
    pattern pattern;
    const size_t end = without_marks(text, length);
    if (end && (text[0] == 'O' || text[0] == '0')) {
        if (!read_castling(position, text, end, &pattern))
            return fault_say(fault, 1, 1, "the king cannot castle there now");
        const chess_move castling = {.from = position->clocks.kings[position_to_move(position)],
                                     .to = (uint8_t)pattern.to};
        const char *why = move_fault(position, castling);
        *found = castling;
        return !why || fault_say(fault, 1, 1, "%s", why);
    }
    return read_pattern(text, end, &pattern, fault) && find(position, &pattern, found, fault);
}
