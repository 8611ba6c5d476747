#include "plain_reversi.h"

#include <string.h>

plain plain_begin(void)
{
    plain position = {.mover = 'X'};
    for (int row = 0; row < 10; row++)
        memcpy(position.cells[row], row % 9 ? "#........#" : "##########", 10);
    position.cells[4][4] = position.cells[5][5] = 'O';
    position.cells[4][5] = position.cells[5][4] = 'X';
    return position;
}

static char enemy(char disc)
{
    return disc == 'X' ? 'O' : 'X';
}

// Turns over what a disc at `cell` catches, towards `step`, walking through the rows as one long line.
static int catch_line(char *cell, int step, char disc, bool turn)
{
    int caught = 0;
    char *at = cell + step;
    for (; *at == enemy(disc); at += step)
        caught++;
    if (*at != disc)
        return 0;
    for (at -= step; turn && at != cell; at -= step)
        *at = disc;
    return caught;
}

static int catch_all(plain *position, int square, char disc, bool turn)
{
    static const int steps[] = {-11, -10, -9, -1, 1, 9, 10, 11};
    char *cell = &position->cells[0][0] + (square / 8 + 1) * 10 + square % 8 + 1;
    if (*cell != '.')
        return 0;
    int caught = 0;
    for (int i = 0; i < 8; i++)
        caught += catch_line(cell, steps[i], disc, turn);
    if (caught && turn)
        *cell = disc;
    return caught;
}

static bool has_move(const plain *position, char disc)
{
    plain copy = *position;
    for (int square = 0; square < 64; square++) {
        if (catch_all(&copy, square, disc, false))
            return true;
    }
    return false;
}

bool plain_place(plain *position, int square)
{
    if (position->over || square < 0 || square > 63 || !catch_all(position, square, position->mover, true))
        return false;
    char next = enemy(position->mover);
    position->passed = false;
    if (has_move(position, next)) {
        position->mover = next;
    } else if (has_move(position, position->mover)) {
        position->passed = true;
    } else {
        position->mover = next;
        position->over = true;
    }
    return true;
}

uint64_t plain_perft(const plain *position, int depth)
{
    if (depth <= 0 || position->over)
        return 1;
    uint64_t games = 0;
    for (int square = 0; square < 64; square++) {
        plain next = *position;
        if (plain_place(&next, square))
            games += plain_perft(&next, depth - 1 - next.passed);
    }
    return games;
}
