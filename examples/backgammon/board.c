#include "board.h"

// Whether the checker may go there, whatever else could be played.
static bool can_step(const backgammon_board *board, int player, int from, int die)
{
    const uint8_t *mine = board->sides[player].places, *theirs = board->sides[1 - player].places;
    const int to = board_to(from, die);
    if (!mine[from] || (mine[BOARD_BAR] && from != BOARD_BAR))
        return false;
    if (to != BOARD_OFF)
        return theirs[BOARD_BAR - to] < 2;
    // Off the board: all are at home, and where the die is too high, no other one is further away.
    for (int place = from < die ? from + 1 : BOARD_HOME + 1; place <= BOARD_BAR; place++) {
        if (mine[place])
            return false;
    }
    return true;
}

static bool can_play(const backgammon_board *board, int player, int die)
{
    int from = BOARD_BAR;
    while (from > BOARD_OFF && !can_step(board, player, from, die))
        from--;
    return from > BOARD_OFF;
}

bool board_play(backgammon_board *board, int player, int from, int die)
{
    uint8_t *mine = board->sides[player].places, *theirs = board->sides[1 - player].places;
    const int to = board_to(from, die);
    const bool hits = to != BOARD_OFF && theirs[BOARD_BAR - to];
    mine[from]--;
    mine[to]++;
    if (hits) {
        theirs[BOARD_BAR - to]--;
        theirs[BOARD_BAR]++;
    }
    int i = 0;
    while (board->dice[i] != die)
        i++;
    board->dice[i] = 0;
    return hits;
}

uint32_t board_most(const backgammon_board *board, int player)
{
    uint32_t most = 0, left = 0;
    for (int i = 0; i < 4; i++)
        left += board->dice[i] != 0;
    for (int i = 0; i < 4; i++) {
        const int die = board->dice[i];
        if (!die || (i && die == board->dice[i - 1]))
            continue;
        for (int from = BOARD_BAR; from > BOARD_OFF && most < left; from--) {
            if (!can_step(board, player, from, die))
                continue;
            backgammon_board next = *board;
            board_play(&next, player, from, die);
            const uint32_t played = 1 + board_most(&next, player);
            most = played > most ? played : most;
        }
    }
    return most;
}

bool board_is_legal(const backgammon_board *board, int player, int from, int die)
{
    bool there = false;
    int highest = 0; // that can be played
    for (int i = 0; i < 4; i++) {
        there |= die && board->dice[i] == die;
        if (board->dice[i] > highest && can_play(board, player, board->dice[i]))
            highest = board->dice[i];
    }
    if (!there || from <= BOARD_OFF || from > BOARD_BAR || !can_step(board, player, from, die))
        return false;
    backgammon_board next = *board;
    board_play(&next, player, from, die);
    const uint32_t most = board_most(board, player);
    return 1 + board_most(&next, player) == most && (most > 1 || die == highest);
}

void board_set_dice(backgammon_board *board, uint8_t first, uint8_t second)
{
    board->dice[0] = first;
    board->dice[1] = second;
    board->dice[2] = board->dice[3] = first == second ? first : 0;
}

uint32_t board_pips(const backgammon_board *board, int player)
{
    uint32_t pips = 0;
    for (uint32_t place = 1; place <= BOARD_BAR; place++)
        pips += place * board->sides[player].places[place];
    return pips;
}

uint32_t board_won(const backgammon_board *board, int player)
{
    const uint8_t *theirs = board->sides[1 - player].places;
    if (board->sides[player].places[BOARD_OFF] < BOARD_CHECKERS)
        return 0;
    if (theirs[BOARD_OFF])
        return 1;
    int place = BOARD_BAR;
    while (place >= BOARD_BAR - BOARD_HOME && !theirs[place])
        place--;
    return place >= BOARD_BAR - BOARD_HOME ? 3 : 2;
}
