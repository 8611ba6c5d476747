// Eights in a page (kifu/web.h).

#include <kifu/web.h>

#include "draw.h"
#include "game.h"

const kifu_web kifu_web_game = {.rules = &eights_rules, .draw = eights_draw, .computer = eights_play};
