// Reversi in a page (kifu/web.h).

#include <kifu/web.h>

#include "bot.h"
#include "draw.h"
#include "reversi.h"

const kifu_web kifu_web_game = {.rules = &reversi_rules, .draw = reversi_draw, .bot = &reversi_bot, .tries = 500};
