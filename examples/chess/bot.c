#include "bot.h"

#include "evaluate.h"

// A game that is over is won, lost or drawn; before that, a lead is worth the more the larger it is, and never all.
static void judge(const kifu_timeline *timeline, double *worth)
{
    const chess_state *state = chess_get_state(timeline);
    double white = 0.5;
    if (!state->ending) {
        const int lead = evaluate(&state->position);
        const double share = 0.5 * lead / (200 + (lead < 0 ? -lead : lead));
        white += position_to_move(&state->position) == CHESS_SIDE_WHITE ? share : -share;
    } else if (state->winner != CHESS_SIDE_NOBODY) {
        white = state->winner == CHESS_SIDE_WHITE;
    }
    worth[state->game.order[CHESS_SIDE_WHITE]] = white;
    worth[state->game.order[CHESS_SIDE_BLACK]] = 1 - white;
}

const kifu_bot chess_bot = {.judge = judge, .depth = KIFU_AT_ONCE};
