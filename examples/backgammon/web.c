// Backgammon in a page (kifu/web.h).

#include <kifu/web.h>

#include "draw.h"
#include "game.h"

const kifu_web kifu_web_game = {
    .rules = &backgammon_rules, .draw = backgammon_draw, .bot = &backgammon_bot, .tries = 500};
