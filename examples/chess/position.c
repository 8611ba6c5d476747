#include "position.h"

#include "keys.h"
#include "steps.h"

static bool pawn_attacks(const chess_piece *board, chess_side side, int32_t place)
{
    const chess_piece pawn = piece_of(side, CHESS_KIND_PAWN);
    const uint32_t east = step_to(place - step_forward(side) + EAST), west = step_to(place - step_forward(side) + WEST);
    return (east != NO_SQUARE && board[east] == pawn) || (west != NO_SQUARE && board[west] == pawn);
}

static bool knight_attacks(const chess_piece *board, chess_side side, int32_t place)
{
    const chess_piece knight = piece_of(side, CHESS_KIND_KNIGHT);
    for (int i = 0; i < 8; i++) {
        const uint32_t square = step_to(place + knight_steps[i]);
        if (square != NO_SQUARE && board[square] == knight)
            return true;
    }
    return false;
}

// From the square outwards, to the first piece: a queen, `slider`, or a king one step away.
static inline bool line_attacks(const chess_piece *board, chess_side side, chess_kind slider, int32_t place,
                                int32_t step)
{
    int32_t at = place;
    uint32_t square;
    do {
        at += step;
        square = step_to(at);
        if (square == NO_SQUARE)
            return false;
    } while (board[square] == CHESS_PIECE_NONE);
    const chess_piece piece = board[square];
    return piece == piece_of(side, CHESS_KIND_QUEEN) || piece == piece_of(side, slider) ||
           (piece == piece_of(side, CHESS_KIND_KING) && at == place + step);
}

bool position_attacks(const chess_piece *board, chess_side side, uint32_t square)
{
    const int32_t place = step_from(square);
    for (int i = 0; i < 4; i++) {
        if (line_attacks(board, side, CHESS_KIND_ROOK, place, directions[i]) ||
            line_attacks(board, side, CHESS_KIND_BISHOP, place, directions[i + 4]))
            return true;
    }
    return knight_attacks(board, side, place) || pawn_attacks(board, side, place);
}

static int32_t sign(int32_t number)
{
    return (number > 0) - (number < 0);
}

bool position_attacks_over(const chess_piece *board, chess_side side, uint32_t square, uint32_t over)
{
    const int32_t x = file_of(over) - file_of(square), y = rank_of(over) - rank_of(square);
    if ((!x && !y) || (x && y && x != y && x != -y))
        return false;
    return line_attacks(board, side, x && y ? CHESS_KIND_BISHOP : CHESS_KIND_ROOK, step_from(square),
                        sign(x) * EAST + sign(y) * NORTH);
}

uint64_t position_key(const chess_position *position)
{
    uint64_t key = key_of_castling(position->clocks.castling) ^ key_of_en_passant(position->clocks.en_passant) ^
                   (position_to_move(position) == CHESS_SIDE_BLACK ? key_of_turn() : 0);
    for (uint32_t square = 0; square < SQUARES; square++)
        key ^= key_of(position->board[square], square);
    return key;
}

bool position_is_dead(const chess_position *position)
{
    uint32_t knights = 0, light = 0, dark = 0; // bishops on squares of these colours
    for (uint32_t square = 0; square < SQUARES; square++) {
        switch (kind_of(position->board[square])) {
        case CHESS_KIND_NONE:
        case CHESS_KIND_KING:
            break;
        case CHESS_KIND_KNIGHT:
            knights++;
            break;
        case CHESS_KIND_BISHOP:
            if ((file_of(square) + rank_of(square)) % 2)
                light++;
            else
                dark++;
            break;
        default:
            return false;
        }
    }
    return knights ? knights == 1 && !light && !dark : !light || !dark;
}

void square_name(uint32_t square, char *name)
{
    name[0] = (char)('a' + file_of(square));
    name[1] = (char)('1' + rank_of(square));
    name[2] = '\0';
}

uint32_t square_named(const char *name)
{
    if (name[0] < 'a' || name[0] > 'h' || name[1] < '1' || name[1] > '8')
        return NO_SQUARE;
    return (uint32_t)((name[1] - '1') * 8 + name[0] - 'a');
}
