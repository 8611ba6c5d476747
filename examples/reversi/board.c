#include "board.h"

reversi_disc board_disc_of(const kifu_game *game, int player)
{
    for (uint32_t i = 0; i < game->player_count && i < 2; i++) {
        if (game->order[i] == player)
            return i == 0 ? REVERSI_DISC_BLACK : REVERSI_DISC_WHITE;
    }
    return REVERSI_DISC_NONE;
}

reversi_disc board_to_move(const kifu_game *game)
{
    return board_disc_of(game, kifu_current_player(game));
}

// How many discs turn over in one direction: those of the other colour up to the next disc of `disc`.
static int run_length(const reversi_disc *board, reversi_disc disc, int column, int row, int dx, int dy)
{
    for (int length = 0;; length++) {
        column += dx;
        row += dy;
        if (column < 0 || column >= BOARD_SIDE || row < 0 || row >= BOARD_SIDE)
            return 0;
        reversi_disc here = board[row * BOARD_SIDE + column];
        if (here == disc)
            return length;
        if (here == REVERSI_DISC_NONE)
            return 0;
    }
}

static const struct {
    int dx, dy;
} directions[8] = {{0, -1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}};

uint32_t board_flips(const reversi_disc *board, reversi_disc disc, uint32_t square, uint8_t *flips)
{
    if (square >= BOARD_SQUARES || board[square] != REVERSI_DISC_NONE)
        return 0;
    int column = (int)square % BOARD_SIDE, row = (int)square / BOARD_SIDE;
    uint32_t count = 0;
    for (int i = 0; i < 8; i++) {
        int dx = directions[i].dx, dy = directions[i].dy;
        int length = run_length(board, disc, column, row, dx, dy);
        for (int step = 1; step <= length; step++)
            flips[count++] = (uint8_t)((row + step * dy) * BOARD_SIDE + column + step * dx);
    }
    return count;
}

bool board_is_legal(const reversi_disc *board, reversi_disc disc, uint32_t square)
{
    if (square >= BOARD_SQUARES || board[square] != REVERSI_DISC_NONE)
        return false;
    int column = (int)square % BOARD_SIDE, row = (int)square / BOARD_SIDE;
    for (int i = 0; i < 8; i++) {
        if (run_length(board, disc, column, row, directions[i].dx, directions[i].dy))
            return true;
    }
    return false;
}

uint32_t board_moves(const reversi_disc *board, reversi_disc disc, uint8_t *moves)
{
    uint32_t count = 0;
    for (uint32_t square = 0; square < BOARD_SQUARES; square++) {
        if (board_is_legal(board, disc, square))
            moves[count++] = (uint8_t)square;
    }
    return count;
}

bool board_can_move(const reversi_disc *board, reversi_disc disc)
{
    for (uint32_t square = 0; square < BOARD_SQUARES; square++) {
        if (board_is_legal(board, disc, square))
            return true;
    }
    return false;
}

uint32_t board_count(const reversi_disc *board, reversi_disc disc)
{
    uint32_t count = 0;
    for (uint32_t square = 0; square < BOARD_SQUARES; square++)
        count += board[square] == disc;
    return count;
}

void board_square_name(uint32_t square, char *name)
{
    name[0] = (char)('a' + square % BOARD_SIDE);
    name[1] = (char)('1' + square / BOARD_SIDE);
    name[2] = '\0';
}

int board_square(const char *name)
{
    if (name[0] < 'a' || name[0] > 'h' || name[1] < '1' || name[1] > '8')
        return -1;
    return (name[1] - '1') * BOARD_SIDE + name[0] - 'a';
}
