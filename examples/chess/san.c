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

bool san_plain(const char *text, size_t length, char *plain)
{
    static const struct {
        const char *sign, *plain;
    } signs[] = {{"\u2010", "-"}, {"\u2011", "-"},   {"\u2012", "-"}, {"\u2013", "-"}, {"\u2014", "-"}, {"\u2212", "-"},
                 {"\u00d7", "x"}, {"\u00bd", "1/2"}, {"\u2654", "K"}, {"\u2655", "Q"}, {"\u2656", "R"}, {"\u2657", "B"},
                 {"\u2658", "N"}, {"\u2659", ""},    {"\u265a", "K"}, {"\u265b", "Q"}, {"\u265c", "R"}, {"\u265d", "B"},
                 {"\u265e", "N"}, {"\u265f", ""},    {"\u041e", "O"}};
    const char *end = text + length;
    size_t used = 0;
    while (text < end) {
        const char *found = NULL;
        size_t skipped = 1;
        for (size_t i = 0; (unsigned char)*text >= 0x80 && i < sizeof signs / sizeof *signs && !found; i++) {
            const size_t bytes = strlen(signs[i].sign);
            if ((size_t)(end - text) >= bytes && !memcmp(text, signs[i].sign, bytes))
                found = signs[i].plain, skipped = bytes;
        }
        const size_t added = found ? strlen(found) : 1;
        if (used + added >= SAN_PLAIN)
            return false;
        memcpy(plain + used, found ? found : text, added);
        used += added;
        text += skipped;
    }
    plain[used] = '\0';
    return true;
}

// "O-O", "0-0-0", "o-o": how many rooks' squares are jumped over, 2 or 3; 0: this is no castling.
static size_t castling_length(const char *text, size_t length)
{
    size_t letters = 0;
    for (size_t i = 0; i < length; i++) {
        const bool letter = text[i] == 'O' || text[i] == '0' || text[i] == 'o';
        if (!letter && (text[i] != '-' || !i || i + 1 == length || text[i - 1] == '-'))
            return 0;
        letters += letter;
    }
    return letters == 2 || letters == 3 ? letters : 0;
}

static bool read_castling(const chess_position *position, size_t letters, chess_move *found, fault *fault)
{
    const uint8_t king = position->clocks.kings[position_to_move(position)];
    *found = (chess_move){.from = king, .to = letters == 2 ? king + 2 : king - 2};
    const char *why = file_of(king) != 4 ? "the king cannot castle there now" : move_fault(position, *found);
    return !why || fault_say(fault, 1, 1, "%s", why);
}

// From the end to the beginning: promotion, target, "x", what is said of the origin, and the piece.
static bool read_pattern(const chess_position *position, const char *text, size_t length, pattern *pattern,
                         fault *fault)
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
    if (kind_named(text[0]) == CHESS_KIND_NONE && pattern->file >= 0 && pattern->rank >= 0) // "g1f3", as programs write
        pattern->kind = kind_of(position->board[8 * pattern->rank + pattern->file]);
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
        struct pattern promoted = *pattern;
        promoted.promotion = moves[i].promotion;
        if (!pattern->promotion && moves[i].promotion && fits(position, &promoted, moves[i]))
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
    char plain[SAN_PLAIN];
    if (!san_plain(text, length, plain))
        return no_move(fault, 0);
    const size_t end = without_marks(plain, strlen(plain)), castling = castling_length(plain, end);
    if (castling)
        return read_castling(position, castling, found, fault);
    return read_pattern(position, plain, end, &pattern, fault) && find(position, &pattern, found, fault);
}
