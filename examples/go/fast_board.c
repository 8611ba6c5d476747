#include "fast_board.h"

#include <string.h>

#include "rules.h"

const uint32_t fast_beside[4] = {0u - WIDTH, 0u - 1, 1, WIDTH};

// --- Chains ----------------------------------------------------------------------------------------------------------

static void add_liberty(fast_board *board, uint32_t at, uint32_t liberty)
{
    fast_chain *chain = &board->chains[board->head[at]];
    chain->liberties++;
    chain->sum += liberty;
    chain->squares += liberty * liberty;
}

static void take_liberty(fast_board *board, uint32_t at, uint32_t liberty)
{
    fast_chain *chain = &board->chains[board->head[at]];
    chain->liberties--;
    chain->sum -= liberty;
    chain->squares -= liberty * liberty;
}

static void join(fast_board *board, uint32_t one, uint32_t other)
{
    const uint16_t head = board->head[one], gone = board->head[other];
    if (head == gone)
        return;
    board->chains[head].liberties += board->chains[gone].liberties;
    board->chains[head].sum += board->chains[gone].sum;
    board->chains[head].squares += board->chains[gone].squares;
    uint32_t at = gone;
    do {
        board->head[at] = head;
        at = board->next[at];
    } while (at != gone);
    const uint16_t after = board->next[head];
    board->next[head] = board->next[gone];
    board->next[gone] = after;
}

static void make_empty(fast_board *board, uint32_t at)
{
    board->cell[at] = GO_STONE_NONE;
    board->place[at] = (uint16_t)board->empty_count;
    board->empty[board->empty_count++] = (uint16_t)at;
    for (uint32_t i = 0; i < 4; i++) {
        if (is_stone(board->cell[at + fast_beside[i]]))
            add_liberty(board, at + fast_beside[i], at);
    }
}

// Returns how many stones the chain had. All are taken away before any of them is a liberty of others.
static uint32_t capture(fast_board *board, uint32_t at)
{
    const uint32_t first = at;
    uint32_t count = 0;
    do {
        board->cell[at] = FAST_EDGE;
        at = board->next[at];
        count++;
    } while (at != first);
    do {
        make_empty(board, at);
        at = board->next[at];
    } while (at != first);
    return count;
}

static void put(fast_board *board, uint8_t stone, uint32_t at)
{
    const uint32_t moved = board->empty[--board->empty_count];
    uint32_t captured = 0, where = 0;
    board->empty[board->place[at]] = (uint16_t)moved;
    board->place[moved] = board->place[at];
    board->cell[at] = stone;
    board->head[at] = board->next[at] = (uint16_t)at;
    board->chains[at] = (fast_chain){.liberties = 0};
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t to = at + fast_beside[i];
        if (board->cell[to] == GO_STONE_NONE)
            add_liberty(board, at, to);
        else if (is_stone(board->cell[to]))
            take_liberty(board, to, at);
    }
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t to = at + fast_beside[i];
        if (board->cell[to] == stone)
            join(board, at, to);
        else if (is_stone(board->cell[to]) && !board->chains[board->head[to]].liberties)
            where = to, captured += capture(board, to);
    }
    board->ko = captured == 1 && board->next[at] == at && board->chains[at].liberties == 1 ? where : 0;
}

// --- Moves -----------------------------------------------------------------------------------------------------------

void fast_play(fast_board *board, uint32_t at)
{
    if (at)
        put(board, board->to_move, at);
    else
        board->ko = 0;
    board->passes = at ? 0 : board->passes + 1;
    board->last = at;
    board->to_move ^= 3;
}

bool fast_is_legal(const fast_board *board, uint32_t at)
{
    const uint8_t stone = board->to_move;
    if (board->cell[at] != GO_STONE_NONE || at == board->ko)
        return false;
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t to = at + fast_beside[i];
        if (board->cell[to] == GO_STONE_NONE || (board->cell[to] == stone && !fast_in_atari(board, to)) ||
            (board->cell[to] == (stone ^ 3) && fast_in_atari(board, to)))
            return true;
    }
    return false;
}

bool fast_is_eye(const fast_board *board, uint8_t stone, uint32_t at)
{
    static const uint32_t corners[4] = {0u - WIDTH - 1, 0u - WIDTH + 1, WIDTH - 1, WIDTH + 1};
    uint32_t edges = 0, others = 0;
    for (uint32_t i = 0; i < 4; i++) {
        if (board->cell[at + fast_beside[i]] != stone && board->cell[at + fast_beside[i]] != FAST_EDGE)
            return false;
        edges += board->cell[at + corners[i]] == FAST_EDGE;
        others += board->cell[at + corners[i]] == (stone ^ 3);
    }
    return others + (edges > 0) < 2;
}

void fast_set_up(fast_board *board, const go_state *state)
{
    memset(board, 0, sizeof *board);
    memset(board->cell, FAST_EDGE, sizeof board->cell);
    for (uint32_t point = 0; point < point_count(&state->terms); point++)
        make_empty(board, fast_cell(&state->terms, point));
    for (uint32_t point = 0; point < point_count(&state->terms); point++) {
        if (state->board[point])
            put(board, (uint8_t)state->board[point], fast_cell(&state->terms, point));
    }
    board->ko = 0; // Who asks for real moves asks the rules.
    board->to_move = (uint8_t)rules_to_move(&state->game);
    board->last = state->last == NO_POINT ? 0 : fast_cell(&state->terms, state->last);
    board->passes = state->passes;
}
