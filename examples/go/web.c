// Go in a page (kifu/web.h).

#include <kifu/web.h>

#include "draw.h"
#include "game.h"
#include "rules.h"
#include "think.h"

enum { TRIES = 3000 };

// It passes where the stones are counted, as a player who agrees.
static kifu_result computer(kifu_timeline *timeline)
{
    static uint64_t seed = 1;
    const go_state *state = go_get_state(timeline);
    const kifu_thinking thinking = {.tries = TRIES, .seed = seed++};
    thought thought = {.point = NO_POINT};
    if (state->game.phase != KIFU_PHASE_PLAY)
        return KIFU_REJECTED;
    const go_stone stone = rules_to_move(&state->game);
    const kifu_result result = state->stage == GO_STAGE_PLAYING ? think(state, &thinking, &thought) : KIFU_OK;
    return result ? result : go_play_as(timeline, stone, thought.point);
}

const kifu_web kifu_web_game = {.rules = &go_rules, .draw = go_draw, .computer = computer};
