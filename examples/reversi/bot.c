#include "bot.h"

#include "board.h"
#include "game.h"

// What a disc on a square is worth before the end: corners are for ever, and their neighbours give them away.
static const int8_t square_worth[BOARD_SQUARES] = {
    90,  -25, 9, 7, 7, 9, -25, 90,  //
    -25, -45, 1, 1, 1, 1, -45, -25, //
    9,   1,   4, 2, 2, 4, 1,   9,   //
    7,   1,   2, 1, 1, 2, 1,   7,   //
    7,   1,   2, 1, 1, 2, 1,   7,   //
    9,   1,   4, 2, 2, 4, 1,   9,   //
    -25, -45, 1, 1, 1, 1, -45, -25, //
    90,  -25, 9, 7, 7, 9, -25, 90,  //
};

// By how much black is ahead: squares, and moves to choose from.
static int lead_of_black(const reversi_state *state)
{
    uint8_t moves[BOARD_SQUARES];
    int lead = 6 * ((int)board_moves(state->board, REVERSI_DISC_BLACK, moves) -
                    (int)board_moves(state->board, REVERSI_DISC_WHITE, moves));
    for (uint32_t square = 0; square < BOARD_SQUARES; square++) {
        if (state->board[square] == REVERSI_DISC_BLACK)
            lead += square_worth[square];
        else if (state->board[square] == REVERSI_DISC_WHITE)
            lead -= square_worth[square];
    }
    return lead;
}

// A game that is over is won, lost or drawn; before that, a lead is worth the more the larger it is, and never all. A
// lead of 30 is half of that: if small leads were worth less, the bot would hardly see them, and try all moves alike.
static void judge(const kifu_timeline *timeline, double *worth)
{
    const reversi_state *state = reversi_get_state(timeline);
    double black = 0.5;
    if (state->game.phase != KIFU_PHASE_GAME_OVER) {
        int lead = lead_of_black(state);
        black += 0.5 * lead / (30 + (lead < 0 ? -lead : lead));
    } else if (reversi_winner(state) != REVERSI_DISC_NONE) {
        black = reversi_winner(state) == REVERSI_DISC_BLACK;
    }
    worth[state->game.order[0]] = black;
    worth[state->game.order[1]] = 1 - black;
}

const kifu_bot reversi_bot = {.judge = judge, .depth = KIFU_AT_ONCE};

uint32_t bot_tries(uint32_t level)
{
    return level == 1 ? 25 : 50u << 2 * (level - 1); // 25, 200, 800, … 204,800
}
