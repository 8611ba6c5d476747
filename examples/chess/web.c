// Chess in a page (kifu/web.h).

#include <kifu/web.h>

#include "bot.h"
#include "draw.h"

const kifu_web kifu_web_game = {.rules = &chess_rules, .draw = chess_draw, .bot = &chess_bot, .tries = 2000};
