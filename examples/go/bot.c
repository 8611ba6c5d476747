#include "bot.h"

#include "rules.h"

// As if all stones on the board were alive: at the end of a try nearly all are.
static int32_t lead_of_black(const go_state *state)
{
    go_stone owners[MOST_POINTS];
    int32_t lead = 0;
    rules_owners(state, owners);
    for (uint32_t point = 0; point < point_count(&state->terms); point++)
        lead += owners[point] == GO_STONE_BLACK ? 1 : owners[point] == GO_STONE_WHITE ? -1 : 0;
    return 2 * lead - state->terms.komi;
}

static void judge(const kifu_timeline *timeline, double *worth)
{
    const go_state *state = go_get_state(timeline);
    const int32_t lead = state->ending ? state->lead : lead_of_black(state);
    const double black = lead > 0 ? 1 : lead < 0 ? 0 : 0.5;
    worth[state->game.order[0]] = black;
    worth[state->game.order[1]] = 1 - black;
}

const kifu_bot go_bot = {.judge = judge, .depth = 200};
