// Reversi in a page: see kifu/web.h.

#include <kifu/web.h>

#include "bot.h"
#include "draw.h"

const kifu_web kifu_web_game = {
    .rules = &reversi_rules, .options = {.draw = reversi_draw}, .bot = &reversi_bot, .tries = 500};
