#include "plain_go.h"

#include <string.h>

// Marks everything of one content that is connected with `point`, and says what is beside it: bit 1 for nothing, 2 for
// black, 4 for white.
static uint32_t fill(const uint8_t *board, uint32_t point, bool *marked)
{
    uint32_t beside = 0;
    marked[point] = true;
    const int column = (int)point % PLAIN_LINES, row = (int)point / PLAIN_LINES;
    for (int i = 0; i < 4; i++) {
        const int x = column + (i == 0) - (i == 1), y = row + (i == 2) - (i == 3);
        if (x < 0 || y < 0 || x >= PLAIN_LINES || y >= PLAIN_LINES)
            continue;
        const uint32_t at = (uint32_t)(y * PLAIN_LINES + x);
        if (board[at] != board[point])
            beside |= 1u << board[at];
        else if (!marked[at])
            beside |= fill(board, at, marked);
    }
    return beside;
}

static bool is_free(const uint8_t *board, uint32_t point)
{
    bool marked[PLAIN_POINTS] = {false};
    return fill(board, point, marked) & 1;
}

// All stones of a colour that have no liberty go.
static uint32_t remove_dead(uint8_t *board, uint8_t colour)
{
    uint8_t after[PLAIN_POINTS];
    uint32_t count = 0;
    memcpy(after, board, sizeof after);
    for (uint32_t point = 0; point < PLAIN_POINTS; point++) {
        if (board[point] != colour || is_free(board, point))
            continue;
        after[point] = 0;
        count++;
    }
    memcpy(board, after, sizeof after);
    return count;
}

static void remember(plain_go *go)
{
    memcpy(go->positions[go->count].board, go->board, sizeof go->board);
    go->positions[go->count].to_move = go->to_move;
    go->positions[go->count++].stones = go->stones;
}

void plain_go_begin(plain_go *go, const uint8_t *board, uint8_t to_move)
{
    memset(go, 0, sizeof *go);
    memcpy(go->board, board, sizeof go->board);
    go->to_move = to_move;
    go->passed = true; // there is nothing to retake
    remember(go);
}

bool plain_go_may(const plain_go *go, uint32_t point, int ko)
{
    uint8_t board[PLAIN_POINTS];
    memcpy(board, go->board, sizeof board);
    if (point >= PLAIN_POINTS || board[point])
        return false;
    board[point] = go->to_move;
    remove_dead(board, 3 - go->to_move);
    if (remove_dead(board, go->to_move))
        return false;
    for (uint32_t i = 0; i < go->count; i++) {
        if (memcmp(board, go->positions[i].board, sizeof board))
            continue;
        if (ko == 1 || (ko == 2 && go->positions[i].to_move == 3 - go->to_move) ||
            (ko == 0 && !go->passed && go->positions[i].stones + 1 == go->stones))
            return false;
    }
    return true;
}

void plain_go_play(plain_go *go, uint32_t point)
{
    const uint8_t colour = go->to_move;
    go->to_move = 3 - colour;
    go->passed = point == PLAIN_POINTS;
    if (!go->passed) {
        go->board[point] = colour;
        go->lost[3 - colour] += remove_dead(go->board, 3 - colour);
        go->stones++;
    }
    remember(go);
}

int32_t plain_go_area(const plain_go *go)
{
    int32_t lead = 0;
    for (uint32_t point = 0; point < PLAIN_POINTS; point++) {
        bool marked[PLAIN_POINTS] = {false};
        const uint32_t beside = go->board[point] ? 1u << go->board[point] : fill(go->board, point, marked);
        lead += beside == 2 ? 1 : beside == 4 ? -1 : 0;
    }
    return lead;
}
